// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runtime/host/operators.h"
#include "runtime/tensor/average.h"

namespace vta::host {
namespace {

// One window along one axis.
struct Span {
  int64_t begin, count;  // elements of the input, `dilation` apart
  int64_t num_padded;    // within the padded input, which a window may exceed in ceil_mode
};

// The number of first, first + step, ... (`count` terms) that are below `limit`.
int64_t num_below(int64_t first, int64_t step, int64_t count, int64_t limit) {
  if (first >= limit) return 0;
  return std::min(count, (limit - first + step - 1) / step);
}

Span window(const WindowAttrs& attrs, size_t axis, int64_t position, int64_t size) {
  const int64_t first = position * attrs.stride[axis] - attrs.pad[axis];
  const int64_t step = attrs.dilation[axis], taps = attrs.kernel[axis];
  const int64_t outside = num_below(first, step, taps, 0);
  return {first + outside * step, num_below(first, step, taps, size) - outside,
          num_below(first, step, taps, size + attrs.pad[axis + 2])};
}

std::vector<Span> windows(const WindowAttrs& attrs, size_t axis, int64_t count, int64_t size) {
  std::vector<Span> spans;
  for (int64_t position = 0; position < count; ++position)
    spans.push_back(window(attrs, axis, position, size));
  return spans;
}

// Calls visit(input plane, rows, columns, output index) for every window.
template <typename Visit>
void for_each_window(const WindowAttrs& attrs, const Tensor& input, const Tensor& output,
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
void max_pool(const WindowAttrs& attrs, const Tensor& input, Tensor& output) {
  const T* x = input.data<T>().data();
  T* y = output.mutable_data<T>().data();
  const int64_t iw = input.dim(3);
  const auto [row_step, column_step] = attrs.dilation;
  for_each_window(attrs, input, output,
                  [&](int64_t plane, const Span& row, const Span& column, size_t out) {
                    const T* first = x + plane + row.begin * iw + column.begin;
                    T largest = *first;
                    for (int64_t r = 0; r < row.count; ++r) {
                      const T* line = first + r * row_step * iw;
                      for (int64_t c = 0; c < column.count; ++c)
                        largest = std::max(largest, line[c * column_step]);
                    }
                    y[out] = largest;
                  });
}

// Calls store(output index, sum of the window, divisor, number of elements inside the image).
template <typename T, typename Sum, typename Store>
void sum_windows(const Attrs<OpKind::kAvgPool2d>& attrs, const Tensor& input, const Tensor& output,
                 Store&& store) {
  const T* x = input.data<T>().data();
  const int64_t iw = input.dim(3);
  const auto [row_step, column_step] = attrs.dilation;
  for_each_window(
      attrs, input, output, [&](int64_t plane, const Span& row, const Span& column, size_t out) {
        const T* first = x + plane + row.begin * iw + column.begin;
        Sum sum = 0;
        for (int64_t r = 0; r < row.count; ++r) {
          const T* line = first + r * row_step * iw;
          for (int64_t c = 0; c < column.count; ++c) sum += line[c * column_step];
        }
        const int64_t count =
            attrs.count_include_pad ? row.num_padded * column.num_padded : row.count * column.count;
        store(out, sum, count, row.count * column.count);
      });
}

template <typename T>
void global_max(const Tensor& input, Tensor& output) {
  const T* x = input.data<T>().data();
  const int64_t area = input.dim(2) * input.dim(3);
  for (T& y : output.mutable_data<T>()) {
    y = *std::max_element(x, x + area);
    x += area;
  }
}

// The int32 sum of every plane; wraps around.
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

void max_pool2d(const Attrs<OpKind::kMaxPool2d>& attrs, const Operands& inputs, Tensor& output) {
  if (output.dtype() == DType::kInt8) return max_pool<int8_t>(attrs, inputs[0], output);
  max_pool<float>(attrs, inputs[0], output);
}

void avg_pool2d(const Attrs<OpKind::kAvgPool2d>& attrs, const Operands& inputs, Tensor& output) {
  float* y = output.mutable_data<float>().data();
  sum_windows<float, double>(attrs, inputs[0], output,
                             [y](size_t out, double sum, int64_t count, int64_t) {
                               y[out] = static_cast<float>(sum / static_cast<double>(count));
                             });
}

void qavg_pool2d(const Attrs<OpKind::kQAvgPool2d>& attrs, const Operands& inputs, Tensor& output) {
  int8_t* y = output.mutable_data<int8_t>().data();
  int64_t last_count = 0;  // most windows have as many elements as the one before
  AverageFactor factor;
  sum_windows<int8_t, int32_t>(
      attrs, inputs[0], output, [&](size_t out, int32_t sum, int64_t count, int64_t inside) {
        if (count != last_count) {
          factor = attrs.ratio != 0 ? scaled_average_factor(count, attrs.ratio)
                                    : average_factor(count, attrs.shift);
        }
        last_count = count;
        const auto moved = static_cast<int32_t>(sum - inside * attrs.zero);
        y[out] = attrs.ratio != 0 ? scaled_average_of(moved, factor, attrs.result_zero)
                                  : average_of(sum, factor);
      });
}

void global_max_pool2d(const NoAttrs&, const Operands& inputs, Tensor& output) {
  if (output.dtype() == DType::kInt8) return global_max<int8_t>(inputs[0], output);
  global_max<float>(inputs[0], output);
}

void global_sum_pool2d(const NoAttrs&, const Operands& inputs, Tensor& output) {
  const std::vector<int32_t> sums = plane_sums(inputs[0]);
  std::copy(sums.begin(), sums.end(), output.mutable_data<int32_t>().begin());
}

void global_avg_pool2d(const NoAttrs&, const Operands& inputs, Tensor& output) {
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
