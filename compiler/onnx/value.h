// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_VALUE_H_
#define VTA_COMPILER_ONNX_VALUE_H_

#include <memory>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/onnx/array.h"

namespace vta::onnx {

// A tensor of the model during the import: its elements, if they are known, or the node of the
// graph that computes it, or both. A node is made when an operator first needs one.
struct Value {
  std::string name;
  ElementType type = ElementType::kFloat;
  Dims dims;
  std::shared_ptr<const Array> array;  // of constants; of inputs whose value was given
  graph::NodeId node = -1;
  bool is_input = false;
  std::string missing;  // why nothing computes it: an output that is not supported

  bool is_constant() const { return array != nullptr && !is_input; }
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_VALUE_H_
