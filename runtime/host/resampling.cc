// SPDX-License-Identifier: Apache-2.0
//
// resize2d: a separable filter, resampled along each axis.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/host/operators.h"
#include "runtime/tensor/resize.h"

namespace vta::host {
namespace {

// The source elements and weights of result element `i` along one axis.
struct Taps {
  std::array<int64_t, 4> at{};
  std::array<double, 4> weight{};
  size_t count = 1;
};

// Keys' cubic at distance -1 - f, -f, 1 - f and 2 - f.
std::array<double, 4> cubic_weights(double f, double a) {
  const double g = 1 - f;
  return {((a * (f + 1) - 5 * a) * (f + 1) + 8 * a) * (f + 1) - 4 * a,
          ((a + 2) * f - (a + 3)) * f * f + 1, ((a + 2) * g - (a + 3)) * g * g + 1,
          ((a * (g + 1) - 5 * a) * (g + 1) + 8 * a) * (g + 1) - 4 * a};
}

void drop_outside(Taps& taps, int64_t in) {
  double sum = 0;
  for (size_t t = 0; t < taps.count; ++t) {
    if (taps.at[t] < 0 || taps.at[t] >= in) taps.weight[t] = 0;
    sum += taps.weight[t];
  }
  if (sum == 0) return;  // far outside, no tap remains
  for (double& weight : taps.weight) weight /= sum;
}

Taps taps_of(const Attrs<OpKind::kResize2d>& attrs, size_t axis, int64_t in, int64_t i) {
  // Far outside, all neighbours are the edge.
  const double x =
      std::clamp(resize_coordinate(attrs, axis, in, i), -4.0, static_cast<double>(in) + 4.0);
  Taps taps;
  if (attrs.resize_mode == ResizeMode::kNearest) {
    taps.at[0] = nearest_element(attrs.rounding, x, in);
    taps.weight[0] = 1;
  } else {
    const auto floor = static_cast<int64_t>(std::floor(x));
    const double f = x - static_cast<double>(floor);
    if (attrs.resize_mode == ResizeMode::kLinear) {
      taps.count = 2;
      taps.at = {floor, floor + 1};
      taps.weight = {1 - f, f};
    } else {
      taps.count = 4;
      taps.at = {floor - 1, floor, floor + 1, floor + 2};
      taps.weight = cubic_weights(f, attrs.cubic_a);
    }
    if (attrs.exclude_outside) drop_outside(taps, in);
  }
  for (int64_t& at : taps.at) at = std::clamp<int64_t>(at, 0, in - 1);
  return taps;
}

std::vector<Taps> all_taps(const Attrs<OpKind::kResize2d>& attrs, size_t axis, int64_t in) {
  std::vector<Taps> taps;
  for (int64_t i = 0; i < attrs.out[axis]; ++i) taps.push_back(taps_of(attrs, axis, in, i));
  return taps;
}

template <typename T>
void resize_nearest(const std::vector<Taps>& rows, const std::vector<Taps>& columns,
                    const Tensor& input, Tensor& output) {
  const T* x = input.data<T>().data();
  T* y = output.mutable_data<T>().data();
  const int64_t iw = input.dim(3), area = input.dim(2) * iw;
  for (int64_t plane = 0; plane < input.dim(0) * input.dim(1); ++plane) {
    for (const Taps& row : rows) {
      const T* line = x + plane * area + row.at[0] * iw;
      for (const Taps& column : columns) *y++ = line[column.at[0]];
    }
  }
}

// First between rows: one line of the source's width per line of the result.
void resize_weighted(const std::vector<Taps>& rows, const std::vector<Taps>& columns,
                     const Tensor& input, Tensor& output) {
  const float* x = input.data<float>().data();
  float* y = output.mutable_data<float>().data();
  const int64_t iw = input.dim(3), area = input.dim(2) * iw;
  std::vector<float> mixed(static_cast<size_t>(iw));
  for (int64_t plane = 0; plane < input.dim(0) * input.dim(1); ++plane) {
    for (const Taps& row : rows) {
      std::fill(mixed.begin(), mixed.end(), 0.0f);
      for (size_t t = 0; t < row.count; ++t) {
        const float* line = x + plane * area + row.at[t] * iw;
        const auto weight = static_cast<float>(row.weight[t]);
        for (size_t i = 0; i < mixed.size(); ++i) mixed[i] += weight * line[i];
      }
      for (const Taps& column : columns) {
        float sum = 0;
        for (size_t t = 0; t < column.count; ++t) {
          sum += static_cast<float>(column.weight[t]) * mixed[static_cast<size_t>(column.at[t])];
        }
        *y++ = sum;
      }
    }
  }
}

}  // namespace

void resize2d(const Attrs<OpKind::kResize2d>& attrs, const Operands& inputs, Tensor& output) {
  const std::vector<Taps> rows = all_taps(attrs, 0, inputs[0].dim(2));
  const std::vector<Taps> columns = all_taps(attrs, 1, inputs[0].dim(3));
  if (attrs.resize_mode != ResizeMode::kNearest) {
    return resize_weighted(rows, columns, inputs[0], output);
  }
  if (output.dtype() == DType::kInt8)
    return resize_nearest<int8_t>(rows, columns, inputs[0], output);
  resize_nearest<float>(rows, columns, inputs[0], output);
}

}  // namespace vta::host
