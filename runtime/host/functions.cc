// SPDX-License-Identifier: Apache-2.0
//
// Operators with a function of functions.def: one loop per operator.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/host/axis_view.h"
#include "runtime/host/broadcast.h"
#include "runtime/host/numbers.h"
#include "runtime/host/operators.h"

namespace vta::host {
namespace {

template <typename T, typename Compute>
void map(const Tensor& input, Tensor& output, Compute&& compute) {
  const auto x = input.data<T>();
  const auto y = output.mutable_data<T>();
  for (size_t i = 0; i < x.size(); ++i) y[i] = number<T>(compute(Computed<T>(x[i])));
}

template <typename T, typename Out, typename Compute>
void combine(const Operands& inputs, Tensor& output, Compute&& compute) {
  compute_broadcast<T, Out>(inputs[0], inputs[1], output, [&](T a, T b) {
    return number<Out>(compute(Computed<T>(a), Computed<T>(b)));
  });
}

std::vector<double> doubles(const Tensor& tensor) {
  std::vector<double> values;
  with_number_type(tensor, [&](auto zero) {
    const auto x = tensor.data<decltype(zero)>();
    values.assign(x.begin(), x.end());
  });
  return values;
}

void set_numbers(const std::vector<double>& values, Tensor& output) {
  with_number_type(output, [&](auto zero) {
    const auto y = output.mutable_data<decltype(zero)>();
    for (size_t i = 0; i < y.size(); ++i) y[i] = number<decltype(zero)>(values[i]);
  });
}

template <typename Before, typename Combined, typename After>
void reduce_by(const Attrs<OpKind::kReduce>& attrs, const Tensor& input, Tensor& output,
               Before&& before, Combined&& combined, After&& after) {
  std::vector<double> totals = doubles(input);
  for (double& x : totals) x = before(x);
  // Reduces one axis after the other, in place.
  std::vector<int64_t> shape = input.shape();
  for (int64_t axis : attrs.axes) {
    const AxisView view = view_along(shape, axis);
    view.for_each_line([&](int64_t first, int64_t line) {
      double total = totals[static_cast<size_t>(first)];
      for (int64_t i = 1; i < view.size; ++i) {
        total = combined(total, totals[static_cast<size_t>(first + i * view.inner)]);
      }
      totals[static_cast<size_t>(line)] = total;
    });
    shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis)] = 1;
  }
  totals.resize(static_cast<size_t>(output.num_elems()));
  for (double& total : totals) total = after(total);
  set_numbers(totals, output);
}

// A floating-point format of fewer bits than float32.
struct FloatFormat {
  int precision, lowest;
  double largest;
  bool has_infinity;

  float rounded(float x) const {
    if (!std::isfinite(x) || x == 0) return x;
    int exponent = 0;
    std::frexp(x, &exponent);
    const int unit = std::max(exponent, lowest) - precision;
    const double value = std::ldexp(std::nearbyint(std::ldexp(double{x}, -unit)), unit);
    if (std::abs(value) <= largest) return static_cast<float>(value);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return has_infinity ? std::copysign(kInfinity, x) : std::numeric_limits<float>::quiet_NaN();
  }
};

struct IntegerFormat {
  double low, high;
  bool wraps;

  double rounded(double x) const {
    const double whole = std::isnan(x) ? 0 : std::trunc(x);
    if (whole >= low && whole <= high) return whole;
    if (!wraps || std::isinf(whole)) {
      fail(ErrorCode::kInvalidArgument, "{} is outside {} to {}", x, low, high);
    }
    const double count = high - low + 1;
    return whole - count * std::floor((whole - low) / count);
  }
};

// result = round(x) for every element.
template <typename Round>
void convert(const Tensor& input, Tensor& output, Round&& round) {
  with_number_type(input, [&](auto from) {
    with_number_type(output, [&](auto to) {
      const auto x = input.data<decltype(from)>();
      const auto y = output.mutable_data<decltype(to)>();
      for (size_t i = 0; i < x.size(); ++i) y[i] = static_cast<decltype(to)>(round(x[i]));
    });
  });
}

}  // namespace

void unary(const Attrs<OpKind::kUnary>& attrs, const Operands& inputs, Tensor& output) {
  with_number_type(inputs[0], [&](auto zero) {
    switch (attrs.function) {
#define VTA_UNARY(kind, name, expression) \
  case UnaryFunction::kind:               \
    return map<decltype(zero)>(inputs[0], output, [](auto x) { return decltype(x)(expression); });
#include "runtime/tensor/functions.def"
    }
  });
}

void binary(const Attrs<OpKind::kBinary>& attrs, const Operands& inputs, Tensor& output) {
  with_number_type(inputs[0], [&](auto zero) {
    using T = decltype(zero);
    switch (attrs.operation) {
#define VTA_BINARY(kind, name, expression) \
  case BinaryFunction::kind:               \
    return combine<T, T>(inputs, output, [](auto a, auto b) { return decltype(a)(expression); });
#define VTA_COMPARISON(kind, name, expression) \
  case BinaryFunction::kind:                   \
    return combine<T, float>(inputs, output,   \
                             [](auto a, auto b) { return (expression) ? 1.f : 0.f; });
#include "runtime/tensor/functions.def"
    }
  });
}

void cast(const Attrs<OpKind::kCast>& attrs, const Operands& inputs, Tensor& output) {
  if (attrs.format == Format::kBool) {
    return convert(inputs[0], output, [](auto x) { return x != 0 ? 1 : 0; });
  }
  switch (attrs.format) {
#define VTA_FLOAT_FORMAT(kind, name, precision, lowest, largest, has_infinity)                     \
  case Format::kind:                                                                               \
    return convert(inputs[0], output, [](auto x) {                                                 \
      return FloatFormat{precision, lowest, largest, has_infinity}.rounded(static_cast<float>(x)); \
    });
#define VTA_INTEGER_FORMAT(kind, name, low, high, wraps)                      \
  case Format::kind:                                                          \
    return convert(inputs[0], output, [](auto x) {                            \
      return IntegerFormat{low, high, wraps}.rounded(static_cast<double>(x)); \
    });
#include "runtime/tensor/functions.def"
  }
}

void reduce(const Attrs<OpKind::kReduce>& attrs, const Operands& inputs, Tensor& output) {
  switch (attrs.reduction) {
#define VTA_REDUCTION(kind, name, before, combined, after)                        \
  case Reduction::kind:                                                           \
    return reduce_by(                                                             \
        attrs, inputs[0], output, [](double x) { return double{before}; },        \
        []([[maybe_unused]] double total, double x) { return double{combined}; }, \
        [](double total) { return double{after}; });
#include "runtime/tensor/functions.def"
  }
}

void cumulative(const Attrs<OpKind::kCumulative>& attrs, const Operands& inputs, Tensor& output) {
  const std::vector<double> x = doubles(inputs[0]);
  std::vector<double> y(x.size());
  const AxisView view = view_along(output.shape(), attrs.axis);
  const bool is_sum = attrs.reduction == Reduction::kSum;
  view.for_each_line([&](int64_t first, int64_t) {
    double total = is_sum ? 0 : 1;
    for (int64_t i = 0; i < view.size; ++i) {
      const int64_t position = attrs.reverse ? view.size - 1 - i : i;
      const auto at = static_cast<size_t>(first + position * view.inner);
      const double next = is_sum ? total + x[at] : total * x[at];
      y[at] = attrs.exclusive ? total : next;
      total = next;
    }
  });
  set_numbers(y, output);
}

}  // namespace vta::host
