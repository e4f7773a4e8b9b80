// SPDX-License-Identifier: Apache-2.0
//
// Constant folding of arithmetic: integers wrap around, floating-point numbers are float32.
#include <algorithm>
#include <cmath>

#include "compiler/onnx/fold.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

// A binary operator, for each kind of element.
struct Binary {
  int64_t (*on_integers)(int64_t, int64_t);
  float (*on_floats)(float, float);
};
struct Comparison {
  bool (*on_integers)(int64_t, int64_t);
  bool (*on_floats)(float, float);
};
struct Unary {
  int64_t (*on_integers)(int64_t);
  float (*on_floats)(float);
};

uint64_t bits_of(int64_t value) { return static_cast<uint64_t>(value); }
int64_t wrapping_add(int64_t a, int64_t b) { return static_cast<int64_t>(bits_of(a) + bits_of(b)); }
int64_t wrapping_sub(int64_t a, int64_t b) { return static_cast<int64_t>(bits_of(a) - bits_of(b)); }
int64_t wrapping_mul(int64_t a, int64_t b) { return static_cast<int64_t>(bits_of(a) * bits_of(b)); }

void need_divisor(int64_t b) {
  if (b == 0) fail(ErrorCode::kCorrupt, "integer division by 0");
}

int64_t divided(int64_t a, int64_t b) {
  need_divisor(b);
  return b == -1 ? wrapping_sub(0, a) : a / b;
}

int64_t python_modulo(int64_t a, int64_t b) {
  need_divisor(b);
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

int64_t c_modulo(int64_t a, int64_t b) {
  need_divisor(b);
  return b == -1 ? 0 : a % b;
}

void need_same_type(const Array& a, const Array& b) {
  if (a.type != b.type) {
    fail(ErrorCode::kCorrupt, "operands {} and {}", to_string(a), to_string(b));
  }
}

Array combined(const Array& a, const Array& b, const Binary& function) {
  need_same_type(a, b);
  Array result = make_array(a.type, broadcast_dims(a.dims, b.dims), true);
  for (int64_t i = 0; i < result.size(); ++i) {
    const auto at = static_cast<size_t>(i);
    const auto of_a = static_cast<size_t>(broadcast_index(i, a.dims, result.dims));
    const auto of_b = static_cast<size_t>(broadcast_index(i, b.dims, result.dims));
    if (a.is_float()) {
      result.floats[at] = function.on_floats(a.floats[of_a], b.floats[of_b]);
    } else {
      result.ints[at] = wrapped(function.on_integers(a.ints[of_a], b.ints[of_b]), a.type);
    }
  }
  return result;
}

void fold_binary(NodeContext& node, const Binary& function) {
  node.set_constant(combined(node.constant(0, "operand"), node.constant(1, "operand"), function));
}

void fold_variadic(NodeContext& node, const Binary& function) {
  Array result = node.constant(0, "operand");
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    result = combined(result, node.constant(i, "operand"), function);
  }
  node.set_constant(std::move(result));
}

void fold_comparison(NodeContext& node, const Comparison& function) {
  const Array &a = node.constant(0, "operand"), &b = node.constant(1, "operand");
  need_same_type(a, b);
  Array result = make_array(ElementType::kBool, broadcast_dims(a.dims, b.dims), true);
  for (int64_t i = 0; i < result.size(); ++i) {
    const auto of_a = static_cast<size_t>(broadcast_index(i, a.dims, result.dims));
    const auto of_b = static_cast<size_t>(broadcast_index(i, b.dims, result.dims));
    result.ints[static_cast<size_t>(i)] = a.is_float()
                                              ? function.on_floats(a.floats[of_a], b.floats[of_b])
                                              : function.on_integers(a.ints[of_a], b.ints[of_b]);
  }
  node.set_constant(std::move(result));
}

void fold_unary(NodeContext& node, const Unary& function) {
  Array result = node.constant(0, "operand");
  for (float& value : result.floats) value = function.on_floats(value);
  for (int64_t& value : result.ints) value = wrapped(function.on_integers(value), result.type);
  node.set_constant(std::move(result));
}

void fold_floats(NodeContext& node, float (*function)(float)) {
  if (!node.constant(0, "operand").is_float()) {
    node.refuse("an operand of type {}", to_string(node.input(0).type));
  }
  fold_unary(node, {[](int64_t value) { return value; }, function});
}

void require_bool(NodeContext& node, size_t operand) {
  const Array& array = node.constant(operand, "operand");
  if (array.type != ElementType::kBool)
    fail(ErrorCode::kCorrupt, "operand {} is {}, expected bool", operand, to_string(array));
}

void fold_logic(NodeContext& node, int64_t (*function)(int64_t, int64_t)) {
  for (size_t i = 0; i < 2; ++i) require_bool(node, i);
  fold_binary(node, {function, nullptr});
}

// Rounds to a narrower floating-point type, half to even.
float rounded_to(float value, ElementType to) {
  const bool is_float16 = to == ElementType::kFloat16;
  if ((!is_float16 && to != ElementType::kBfloat16) || !std::isfinite(value) || value == 0) {
    return value;
  }
  const int precision = is_float16 ? 11 : 8;
  const int lowest_exponent = is_float16 ? -13 : -125;
  const int highest_exponent = is_float16 ? 16 : 128;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent, lowest_exponent) - precision;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(double{value}, -unit)), unit);
  const bool overflows = std::abs(rounded) >= std::ldexp(1.0, highest_exponent);
  return overflows ? std::copysign(INFINITY, value) : static_cast<float>(rounded);
}

int64_t integer_of(float value, ElementType to) {
  if (to == ElementType::kBool) return value != 0 ? 1 : 0;
  const auto low = static_cast<double>(lowest(to)), high = static_cast<double>(highest(to));
  const double whole = std::trunc(value);
  // 2^63, because the largest int64 is not exact in double.
  if (!(whole >= low && whole <= high && whole < 0x1p63)) {
    fail(ErrorCode::kUnsupported, "{} cannot become {}", value, to_string(to));
  }
  return static_cast<int64_t>(whole);
}

}  // namespace

void fold_add(NodeContext& node) {
  fold_binary(node, {wrapping_add, [](float a, float b) { return a + b; }});
}
void fold_sub(NodeContext& node) {
  fold_binary(node, {wrapping_sub, [](float a, float b) { return a - b; }});
}
void fold_mul(NodeContext& node) {
  fold_binary(node, {wrapping_mul, [](float a, float b) { return a * b; }});
}
void fold_div(NodeContext& node) {
  fold_binary(node, {divided, [](float a, float b) { return a / b; }});
}

void fold_mod(NodeContext& node) {
  const bool as_in_c = node.flag("fmod", false);
  if (!as_in_c && node.constant(0, "operand").is_float()) {
    fail(ErrorCode::kCorrupt, "floating-point operands require attribute 'fmod' = 1");
  }
  fold_binary(
      node, {as_in_c ? c_modulo : python_modulo, [](float a, float b) { return std::fmod(a, b); }});
}

void fold_min(NodeContext& node) {
  fold_variadic(node, {[](int64_t a, int64_t b) { return std::min(a, b); },
                       [](float a, float b) { return std::min(a, b); }});
}
void fold_max(NodeContext& node) {
  fold_variadic(node, {[](int64_t a, int64_t b) { return std::max(a, b); },
                       [](float a, float b) { return std::max(a, b); }});
}

void fold_equal(NodeContext& node) {
  fold_comparison(
      node, {[](int64_t a, int64_t b) { return a == b; }, [](float a, float b) { return a == b; }});
}
void fold_less(NodeContext& node) {
  fold_comparison(
      node, {[](int64_t a, int64_t b) { return a < b; }, [](float a, float b) { return a < b; }});
}
void fold_greater(NodeContext& node) {
  fold_comparison(
      node, {[](int64_t a, int64_t b) { return a > b; }, [](float a, float b) { return a > b; }});
}

void fold_and(NodeContext& node) {
  fold_logic(node, [](int64_t a, int64_t b) { return a & b; });
}
void fold_or(NodeContext& node) {
  fold_logic(node, [](int64_t a, int64_t b) { return a | b; });
}
void fold_not(NodeContext& node) {
  require_bool(node, 0);
  fold_unary(node, {[](int64_t a) -> int64_t { return a == 0 ? 1 : 0; }, nullptr});
}

void fold_neg(NodeContext& node) {
  fold_unary(node, {[](int64_t a) { return wrapping_sub(0, a); }, [](float a) { return -a; }});
}
void fold_abs(NodeContext& node) {
  fold_unary(node, {[](int64_t a) { return a < 0 ? wrapping_sub(0, a) : a; },
                    [](float a) { return std::abs(a); }});
}
void fold_floor(NodeContext& node) {
  fold_floats(node, [](float a) { return std::floor(a); });
}
void fold_ceil(NodeContext& node) {
  fold_floats(node, [](float a) { return std::ceil(a); });
}
void fold_sqrt(NodeContext& node) {
  fold_floats(node, [](float a) { return std::sqrt(a); });
}

void fold_cast(NodeContext& node) {
  const Array& from = node.constant(0, "operand");
  const auto to = static_cast<ElementType>(node.integer("to", 0));
  if (node.version() >= 19) node.flag("saturate", true);
  if (node.version() >= 24) node.text("round_mode", "up");
  if (!is_readable(to)) node.refuse("to {} is not supported", to_string(to));
  Array result = make_array(to, from.dims);
  for (int64_t i = 0; i < from.size(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (result.is_float()) {
      const float value = from.is_float() ? from.floats[at] : static_cast<float>(from.ints[at]);
      result.floats[at] = rounded_to(value, to);
    } else {
      result.ints[at] =
          from.is_float() ? integer_of(from.floats[at], to) : wrapped(from.ints[at], to);
    }
  }
  node.set_constant(std::move(result));
}

void fold_where(NodeContext& node) {
  const Array& condition = node.constant(0, "condition");
  const Array &a = node.constant(1, "operand"), &b = node.constant(2, "operand");
  need_same_type(a, b);
  if (condition.is_float()) fail(ErrorCode::kCorrupt, "the condition is {}", to_string(condition));
  const Dims dims = broadcast_dims(condition.dims, broadcast_dims(a.dims, b.dims));
  Array result = make_array(a.type, dims, true);
  for (int64_t i = 0; i < result.size(); ++i) {
    const auto at = static_cast<size_t>(i);
    const auto of_condition = static_cast<size_t>(broadcast_index(i, condition.dims, dims));
    const Array& chosen = condition.ints[of_condition] != 0 ? a : b;
    const auto from = static_cast<size_t>(broadcast_index(i, chosen.dims, dims));
    if (result.is_float()) {
      result.floats[at] = chosen.floats[from];
    } else {
      result.ints[at] = chosen.ints[from];
    }
  }
  node.set_constant(std::move(result));
}

// Over all elements only, which is what shape computations use.
void fold_reduce_prod(NodeContext& node) {
  const Array& from = node.constant(0, "operand");
  const bool keep = node.flag("keepdims", true);
  const bool keeps_all = node.version() >= 18 && node.flag("noop_with_empty_axes", false);
  const Dims axes = node.integer_list("axes", 1).value_or(Dims{});
  if (keeps_all && axes.empty()) return node.set_same(node.shared_input(0));
  if (from.dims.size() > 1 || (from.dims.empty() && !axes.empty())) {
    node.refuse("the input is {}, supported are lists", to_string(from));
  }
  for (int64_t axis : axes) node.axis(axis, 1);
  Array result = make_array(from.type, keep ? Dims(from.dims.size(), 1) : Dims{});
  float product = 1;
  int64_t integer_product = 1;
  for (float value : from.floats) product *= value;
  for (int64_t value : from.ints) integer_product = wrapping_mul(integer_product, value);
  if (result.is_float()) {
    result.floats[0] = product;
  } else {
    result.ints[0] = wrapped(integer_product, result.type);
  }
  node.set_constant(std::move(result));
}

}  // namespace vta::onnx
