// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/sum_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "compiler/quantize/weight_rows.h"
#include "runtime/tensor/average.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Integers, exact below 2^53.
struct Interval {
  double lo = 0, hi = 0;

  double largest() const { return std::max(-lo, hi); }
  Interval with(Interval other) const { return {std::min(lo, other.lo), std::max(hi, other.hi)}; }
  Interval operator+(Interval other) const { return {lo + other.lo, hi + other.hi}; }
  Interval operator*(double factor) const {
    return {std::min(lo * factor, hi * factor), std::max(lo * factor, hi * factor)};
  }
  Interval operator*(Interval other) const { return (*this * other.lo).with(*this * other.hi); }
};

constexpr Interval kInt8 = {-128, 127}, kSymmetric = {-127, 127};

double scaled(double x, int64_t bits) { return std::ldexp(x, static_cast<int>(bits)); }

// What a requantization adds and multiplies.
struct Step {
  int64_t shift = 0;
  double factor = 1, bias = 0;
};

class SumChecker {
 public:
  explicit SumChecker(const Graph& graph) : graph_(graph) {}

  void visit(const Node& node) {
    check(node);
    if (node.type.dtype == DType::kInt8) levels_[node.id] = result_of(node);
  }

 private:
  Interval operand(const Node& node, size_t i) const { return levels_.at(node.inputs[i]); }

  void check(const Node& node) const {
    switch (node.kind) {
      case OpKind::kQConv2d:
      case OpKind::kQConv2dTranspose:
      case OpKind::kQDense:
        return check_layer(node);
      case OpKind::kQAdd:
        return check_sum(node);
      case OpKind::kQMul:
        return check_product(node);
      case OpKind::kQMatmul:
        return check_matrices(node);
      case OpKind::kQAvgPool2d:
        return check_average(node);
      case OpKind::kGlobalSumPool2d:
        return check_image_sum(node);
      case OpKind::kGlobalAvgPool2d:
        if (node.type.dtype == DType::kInt32) check_image_sum(node);
        return;
      default:
        return;
    }
  }

  Interval result_of(const Node& node) const {
    switch (node.kind) {
      case OpKind::kConstant:
        return interval_of(node.value.data<int8_t>());
      case OpKind::kLookup:
        return operand(node, 1);
      case OpKind::kQuantize:
        return node.attrs.unit == 0 ? kSymmetric : kInt8;
      case OpKind::kQAvgPool2d:
        return node.attrs.ratio == 0 ? kSymmetric : kInt8;
      case OpKind::kQConv2d:
      case OpKind::kQConv2dTranspose:
      case OpKind::kQDense:
      case OpKind::kQAdd:
      case OpKind::kQMul:
      case OpKind::kQMatmul:
        return {node.attrs.lo, node.attrs.hi};
      default:
        return moved(node);
    }
  }

  // Elements of operands, or padding.
  Interval moved(const Node& node) const {
    if (node.inputs.empty()) return kInt8;
    Interval all;
    for (NodeId input : node.inputs) {
      const auto levels = levels_.find(input);
      const bool has_bytes = graph_.node(input).type.dtype == DType::kInt8;
      if (has_bytes) all = all.with(levels == levels_.end() ? kInt8 : levels->second);
      if (graph_.node(input).type.dtype == DType::kFloat32) all = all.with(kInt8);
    }
    const auto zero = static_cast<double>(node.attrs.zero);
    if (node.kind == OpKind::kUnfold2d) all = all.with({zero, zero});
    if (node.kind != OpKind::kPad) return all;
    const double pad = std::clamp(node.attrs.pad_value, -128.0, 127.0);
    return all.with({pad, pad});
  }

  static Interval interval_of(std::span<const int8_t> values) {
    if (values.empty()) return {};
    int8_t lo = values[0], hi = values[0];
    for (const int8_t value : values) {  // std::ranges::minmax does not become vectors
      lo = std::min(lo, value);
      hi = std::max(hi, value);
    }
    return {static_cast<double>(lo), static_cast<double>(hi)};
  }

  bool has_constants(const Node& node) const {
    return std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                       [&](NodeId input) { return graph_.is_constant(input); });
  }

  // Weights, biases and factors that a run computes, on the host. Their bound is that of weights
  // alone.
  void check_computed_layer(const Node& node) const {
    const Interval products = operand(node, 0) * operand(node, 1);
    check_fits(node, products * static_cast<double>(row_shape(graph_, node).row_elems));
  }

  void check_layer(const Node& node) const {
    if (!has_constants(node)) return check_computed_layer(node);
    const RowShape shape = row_shape(graph_, node);
    const WeightRows<int8_t> rows(shape, node.kind, graph_.node(node.inputs[1]).value);
    const auto biases = graph_.node(node.inputs[2]).value.data<int32_t>();
    const bool has_numbers = node.inputs.size() > 3;
    const auto numbers = has_numbers ? graph_.node(node.inputs[3]).value.data<int32_t>()
                                     : std::span<const int32_t>{};
    const auto zero = static_cast<double>(node.attrs.zero);
    const Interval x = operand(node, 0).with({zero, zero});  // padding
    for (int64_t c = 0; c < shape.num_rows; ++c) {
      const auto channel = static_cast<size_t>(c);
      Step step{node.attrs.shift, 1, double(biases[channel])};
      if (has_numbers && node.attrs.scaled) step.factor = numbers[channel];
      if (has_numbers && !node.attrs.scaled) step.shift = numbers[channel];
      check_requantization(node, sum_of(rows.row(c), x), step);
    }
  }

  static Interval sum_of(std::span<const int8_t> row, Interval x) {
    int64_t positive = 0, negative = 0;
    for (const int64_t w : row) {
      positive += std::max<int64_t>(w, 0);
      negative += std::min<int64_t>(w, 0);
    }
    return x * static_cast<double>(positive) + x * static_cast<double>(negative);
  }

  void check_sum(const Node& node) const {
    const auto attrs = node.attrs_of<OpKind::kQAdd>();
    const auto term = [&](size_t i, int64_t factor, int64_t shift) {
      return operand(node, i) * scaled(attrs.scaled ? static_cast<double>(factor) : 1, shift);
    };
    const auto addend = static_cast<double>(attrs.addend);
    const Interval sum = term(0, attrs.factor_a, attrs.shift_a) +
                         term(1, attrs.factor_b, attrs.shift_b) + Interval{addend, addend};
    check_requantization(node, sum, {attrs.shift});
  }

  void check_product(const Node& node) const {
    const auto attrs = node.attrs_of<OpKind::kQMul>();
    Interval b = operand(node, 1);
    if (attrs.gate != 0) {
      const auto addend = static_cast<double>(attrs.addend), gate = static_cast<double>(attrs.gate);
      b = {std::clamp(b.lo + addend, 0.0, gate), std::clamp(b.hi + addend, 0.0, gate)};
      b = b * static_cast<double>(attrs.factor_a);
    }
    check_requantization(node, operand(node, 0) * b, {attrs.shift});
  }

  void check_matrices(const Node& node) const {
    const auto attrs = node.attrs_of<OpKind::kQMatmul>();
    // Products that stand for zero points cancel others; matrix_zeros.h has bounded their sum.
    if (attrs.products != 0) return;
    const auto inner = static_cast<double>(graph_.node(node.inputs[0]).type.shape.back());
    const Step step{attrs.shift, attrs.scaled ? static_cast<double>(attrs.factor_a) : 1,
                    static_cast<double>(attrs.addend)};
    check_requantization(node, operand(node, 0) * operand(node, 1) * inner, step);
  }

  void check_average(const Node& node) const {
    const auto attrs = node.attrs_of<OpKind::kQAvgPool2d>();
    if (attrs.ratio > kMaxAverageRatio)
      refuse(node, "ratio of scales", attrs.ratio, kMaxAverageRatio);
    const int64_t count = attrs.kernel[0] * attrs.kernel[1];
    const auto zero = static_cast<double>(attrs.zero);
    const Interval x = operand(node, 0) + Interval{-zero, -zero};
    // The edges of an image may average fewer elements, by larger factors.
    for (int64_t elems = 1; elems <= count; elems *= 2) check_average_of(node, x, elems);
    check_average_of(node, x, count);
  }

  void check_average_of(const Node& node, Interval x, int64_t count) const {
    const AverageFactor factor = node.attrs.ratio != 0
                                     ? scaled_average_factor(count, node.attrs.ratio)
                                     : average_factor(count, node.attrs.shift);
    const double rounding = factor.shift > 0 ? scaled(1, factor.shift - 1) : 0;
    const Interval sum = x * static_cast<double>(count) * double(factor.multiplier);
    check_fits(node, sum + Interval{rounding, rounding});
  }

  void check_image_sum(const Node& node) const {
    const std::vector<int64_t>& shape = graph_.node(node.inputs[0]).type.shape;
    check_fits(node, operand(node, 0) * static_cast<double>(shape[2] * shape[3]));
  }

  // As runtime/host/requantize.h computes it.
  void check_requantization(const Node& node, Interval sum, Step step) const {
    const OpAttrs& attrs = node.attrs;
    if (attrs.pre_shift > 0) {
      check_fits(node, sum);
      sum = {std::floor(scaled(sum.lo, -attrs.pre_shift)),
             std::floor(scaled(sum.hi, -attrs.pre_shift))};
    }
    sum = sum * step.factor + Interval{step.bias, step.bias};
    check_fits(node, sum);
    if (attrs.relu) sum = {std::max(sum.lo, 0.0), std::max(sum.hi, 0.0)};
    if (step.shift < 0) check_fits(node, sum * scaled(1, -step.shift));
    const double half = step.shift > 0 && !attrs.scaled ? scaled(1, step.shift - 1) : 0;
    check_fits(node, sum + Interval{half, half});
  }

  static void check_fits(const Node& node, Interval sum) {
    if (sum.lo >= -kMaxSum - 1 && sum.hi <= kMaxSum) return;
    refuse(node, "sums", sum.largest(), kMaxSum);
  }

  [[noreturn]] static void refuse(const Node& node, const char* what, double bound, double limit) {
    fail(ErrorCode::kUnsupported,
         "{}: its {} can reach {:.0f}, the limit is {:.0f}; --keep-float {} computes it in fp32 (a "
         "quantized network: with --requantize)",
         node.name, what, bound, limit, node.name);
  }

  const Graph& graph_;
  std::map<NodeId, Interval> levels_;  // of int8 results
};

}  // namespace

void check_sums(const Graph& graph) {
  SumChecker checker(graph);
  for (NodeId id : graph.order()) checker.visit(graph.node(id));
}

}  // namespace vta::quantize
