// SPDX-License-Identifier: Apache-2.0
//
// Imports an ONNX model into the graph. README.md lists what is supported.
#ifndef VTA_COMPILER_ONNX_IMPORT_ONNX_H_
#define VTA_COMPILER_ONNX_IMPORT_ONNX_H_

#include <map>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/onnx/model.h"

namespace vta::onnx {

// An input or output of the model. In the graph, floating-point numbers and integers of at most 16
// bits are float32 (quantized ones may be int8), larger integers int32, sums of quantized products
// float32, and a scalar is [1].
struct Port {
  std::string name;
  ElementType type = ElementType::kFloat;
  Dims dims;
};

struct Imported {
  graph::Graph graph;
  std::vector<Port> inputs;        // used inputs, by the graph's attrs.index
  std::vector<Port> outputs;       // in the order of the graph's outputs
  bool is_quantized = false;       // the model quantizes tensors itself; its scales are kept
  std::vector<std::string> notes;  // what the model says of itself that is wrong, without effect
};

// `known`: values of inputs that shapes depend on (such as Reshape's second). They are constants
// for operators that require a constant; for others the input remains an input. An axis of
// unknown size whose name says that it is a batch (batch_axis.h) has size 1; other axes must be
// known. Limits: 2^28 elements per result, 2^28 elements of all constants, 2^41 operations
// (graph_limits.h). Errors: kUnsupported, naming the node, its operator and version, and the
// unsupported property; kCorrupt or kInvalidArgument for a model that violates ONNX.
Imported import_onnx(Model model, const std::map<std::string, Array>& known = {});

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_IMPORT_ONNX_H_
