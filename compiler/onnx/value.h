// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_VALUE_H_
#define VTA_COMPILER_ONNX_VALUE_H_

#include <memory>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/onnx/array.h"

namespace vta::onnx {

// A tensor of the model during import: its elements if known, or the node of the graph that
// computes it, or both. The node is created when an operator first needs it.
struct Value {
  std::string name;
  ElementType type = ElementType::kFloat;
  Dims dims;
  std::shared_ptr<const Array> array;  // of a constant, or of an input with a known value
  graph::NodeId node = -1;
  bool is_input = false;
  std::string missing;  // the reason why it is not computed: an unsupported output

  bool is_constant() const { return array != nullptr && !is_input; }
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_VALUE_H_
