// SPDX-License-Identifier: Apache-2.0
//
// Which nodes of a model the importer takes.
#ifndef VTA_COMPILER_ONNX_NODE_REFUSALS_H_
#define VTA_COMPILER_ONNX_NODE_REFUSALS_H_

#include <string>
#include <vector>

#include "compiler/onnx/model.h"

namespace vta::onnx {

// Why import_onnx() refuses each node, in the order of the file, as a model of its own; "" if it
// does not. A node with a value whose type the model does not state, as that of an input or an
// output, is refused.
std::vector<std::string> node_refusals(const Model& model);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_NODE_REFUSALS_H_
