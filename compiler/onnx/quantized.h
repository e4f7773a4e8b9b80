// SPDX-License-Identifier: Apache-2.0
//
// Scales and zero points of quantized tensors, and operators on them as operators on real numbers.
#ifndef VTA_COMPILER_ONNX_QUANTIZED_H_
#define VTA_COMPILER_ONNX_QUANTIZED_H_

#include <algorithm>
#include <memory>
#include <optional>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

// The scale and zero point of one tensor, from two inputs of the node.
struct Quantization {
  Array scale;
  Array zero;  // empty: 0
  ElementType type = ElementType::kUint8;

  bool is_per_tensor() const { return scale.size() == 1; }
  bool is_zero_free() const {
    return std::all_of(zero.ints.begin(), zero.ints.end(), [](int64_t z) { return z == 0; });
  }
  // The unit and zero of a tensor of 8 bits with one scale, which the graph holds as int8: uint8
  // numbers less 128. nullopt for others.
  std::optional<Attrs<OpKind::kQuantize>> levels() const;
};

// `fallback`: the type if there is no zero point. Errors: kCorrupt for a scale that is not positive
// or does not match the zero point.
Quantization read_quantization(NodeContext& node, size_t scale_input, size_t zero_input,
                               ElementType fallback);

// A float32 value of the graph.
std::shared_ptr<Value> real_value(graph::NodeId id, Dims dims);

// Input `index` as real numbers. A constant may have a scale per slice along `axis`.
std::shared_ptr<Value> real_input(NodeContext& node, size_t index, const Quantization& from,
                                  int64_t axis);

// Input `index`, an int32 bias in units of the products of x and w, as real numbers; null if
// absent.
std::shared_ptr<Value> real_bias_input(NodeContext& node, size_t index, const Quantization& x,
                                       const Quantization& w);

// Makes `real`, quantized, the node's result; `to` has levels().
void set_levels(NodeContext& node, graph::NodeId real, const Quantization& to);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_QUANTIZED_H_
