// SPDX-License-Identifier: Apache-2.0
//
// Operators of QONNX: Quant, BipolarQuant and Trunc, which Brevitas, QKeras and FINN write. Each
// rounds real numbers to few levels, by the formulas of QONNX's documentation
// (docs/qonnx-custom-ops of github.com/fastmachinelearning/qonnx):
//
//   Quant          (round(clip(x / scale + zero, low, high)) - zero) * scale
//   BipolarQuant   x >= 0 ? scale : -scale
//   Trunc          (round(clip(round(x / scale + zero) / 2^n)) - zero / 2^n) * result's scale
//
// Levels of one scale and at most 8 bits become quantize and dequantize, which compiler/quantize
// merges with the layers around them. What they cannot round (directions other than to nearest) is
// computed in float32 before them. Constants are rounded now.
#include <cmath>
#include <optional>
#include <utility>

#include "compiler/onnx/quantized.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

constexpr int64_t kMaxBits = 16, kMaxConstantBits = 32;  // 32: of biases

// Integers of a signed or unsigned type of `bits`; `narrow` ones lack the last level.
struct Limits {
  int64_t low = 0, high = 0;
};

Limits limits_of(NodeContext& node, int64_t bits) {
  const bool is_signed = node.flag("signed", true), is_narrow = node.flag("narrow", false);
  const int64_t narrowed = is_narrow ? 1 : 0;
  if (!is_signed) return {0, (int64_t{1} << bits) - 1 - narrowed};
  const int64_t half = int64_t{1} << (bits - 1);
  return {narrowed - half, half - 1};
}

// A scale or zero point: one number without axes, or one per slice, which broadcasts to x.
Array read_numbers(NodeContext& node, size_t index, const char* what) {
  Array array = node.constant(index, what);
  if (array.size() == 0) fail(ErrorCode::kCorrupt, "{} {} is empty", what, to_string(array));
  const Dims& x = node.input(0).dims;
  bool fits = array.dims.size() <= x.size() || array.size() == 1;
  for (size_t i = 0; fits && array.size() > 1 && i < array.dims.size(); ++i) {
    const int64_t size = array.dims[array.dims.size() - 1 - i];
    fits = size == 1 || size == x[x.size() - 1 - i];
  }
  if (!fits) {
    fail(ErrorCode::kCorrupt, "{} {} does not broadcast to x, [{}]", what, to_string(array),
         fmt::join(x, ", "));
  }
  Array numbers{ElementType::kFloat, array.size() == 1 ? Dims{} : array.dims, {}, {}};
  for (int64_t i = 0; i < array.size(); ++i)
    numbers.floats.push_back(static_cast<float>(array.at(i)));
  return numbers;
}

Array read_scale(NodeContext& node, size_t index) {
  Array scale = read_numbers(node, index, "scale");
  for (float number : scale.floats) {
    if (!(number > 0 && std::isfinite(number)))
      fail(ErrorCode::kCorrupt, "scale is {}, expected a finite value above 0", number);
  }
  return scale;
}

Array read_zero(NodeContext& node, size_t index) {
  Array zero = read_numbers(node, index, "zero point");
  for (float number : zero.floats) {
    if (number != std::floor(number) || std::abs(number) > 0x1p24F) {
      node.refuse(
          "zero point {}, supported are integers; export the model with integer zero points",
          number);
    }
  }
  return zero;
}

int64_t read_bits(NodeContext& node, size_t index, bool is_constant) {
  const Array array = node.constant(index, "bit width");
  const int64_t most = is_constant ? kMaxConstantBits : kMaxBits;
  if (array.size() != 1)
    node.refuse("bit width {}, supported is one for the whole tensor", to_string(array));
  const double bits = array.at(0);
  if (bits != std::floor(bits) || bits < 1 || bits > static_cast<double>(most)) {
    node.refuse(
        "bit width {}, supported are integers from 1 to {}, for constants to {}; on the core up to "
        "8: train the tensor with fewer bits",
        bits, kMaxBits, kMaxConstantBits);
  }
  return static_cast<int64_t>(bits);
}

struct Rounding {
  const char* name;
  NodeId (*apply)(NodeContext& node, NodeId x);
};

template <UnaryFunction function>
NodeId directly(NodeContext& node, NodeId x) {
  return node.unary(function, x);
}

// Symmetric about 0: `function` of the magnitude plus `addend`.
template <UnaryFunction function, int halves>
NodeId by_magnitude(NodeContext& node, NodeId x) {
  NodeId magnitude = node.unary(UnaryFunction::kAbsolute, x);
  if (halves != 0) magnitude = node.add(OpKind::kAdd, {magnitude, node.add_scalar(halves / 2.0)});
  return node.add(OpKind::kMul,
                  {node.unary(UnaryFunction::kSign, x), node.unary(function, magnitude)});
}

constexpr const char* kToNearest = "ROUND";
constexpr Rounding kRoundings[] = {
    {kToNearest, directly<UnaryFunction::kRound>},
    {"HALF_EVEN", directly<UnaryFunction::kRound>},
    {"CEIL", directly<UnaryFunction::kCeil>},
    {"FLOOR", directly<UnaryFunction::kFloor>},
    {"UP", by_magnitude<UnaryFunction::kCeil, 0>},
    {"DOWN", by_magnitude<UnaryFunction::kFloor, 0>},
    {"HALF_UP", by_magnitude<UnaryFunction::kFloor, 1>},
    {"HALF_DOWN", by_magnitude<UnaryFunction::kCeil, -1>},
};

const Rounding& read_rounding(NodeContext& node, const char* fallback) {
  std::string name = node.text("rounding_mode", fallback);
  for (char& letter : name) letter = static_cast<char>(std::toupper(letter));
  for (const Rounding& rounding : kRoundings) {
    if (name == rounding.name) return rounding;
  }
  node.refuse(
      "rounding_mode '{}', supported are ROUND, HALF_EVEN, CEIL, FLOOR, UP, DOWN, HALF_UP and "
      "HALF_DOWN",
      name);
}

NodeId clipped(NodeContext& node, NodeId x, double low, double high) {
  return node.add(OpKind::kClip, {x}, Attrs<OpKind::kClip>(attr::lo{low}, attr::hi{high}));
}

NodeId constant_of(NodeContext& node, const Array& array) {
  return node.add_constant(to_tensor(array));
}

// Real numbers as levels of one scale, and back.
NodeId paired(NodeContext& node, NodeId x, const Attrs<OpKind::kQuantize>& levels) {
  return node.add(OpKind::kDequantize, {node.add(OpKind::kQuantize, {x}, levels)}, levels);
}

// The levels of tensors with one scale and zero point in int8. nullopt for others.
std::optional<Attrs<OpKind::kQuantize>> int8_levels(const Array& scale, const Array& zero,
                                                    const Limits& limits) {
  constexpr int64_t kInt8Low = -128, kInt8High = 127, kUint8Offset = 128;
  if (scale.size() != 1 || zero.size() != 1) return std::nullopt;
  const int64_t offset = limits.high > kInt8High ? kUint8Offset : 0;
  if (limits.low - offset < kInt8Low || limits.high - offset > kInt8High) return std::nullopt;
  const int64_t level = static_cast<int64_t>(zero.floats[0]) - offset;
  if (level < kInt8Low || level > kInt8High) return std::nullopt;
  return Attrs<OpKind::kQuantize>(attr::unit{scale.floats[0]}, attr::zero{level});
}

// QONNX rounds x / scale + zero, ties to even, quantize x / scale: only for an even zero point do
// all ties agree. Layers round ties up, so that their results need no more.
bool rounds_equally(const NodeContext& node, NodeId x, const Attrs<OpKind::kQuantize>& levels) {
  return levels.zero % 2 == 0 || node.graph_node(x).kind != OpKind::kInput;
}

bool is_zero(const Array& zero) {
  return std::ranges::all_of(zero.floats, [](float number) { return number == 0; });
}

// x / scale + zero.
NodeId leveled(NodeContext& node, NodeId x, const Array& scale, const Array& zero) {
  const NodeId quotient = node.add(OpKind::kDiv, {x, constant_of(node, scale)});
  return is_zero(zero) ? quotient : node.add(OpKind::kAdd, {quotient, constant_of(node, zero)});
}

// (levels - zero) * scale.
NodeId real_of(NodeContext& node, NodeId levels, const Array& scale, const Array& zero) {
  if (!is_zero(zero)) levels = node.add(OpKind::kSub, {levels, constant_of(node, zero)});
  return node.add(OpKind::kMul, {levels, constant_of(node, scale)});
}

// 1 where x >= 0, else -1.
NodeId sign_of(NodeContext& node, NodeId x) {
  const NodeId is_positive = node.binary(BinaryFunction::kGreaterOrEqual, x, node.add_scalar(0));
  const NodeId twice = node.add(OpKind::kMul, {is_positive, node.add_scalar(2)});
  return node.add(OpKind::kSub, {twice, node.add_scalar(1)});
}

// Real numbers that are levels already, if an integer layer can read them: it reads these.
void set_levels_if_any(NodeContext& node, NodeId real,
                       const std::optional<Attrs<OpKind::kQuantize>>& levels) {
  const Dims dims = node.input(0).dims;
  const bool pairs = levels && !node.is_constant(real);
  node.set_result(pairs ? paired(node, real, *levels) : real, ElementType::kFloat, dims);
}

}  // namespace

void qonnx_quant(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Array scale = read_scale(node, 1), zero = read_zero(node, 2);
  const int64_t bits = read_bits(node, 3, node.is_constant(x));
  const Rounding& rounding = read_rounding(node, kToNearest);
  // One bit with a sign is 1 and -1, as in QONNX's implementation.
  const bool is_bipolar = bits == 1 && node.flag("signed", true);
  const Limits limits = is_bipolar ? Limits{-1, 1} : limits_of(node, bits);
  if (is_bipolar) node.flag("narrow", false);
  const std::optional<Attrs<OpKind::kQuantize>> levels = int8_levels(scale, zero, limits);
  const bool is_nearest = rounding.apply == kRoundings[0].apply && !is_bipolar;
  if (levels && is_nearest && !node.is_constant(x) && rounds_equally(node, x, *levels)) {
    const auto real = [&](int64_t level) {
      return scale.floats[0] * (static_cast<double>(level) - zero.floats[0]);
    };
    const bool is_full = limits.high - limits.low == UINT8_MAX;  // quantize clips
    const NodeId limited = is_full ? x : clipped(node, x, real(limits.low), real(limits.high));
    return node.set_result(paired(node, limited, *levels), ElementType::kFloat, node.input(0).dims);
  }
  NodeId result = leveled(node, x, scale, zero);
  if (is_bipolar) {
    result = sign_of(node, result);
  } else {
    result = clipped(node, rounding.apply(node, result), static_cast<double>(limits.low),
                     static_cast<double>(limits.high));
  }
  set_levels_if_any(node, real_of(node, result, scale, zero), levels);
}

void qonnx_bipolar_quant(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Array scale = read_scale(node, 1);
  const Array none{ElementType::kFloat, {}, {0}, {}};
  const NodeId result = node.add(OpKind::kMul, {sign_of(node, x), constant_of(node, scale)});
  set_levels_if_any(node, result, int8_levels(scale, none, {-1, 1}));
}

// The first definition has the scale, the zero point, the bits of x and those of the result; it
// does not clip, and the scale stays. The second one has the result's scale, zero point (not used)
// and bits; it clips to the result's type.
void qonnx_trunc(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  constexpr const char* kOneScale = "one number; export the model with one scale for the tensor";
  const Array scale = read_scale(node, 1), zero = read_zero(node, 2);
  if (scale.size() != 1 || zero.size() != 1)
    node.refuse("scale {} and zero point {}, supported is {}", to_string(scale), to_string(zero),
                kOneScale);
  const bool has_result_scale = node.num_inputs() > 5;
  const int64_t from_bits = read_bits(node, 3, true);
  const int64_t bits = read_bits(node, has_result_scale ? 6 : 4, false);
  const Array to = has_result_scale ? read_scale(node, 4) : scale;
  if (to.size() != 1) node.refuse("result's scale {}, supported is {}", to_string(to), kOneScale);
  const Rounding& rounding = read_rounding(node, "FLOOR");
  const double shift = has_result_scale ? std::round(std::log2(to.floats[0] / scale.floats[0]))
                                        : static_cast<double>(from_bits - bits);
  NodeId levels = node.unary(UnaryFunction::kRound, leveled(node, x, scale, zero));
  levels = node.add(OpKind::kMul, {levels, node.add_scalar(std::exp2(-shift))});
  // Without a clip the sign is not known: fewer bits fit int8 with either.
  Limits limits{-64, 127};
  if (has_result_scale) {
    limits = limits_of(node, bits);
    levels =
        clipped(node, levels, static_cast<double>(limits.low), static_cast<double>(limits.high));
  }
  levels = rounding.apply(node, levels);
  Array result_zero = zero;
  if (has_result_scale) result_zero.floats[0] *= static_cast<float>(std::exp2(-shift));
  const bool is_integer = result_zero.floats[0] == std::floor(result_zero.floats[0]);
  const bool fits = is_integer && (has_result_scale || bits < 8);
  set_levels_if_any(node, real_of(node, levels, to, result_zero),
                    fits ? int8_levels(to, result_zero, limits) : std::nullopt);
}

void qonnx_float_quant(NodeContext& node) {
  node.refuse(
      "floating-point levels have no integer form; train with integer quantization (Quant)");
}

}  // namespace vta::onnx
