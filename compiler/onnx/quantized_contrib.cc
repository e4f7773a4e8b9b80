// SPDX-License-Identifier: Apache-2.0
//
// Quantized operators of ONNX Runtime's domain (com.microsoft): each is the operator on real
// numbers between dequantize and quantize.
#include "compiler/onnx/quantized.h"

namespace vta::onnx {

// Import functions of the operators on real numbers.
void add(NodeContext& node);
void average_pool(NodeContext& node);
void concat(NodeContext& node);
void dequantize_linear(NodeContext& node);
void gemm(NodeContext& node);
void global_average_pool(NodeContext& node);
void leaky_relu(NodeContext& node);
void matmul(NodeContext& node);
void mul(NodeContext& node);
void quantize_linear(NodeContext& node);
void sigmoid(NodeContext& node);
void softmax(NodeContext& node);

namespace {

using graph::NodeId;

constexpr int64_t kVersion =
    11;  // of operators on real numbers, if their newer versions add nothing

Quantization read_levels(NodeContext& node, size_t scale_input, size_t zero_input,
                         ElementType fallback) {
  Quantization result = read_quantization(node, scale_input, zero_input, fallback);
  if (!result.levels()) {
    node.refuse("quantized type {} with scales {}, supported are 8 bits with one scale",
                to_string(result.type), to_string(result.scale));
  }
  return result;
}

// Input `index` as real numbers; its scale and zero point are the next two inputs.
std::shared_ptr<Value> real_triple(NodeContext& node, size_t index) {
  return real_input(node, index, read_levels(node, index + 1, index + 2, node.input(index).type),
                    0);
}

// An operator on one tensor: x, its scale and zero point, the result's scale and zero point.
void import_unary(NodeContext& node, void (*function)(NodeContext&), int64_t version = kVersion) {
  const Quantization to = read_levels(node, 3, 4, node.input(0).type);
  set_levels(node, node.import_as(function, version, {real_triple(node, 0)}), to);
}

void import_binary(NodeContext& node, void (*function)(NodeContext&)) {
  const Quantization to = read_levels(node, 6, 7, node.input(0).type);
  set_levels(node, node.import_as(function, 13, {real_triple(node, 0), real_triple(node, 3)}), to);
}

void refuse_channels_last(NodeContext& node) {
  if (node.integer("channels_last", 0) != 0) node.refuse("channels_last is not supported");
}

}  // namespace

void contrib_add(NodeContext& node) { import_binary(node, add); }
void contrib_mul(NodeContext& node) { import_binary(node, mul); }
void contrib_sigmoid(NodeContext& node) { import_unary(node, sigmoid); }
void contrib_leaky_relu(NodeContext& node) { import_unary(node, leaky_relu); }

void contrib_softmax(NodeContext& node) {
  const int64_t opset = node.integer("opset", 13);
  import_unary(node, softmax, opset >= 13 ? 13 : kVersion);
}

void contrib_average_pool(NodeContext& node) {
  refuse_channels_last(node);
  import_unary(node, average_pool);
}

void contrib_global_average_pool(NodeContext& node) {
  refuse_channels_last(node);
  import_unary(node, global_average_pool);
}

void contrib_concat(NodeContext& node) {
  const Quantization to = read_levels(node, 0, 1, ElementType::kUint8);
  std::vector<std::shared_ptr<Value>> operands;
  for (size_t i = 2; i + 1 < node.num_inputs(); i += 3) operands.push_back(real_triple(node, i));
  set_levels(node, node.import_as(concat, 13, std::move(operands)), to);
}

void contrib_quantize_linear(NodeContext& node) { quantize_linear(node); }
void contrib_dequantize_linear(NodeContext& node) { dequantize_linear(node); }

// The product of real numbers and weights, like other products of dynamically quantized tensors
// (dynamic_quantization.h).
void contrib_dynamic_matmul(NodeContext& node) {
  const Quantization b = read_quantization(node, 2, 3, node.input(1).type);
  const int64_t columns = node.rank(1) - 1;
  NodeId result =
      node.import_as(matmul, 13, {node.shared_input(0), real_input(node, 1, b, columns)});
  if (node.has_input(4)) result = node.add(OpKind::kAdd, {result, node.float_operand(4)});
  node.set_result(result, ElementType::kFloat);
}

void contrib_gemm(NodeContext& node) {
  const Quantization a = read_levels(node, 1, 2, node.input(0).type);
  const Quantization b = read_quantization(node, 4, 5, node.input(3).type);
  const int64_t columns = node.integer("transB", 0) != 0 ? 0 : 1;
  Quantization sum = a;  // alpha scales the bias, too: it is an integer of the sums
  const double alpha = node.number("alpha", 1);
  for (float& scale : sum.scale.floats) scale = static_cast<float>(alpha * scale);
  const NodeId result = node.import_as(gemm, 13,
                                       {real_input(node, 0, a, 0), real_input(node, 3, b, columns),
                                        real_bias_input(node, 6, sum, b)});
  if (!node.has_input(7)) return node.set_result(result, ElementType::kFloat);
  set_levels(node, result, read_levels(node, 7, 8, node.input(0).type));
}

}  // namespace vta::onnx
