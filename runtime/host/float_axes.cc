// SPDX-License-Identifier: Apache-2.0
//
// fp32 operators along axes: softmax, lrn, mean and argmax.
#include <algorithm>
#include <cmath>

#include "runtime/host/axis_view.h"
#include "runtime/host/operators.h"

namespace vta::host {
namespace {

// Softmax of one line with this stride.
void softmax_line(const float* x, float* y, int64_t size, int64_t stride) {
  // The arguments of exp() are at most 0, so it cannot overflow, and the sum is at least 1.
  float largest = x[0];
  for (int64_t i = 1; i < size; ++i) largest = std::max(largest, x[i * stride]);
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += y[i * stride] = std::exp(x[i * stride] - largest);
  for (int64_t i = 0; i < size; ++i) y[i * stride] = static_cast<float>(y[i * stride] / sum);
}

}  // namespace

void softmax(const Attrs<OpKind::kSoftmax>& attrs, const Operands& inputs, Tensor& output) {
  const AxisView view = view_along(output.shape(), attrs.axis);
  const float* x = inputs[0].data<float>().data();
  float* y = output.mutable_data<float>().data();
  for (int64_t o = 0; o < view.outer; ++o) {
    for (int64_t r = 0; r < view.inner; ++r) {
      const int64_t first = o * view.size * view.inner + r;
      softmax_line(x + first, y + first, view.size, view.inner);
    }
  }
}

void lrn(const Attrs<OpKind::kLrn>& attrs, const Operands& inputs, Tensor& output) {
  const AxisView view = view_along(output.shape(), 1);
  const float* x = inputs[0].data<float>().data();
  float* y = output.mutable_data<float>().data();
  const int64_t before = (attrs.size - 1) / 2, after = attrs.size - 1 - before;
  const double alpha = attrs.alpha / static_cast<double>(attrs.size);
  std::vector<double> sums(static_cast<size_t>(view.inner));
  for (int64_t o = 0; o < view.outer; ++o) {
    const int64_t image = o * view.size * view.inner;
    for (int64_t c = 0; c < view.size; ++c) {
      std::fill(sums.begin(), sums.end(), 0.0);
      const int64_t last = std::min(view.size - 1, c + after);
      for (int64_t k = std::max<int64_t>(0, c - before); k <= last; ++k) {
        const float* plane = x + image + k * view.inner;
        for (size_t i = 0; i < sums.size(); ++i) sums[i] += double{plane[i]} * plane[i];
      }
      const int64_t at = image + c * view.inner;
      for (int64_t i = 0; i < view.inner; ++i) {
        const double scale = attrs.bias + alpha * sums[static_cast<size_t>(i)];
        y[at + i] = static_cast<float>(x[at + i] * std::pow(scale, -attrs.beta));
      }
    }
  }
}

void reduce_mean(const Attrs<OpKind::kReduceMean>& attrs, const Operands& inputs, Tensor& output) {
  std::vector<int64_t> shape = inputs[0].shape();
  std::vector<double> sums(inputs[0].data<float>().begin(), inputs[0].data<float>().end());
  // Reduces one axis after the other, in place.
  for (int64_t axis : attrs.axes) {
    const AxisView view = view_along(shape, axis);
    for (int64_t o = 0; o < view.outer; ++o) {
      for (int64_t r = 0; r < view.inner; ++r) {
        double sum = 0;
        for (int64_t i = 0; i < view.size; ++i) {
          sum += sums[static_cast<size_t>((o * view.size + i) * view.inner + r)];
        }
        sums[static_cast<size_t>(o * view.inner + r)] = sum;
      }
    }
    shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis)] = 1;
  }
  const auto y = output.mutable_data<float>();
  const double count =
      static_cast<double>(inputs[0].num_elems()) / static_cast<double>(output.num_elems());
  for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(sums[i] / count);
}

void arg_max(const Attrs<OpKind::kArgMax>& attrs, const Operands& inputs, Tensor& output) {
  const AxisView view = view_along(inputs[0].shape(), attrs.axis);
  const float* x = inputs[0].data<float>().data();
  int32_t* y = output.mutable_data<int32_t>().data();
  for (int64_t o = 0; o < view.outer; ++o) {
    for (int64_t r = 0; r < view.inner; ++r) {
      const float* line = x + o * view.size * view.inner + r;
      int64_t best = 0;
      for (int64_t i = 1; i < view.size; ++i) {
        const float here = line[i * view.inner], there = line[best * view.inner];
        if (here > there || (attrs.select_last && here == there)) best = i;
      }
      y[o * view.inner + r] = static_cast<int32_t>(best);
    }
  }
}

}  // namespace vta::host
