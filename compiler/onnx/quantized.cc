// SPDX-License-Identifier: Apache-2.0
//
// Operators on quantized tensors. A tensor of 8 bits with one scale becomes int8 in the graph, and
// operators on such tensors become operators on real numbers between dequantize and quantize, which
// compiler/quantize merges to integer operators. All others are integers held in float32, computed
// by ONNX's formulas: exact up to 2^24, and rounded half to even as in ONNX. drop_quantization.cc
// recognizes the operators of quantize_linear() and dequantize_linear() on them.
#include "compiler/onnx/quantized.h"

#include <algorithm>
#include <cmath>

#include "base/errors/counted.h"
#include "compiler/onnx/fold.h"
#include "compiler/onnx/operator_table.h"
#include "compiler/onnx/window.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

NodeId clipped(NodeContext& node, NodeId x, double low, double high) {
  return node.add(OpKind::kClip, {x}, Attrs<OpKind::kClip>(attr::lo{low}, attr::hi{high}));
}

bool is_quantized(ElementType type) { return is_small_integer(type) && type != ElementType::kBool; }

// The type of a result.
void need_quantized(const NodeContext& node, ElementType type) {
  if (!is_quantized(type)) {
    node.refuse("quantized type {}, supported are integers of up to 16 bits", to_string(type));
  }
}

void need_zero_type(const NodeContext& node, size_t index, const Quantization& from) {
  const Value& value = node.input(index);
  if (from.type != value.type) {
    fail(ErrorCode::kCorrupt, "input {} ('{}') is {}, but its zero point {}", index,
         printable(value.name), to_string(value.type), to_string(from.type));
  }
}

// Integers of up to 16 bits, with a zero point of their type. Sums of other products may be beyond
// the type that the model gives them.
void need_quantized(const NodeContext& node, size_t index, const Quantization& from) {
  const Value& value = node.input(index);
  if (!is_quantized(value.type)) {
    node.refuse("input {} ('{}') has element type {}, supported are integers of up to 16 bits",
                index, printable(value.name), to_string(value.type));
  }
  need_zero_type(node, index, from);
}

NodeId quantized_operand(NodeContext& node, size_t index, const Quantization& from) {
  need_quantized(node, index, from);
  return node.small_operand(index);
}

// Reshapes scales or zero points to broadcast to a tensor of `dims`: one number for all, one per
// slice along `axis`, or one per block of `block_size` along it.
NodeId spread(NodeContext& node, const Array& values, const Dims& dims, int64_t axis,
              int64_t block_size) {
  if (values.size() == 1) return node.add_constant(to_tensor(values).reshaped({1}));
  const auto at = static_cast<size_t>(node.axis(axis, static_cast<int64_t>(dims.size())));
  if (block_size == 0) {
    if (values.dims.size() != 1 || values.dims[0] != dims[at]) {
      fail(ErrorCode::kCorrupt, "scale or zero point {} does not match axis {} of [{}]",
           to_string(values), axis, fmt::join(dims, ", "));
    }
    Dims shape(dims.size(), 1);
    shape[at] = dims[at];
    return node.add_constant(to_tensor(values).reshaped(shape));
  }
  Dims blocks = dims;
  blocks[at] = (dims[at] + block_size - 1) / block_size;
  if (values.dims != blocks) {
    fail(ErrorCode::kCorrupt, "scale or zero point {} does not match the blocks of [{}]",
         to_string(values), fmt::join(blocks, ", "));
  }
  return node.add_constant(to_tensor(gathered(values, dims, [&](int64_t i) {
    Dims indices = unraveled(i, dims);
    indices[at] /= block_size;
    return raveled(indices, blocks);
  })));
}

struct Layout {
  int64_t axis = 1;
  int64_t block_size = 0;
};

Layout read_layout(NodeContext& node) {
  Layout layout;
  const bool is_contrib = node.def().domain == kContribDomain;  // has an axis in its only version
  if (node.version() >= 13 || is_contrib) layout.axis = node.integer("axis", 1);
  if (node.version() >= 21) layout.block_size = node.integer("block_size", 0);
  constexpr int64_t kMaxBlock = int64_t{1} << 31;
  if (layout.block_size < 0 || layout.block_size > kMaxBlock) {
    fail(ErrorCode::kCorrupt, "block_size is {}", layout.block_size);
  }
  return layout;
}

// x - zero point.
NodeId centred(NodeContext& node, NodeId x, const Quantization& from, const Layout& layout) {
  if (from.is_zero_free()) return x;
  const NodeId zero = spread(node, from.zero, node.shape_of(x), layout.axis, layout.block_size);
  return node.add(OpKind::kSub, {x, zero});
}

// The quantized value of `quotient` = real / scale: rounded, plus the zero point, clipped.
NodeId saturated(NodeContext& node, NodeId quotient, const Quantization& to, const Layout& layout) {
  NodeId result = node.unary(UnaryFunction::kRound, quotient);
  if (!to.is_zero_free()) {
    const NodeId zero =
        spread(node, to.zero, node.shape_of(result), layout.axis, layout.block_size);
    result = node.add(OpKind::kAdd, {result, zero});
  }
  return clipped(node, result, static_cast<double>(lowest(to.type)),
                 static_cast<double>(highest(to.type)));
}

// sx * sw / sy in float32, one number per output channel, broadcast along `axis` of `dims`.
NodeId multiplier(NodeContext& node, const Quantization& x, const Quantization& w,
                  const Quantization& y, const Dims& dims, int64_t axis) {
  if (!x.is_per_tensor() || !y.is_per_tensor()) {
    node.refuse("scales of shape {} and {}, supported are scalars", to_string(x.scale),
                to_string(y.scale));
  }
  Array factors = w.scale;
  factors.type = ElementType::kFloat;
  for (float& factor : factors.floats) {
    factor = x.scale.floats[0] * factor / y.scale.floats[0];
  }
  return spread(node, factors, dims, axis, 0);
}

struct IntegerConv {
  Dims image;
  NodeId x = -1, w = -1;
  Attrs<OpKind::kConv2d> attrs;
};

IntegerConv read_integer_conv(NodeContext& node, size_t w_input, const Quantization& x,
                              const Quantization& w) {
  IntegerConv conv;
  conv.image = image_dims(node, node.input(0).dims, "input 0");
  const Dims weights = image_dims(node, node.input(w_input).dims, "the weights");
  conv.x = node.reshaped(quantized_operand(node, 0, x), conv.image);
  conv.w = node.reshaped(quantized_operand(node, w_input, w), weights);
  conv.attrs = read_window(node, conv.image, {weights[2], weights[3]});
  conv.attrs.groups = node.integer("group", 1);
  return conv;
}

// Biases: int32 constants.
NodeId bias_operand(NodeContext& node, size_t index, double scale) {
  Array bias = node.constant(index, "bias");
  if (bias.is_float()) fail(ErrorCode::kCorrupt, "bias is {}", to_string(bias));
  Tensor values = to_tensor(bias);
  for (float& value : values.mutable_data<float>()) value = static_cast<float>(value * scale);
  return node.add_constant(std::move(values));
}

// One number per row of a matrix is along axis -2, per column along axis -1.
NodeId centred_matrix(NodeContext& node, size_t index, const Quantization& from, bool by_rows) {
  const NodeId x = quantized_operand(node, index, from);
  if (node.rank(index) < 2)
    node.refuse("input {} has {}", index, counted(node.rank(index), "axis"));
  return centred(node, x, from, {.axis = by_rows ? -2 : -1});
}

// `fallback`: the type if there is no zero point.
Quantization zero_only(NodeContext& node, size_t zero_input, ElementType fallback) {
  Quantization result;
  result.type = fallback;
  if (!node.has_input(zero_input)) return result;
  result.zero = node.constant(zero_input, "zero point");
  result.type = result.zero.type;
  if (result.zero.is_float() || result.zero.size() == 0) {
    fail(ErrorCode::kCorrupt, "zero point {}", to_string(result.zero));
  }
  return result;
}

// Input `index`, of 8 bits, as int8 in the graph.
NodeId level_operand(NodeContext& node, size_t index) {
  const NodeId x = node.operand(index);
  if (node.dtype_of(x) == DType::kInt8) return x;
  // Integers in float32.
  const Attrs<OpKind::kQuantize> numbers(attr::unit{1},
                                         attr::zero{zero_level(node.input(index).type)});
  return node.add(OpKind::kQuantize, {x}, numbers);
}

// Biases, which have the scale of the products of x and w.
std::shared_ptr<Value> real_bias(NodeContext& node, size_t index, const Quantization& x,
                                 const Quantization& w) {
  const NodeId bias = bias_operand(node, index, x.scale.floats[0]);
  return real_value(
      node.add(OpKind::kMul, {bias, spread(node, w.scale, node.shape_of(bias), 0, 0)}),
      node.input(index).dims);
}

bool are_levels(const Quantization& x, const Quantization& y) { return x.levels() && y.levels(); }

}  // namespace

std::optional<Attrs<OpKind::kQuantize>> Quantization::levels() const {
  if ((type != ElementType::kInt8 && type != ElementType::kUint8) || scale.size() != 1)
    return std::nullopt;
  return Attrs<OpKind::kQuantize>(
      attr::unit{scale.floats[0]},
      attr::zero{zero_level(type) + (zero.ints.empty() ? 0 : zero.ints[0])});
}

Quantization read_quantization(NodeContext& node, size_t scale_input, size_t zero_input,
                               ElementType fallback) {
  Quantization result;
  result.type = fallback;
  result.scale = node.constant(scale_input, "scale");
  if (!result.scale.is_float() || result.scale.size() == 0) {
    fail(ErrorCode::kCorrupt, "input {} (scale) is {}", scale_input, to_string(result.scale));
  }
  for (float scale : result.scale.floats) {
    if (!(scale > 0 && std::isfinite(scale))) {
      fail(ErrorCode::kCorrupt, "input {} (scale) is {}, expected a finite value above 0",
           scale_input, scale);
    }
  }
  if (node.has_input(zero_input)) {
    result.zero = node.constant(zero_input, "zero point");
    result.type = result.zero.type;
    if (result.zero.is_float() || result.zero.size() != result.scale.size()) {
      fail(ErrorCode::kCorrupt, "zero point {} does not match scale {}", to_string(result.zero),
           to_string(result.scale));
    }
  }
  return result;
}

std::shared_ptr<Value> real_value(NodeId id, Dims dims) {
  auto value = std::make_shared<Value>();
  value->type = ElementType::kFloat;
  value->dims = std::move(dims);
  value->node = id;
  return value;
}

std::shared_ptr<Value> real_input(NodeContext& node, size_t index, const Quantization& from,
                                  int64_t axis) {
  need_quantized(node, index, from);
  const std::optional<Attrs<OpKind::kQuantize>> levels = from.levels();
  if (levels && !node.is_known(index)) {
    return real_value(node.add(OpKind::kDequantize, {level_operand(node, index)}, *levels),
                      node.input(index).dims);
  }
  const Layout layout{.axis = axis};
  const NodeId x = centred(node, node.small_operand(index), from, layout);
  const NodeId scale = spread(node, from.scale, node.shape_of(x), axis, 0);
  return real_value(node.add(OpKind::kMul, {x, scale}), node.input(index).dims);
}

void set_levels(NodeContext& node, NodeId real, const Quantization& to) {
  const Dims dims = node.shape_of(real);
  node.set_result(node.add(OpKind::kQuantize, {real}, to.levels().value()), to.type, dims);
}

std::shared_ptr<Value> real_bias_input(NodeContext& node, size_t index, const Quantization& x,
                                       const Quantization& w) {
  return node.has_input(index) ? real_bias(node, index, x, w) : nullptr;
}

void quantize_linear(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Layout layout = read_layout(node);
  const auto given =
      static_cast<ElementType>(node.version() >= 21 ? node.integer("output_dtype", 0) : int64_t{0});
  if (node.version() >= 19) node.flag("saturate", true);  // for float8 only
  if (node.version() >= 23) node.integer("precision", 0);
  const Quantization to =
      read_quantization(node, 1, 2, given == ElementType::kUndefined ? ElementType::kUint8 : given);
  need_quantized(node, to.type);
  const Dims& dims = node.input(0).dims;
  // Constants are rounded now.
  const std::optional<Attrs<OpKind::kQuantize>> levels =
      node.is_constant(x) ? std::nullopt : to.levels();
  if (levels) return node.set_result(node.add(OpKind::kQuantize, {x}, *levels), to.type, dims);
  const NodeId scale = spread(node, to.scale, node.shape_of(x), layout.axis, layout.block_size);
  const NodeId quotient = node.add(OpKind::kDiv, {x, scale});
  node.set_result(saturated(node, quotient, to, layout), to.type, dims);
}

void dequantize_linear(NodeContext& node) {
  const Layout layout = read_layout(node);
  const Value& input = node.input(0);
  if (node.version() >= 23) node.integer("output_dtype", 0);
  const Quantization from = read_quantization(node, 1, 2, input.type);
  const Dims dims = input.dims;
  // Biases: constants of type int32.
  const bool is_bias = input.type == ElementType::kInt32 && node.is_known(0);
  is_bias ? need_zero_type(node, 0, from) : need_quantized(node, 0, from);
  if (!is_bias && from.levels() && !node.is_known(0)) {
    return node.set_result(real_input(node, 0, from, 0)->node, from.scale.type, dims);
  }
  NodeId x = is_bias ? bias_operand(node, 0, 1) : node.small_operand(0);
  x = centred(node, x, from, layout);
  const NodeId scale = spread(node, from.scale, node.shape_of(x), layout.axis, layout.block_size);
  node.set_result(node.add(OpKind::kMul, {x, scale}), from.scale.type, dims);
}

void conv(NodeContext& node);
void matmul(NodeContext& node);

void qlinear_conv(NodeContext& node) {
  const Quantization x = read_quantization(node, 1, 2, node.input(0).type),
                     w = read_quantization(node, 4, 5, node.input(3).type),
                     y = read_quantization(node, 6, 7, ElementType::kUint8);
  need_quantized(node, y.type);
  if (are_levels(x, y) && node.is_known(3)) {
    const NodeId result = node.import_as(
        conv, 11,
        {real_input(node, 0, x, 0), real_input(node, 3, w, 0), real_bias_input(node, 8, x, w)});
    return set_levels(node, result, y);
  }
  const IntegerConv sum = read_integer_conv(node, 3, x, w);
  std::vector<NodeId> operands = {centred(node, sum.x, x, {}),
                                  centred(node, sum.w, w, {.axis = 0})};
  if (node.has_input(8)) operands.push_back(bias_operand(node, 8, 1));
  const NodeId sums = node.add(OpKind::kConv2d, operands, sum.attrs);
  const NodeId factor = multiplier(node, x, w, y, node.shape_of(sums), 1);
  const NodeId result = saturated(node, node.add(OpKind::kMul, {sums, factor}), y, {});
  set_image_result(node, result, y.type);
}

void qlinear_matmul(NodeContext& node) {
  const Quantization a = read_quantization(node, 1, 2, node.input(0).type),
                     b = read_quantization(node, 4, 5, node.input(3).type),
                     y = read_quantization(node, 6, 7, ElementType::kUint8);
  need_quantized(node, y.type);
  if (are_levels(a, y) && node.is_known(3)) {
    const NodeId result =
        node.import_as(matmul, 13, {real_input(node, 0, a, 0), real_input(node, 3, b, -1)});
    return set_levels(node, result, y);
  }
  const NodeId sums = node.add(
      OpKind::kMatmul, {centred_matrix(node, 0, a, true), centred_matrix(node, 3, b, false)});
  const NodeId factor = multiplier(node, a, b, y, node.shape_of(sums), -1);
  node.set_result(saturated(node, node.add(OpKind::kMul, {sums, factor}), y, {}), y.type);
}

void conv_integer(NodeContext& node) {
  const Quantization x = zero_only(node, 2, node.input(0).type),
                     w = zero_only(node, 3, node.input(1).type);
  const IntegerConv conv = read_integer_conv(node, 1, x, w);
  const NodeId sums =
      node.add(OpKind::kConv2d,
               {centred(node, conv.x, x, {}), centred(node, conv.w, w, {.axis = 0})}, conv.attrs);
  set_image_result(node, sums, ElementType::kInt32);
}

void matmul_integer(NodeContext& node) {
  const Quantization a = zero_only(node, 2, node.input(0).type),
                     b = zero_only(node, 3, node.input(1).type);
  node.set_result(node.add(OpKind::kMatmul,
                           {centred_matrix(node, 0, a, true), centred_matrix(node, 1, b, false)}),
                  ElementType::kInt32);
}

void dynamic_quantize_linear(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims dims = node.input(0).dims;
  const NodeId flat = node.reshaped(x, {1, 1, 1, num_elems(dims)});
  const auto extreme = [&](NodeId values) {
    return node.reshaped(node.add(OpKind::kGlobalMaxPool2d, {values}), {1});
  };
  const NodeId zero = node.add_scalar(0);
  // The range includes 0, so that 0 is exact.
  const NodeId high = node.add(OpKind::kMax, {extreme(flat), zero});
  const NodeId negated = node.add(OpKind::kSub, {zero, flat});
  const NodeId minus_low = node.add(OpKind::kMax, {extreme(negated), zero});
  const NodeId range = node.add(OpKind::kAdd, {high, minus_low});
  // 1 if all numbers are 0.
  const NodeId is_zero = node.binary(BinaryFunction::kEqual, range, zero);
  const NodeId scale =
      node.add(OpKind::kAdd, {node.add(OpKind::kDiv, {range, node.add_scalar(255)}), is_zero});
  const NodeId zero_point = node.unary(
      UnaryFunction::kRound, clipped(node, node.add(OpKind::kDiv, {minus_low, scale}), 0, 255));
  const NodeId moved =
      node.add(OpKind::kAdd,
               {node.unary(UnaryFunction::kRound, node.add(OpKind::kDiv, {x, scale})), zero_point});
  node.set_result(clipped(node, moved, 0, 255), ElementType::kUint8, dims, 0);
  node.set_result(scale, ElementType::kFloat, {}, 1);
  node.set_result(zero_point, ElementType::kUint8, {}, 2);
}

}  // namespace vta::onnx
