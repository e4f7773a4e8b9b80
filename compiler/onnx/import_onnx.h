// SPDX-License-Identifier: Apache-2.0
//
// From an ONNX model to the graph. What is supported is README.md's to say; everything else is
// refused by name.
#ifndef VTA_COMPILER_ONNX_IMPORT_ONNX_H_
#define VTA_COMPILER_ONNX_IMPORT_ONNX_H_

#include <map>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/onnx/model.h"

namespace vta::onnx {

// An input or output as the model has it. The graph holds floating-point numbers and integers of at
// most 16 bits as float32 (or quantized ones as int8, as they are), larger integers as int32, sums
// of quantized products as float32, and a scalar as [1].
struct Port {
  std::string name;
  ElementType type = ElementType::kFloat;
  Dims dims;
};

struct Imported {
  graph::Graph graph;
  std::vector<Port> inputs;   // by the graph's attrs.index: those that anything uses
  std::vector<Port> outputs;  // in the order of the graph's outputs
  bool is_quantized = false;  // it quantizes tensors itself and runs with the scales that it has
};

// `known`: values of inputs that shapes depend on (Reshape's second, say). Where an operator must
// know an operand, they are taken for a constant; elsewhere such an input stays an input.
// A first axis of unknown size is a batch of 1; other axes must be known. Limits: 2^28 elements of
// a result, 2^28 of all constants, 2^41 operations (graph_limits.h).
// Errors: kUnsupported, naming the node, its operator and version, and what of it is not supported;
// kCorrupt or kInvalidArgument for what contradicts ONNX or itself.
Imported import_onnx(Model model, const std::map<std::string, Array>& known = {});

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_IMPORT_ONNX_H_
