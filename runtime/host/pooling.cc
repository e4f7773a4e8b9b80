// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

// Where one window lies along one axis.
struct Span {
  int64_t begin, end;  // elements of the input
  int64_t num_padded;  // elements of the padded input: a window may stick out of that, in ceil_mode
};

Span window(const OpAttrs& attrs, size_t axis, int64_t position, int64_t size) {
  const int64_t first = position * attrs.stride[axis] - attrs.pad[axis];
  const int64_t last = first + attrs.kernel[axis];
  return {std::max<int64_t>(first, 0), std::min(last, size),
          std::min(last, size + attrs.pad[axis + 2]) - first};
}

std::vector<Span> windows(const OpAttrs& attrs, size_t axis, int64_t count, int64_t size) {
  std::vector<Span> spans;
  for (int64_t position = 0; position < count; ++position)
    spans.push_back(window(attrs, axis, position, size));
  return spans;
}

// Calls visit(input plane, rows, columns, output index) for every window.
template <typename Visit>
void for_each_window(const OpAttrs& attrs, const Tensor& input, const Tensor& output,
                     Visit&& visit) {
  const int64_t ih = input.dim(2), iw = input.dim(3);
  const std::vector<Span> rows = windows(attrs, 0, output.dim(2), ih);
  const std::vector<Span> columns = windows(attrs, 1, output.dim(3), iw);
  size_t out = 0;
  for (int64_t plane = 0; plane < input.dim(0) * input.dim(1); ++plane) {
    for (const Span& row : rows) {
      for (const Span& column : columns) visit(plane * ih * iw, row, column, out++);
    }
  }
}

template <typename T>
void max_pool(const OpAttrs& attrs, const Tensor& input, Tensor& output) {
  const T* x = input.data<T>().data();
  T* y = output.mutable_data<T>().data();
  const int64_t iw = input.dim(3);
  for_each_window(attrs, input, output,
                  [&](int64_t plane, const Span& row, const Span& column, size_t out) {
                    T largest = x[plane + row.begin * iw + column.begin];
                    for (int64_t r = row.begin; r < row.end; ++r) {
                      const T* line = x + plane + r * iw;
                      for (int64_t c = column.begin; c < column.end; ++c)
                        largest = std::max(largest, line[c]);
                    }
                    y[out] = largest;
                  });
}

// The 32-bit sum of every plane, with wrap-around.
std::vector<int32_t> plane_sums(const Tensor& input) {
  const int8_t* x = input.data<int8_t>().data();
  const int64_t area = input.dim(2) * input.dim(3);
  std::vector<int32_t> sums;
  for (int64_t plane = 0; plane < input.dim(0) * input.dim(1); ++plane) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < area; ++i) sum += static_cast<uint32_t>(int32_t{x[plane * area + i]});
    sums.push_back(static_cast<int32_t>(sum));
  }
  return sums;
}

}  // namespace

void max_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  if (output.dtype() == DType::kInt8) return max_pool<int8_t>(attrs, inputs[0], output);
  max_pool<float>(attrs, inputs[0], output);
}

void avg_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  const float* x = inputs[0].data<float>().data();
  float* y = output.mutable_data<float>().data();
  const int64_t iw = inputs[0].dim(3);
  for_each_window(attrs, inputs[0], output,
                  [&](int64_t plane, const Span& row, const Span& column, size_t out) {
                    double sum = 0;
                    for (int64_t r = row.begin; r < row.end; ++r) {
                      for (int64_t c = column.begin; c < column.end; ++c)
                        sum += x[plane + r * iw + c];
                    }
                    const int64_t count = attrs.count_include_pad
                                              ? row.num_padded * column.num_padded
                                              : (row.end - row.begin) * (column.end - column.begin);
                    y[out] = static_cast<float>(sum / static_cast<double>(count));
                  });
}

void global_sum_pool2d(const OpAttrs&, const Operands& inputs, Tensor& output) {
  const std::vector<int32_t> sums = plane_sums(inputs[0]);
  std::copy(sums.begin(), sums.end(), output.mutable_data<int32_t>().begin());
}

void global_avg_pool2d(const OpAttrs&, const Operands& inputs, Tensor& output) {
  const int64_t area = inputs[0].dim(2) * inputs[0].dim(3);
  if (output.dtype() == DType::kInt32) {
    const std::vector<int32_t> sums = plane_sums(inputs[0]);
    const auto y = output.mutable_data<int32_t>();
    for (size_t i = 0; i < sums.size(); ++i) y[i] = static_cast<int32_t>(sums[i] / area);
    return;
  }
  const auto x = inputs[0].data<float>();
  const auto y = output.mutable_data<float>();
  for (size_t plane = 0; plane < y.size(); ++plane) {
    double sum = 0;
    for (int64_t i = 0; i < area; ++i)
      sum += x[plane * static_cast<size_t>(area) + static_cast<size_t>(i)];
    y[plane] = static_cast<float>(sum / static_cast<double>(area));
  }
}

}  // namespace vta::host
