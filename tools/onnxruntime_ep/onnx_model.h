// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a graph as an ONNX model of their own, which libvta reads.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_ONNX_MODEL_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_ONNX_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tools/onnxruntime_ep/graph.h"

namespace vta::onnxruntime_ep {

struct ModelParts {
  std::vector<size_t> nodes;                 // indices, in the order of the graph
  std::vector<std::string> inputs, outputs;  // values
  std::set<std::string> placeholders = {};   // values that become constants of any contents
  int64_t rows = 1;                          // of inputs and outputs whose first size is open
};

// The bytes of the model. Constants that the nodes use are in it. Errors: kUnsupported for a node
// with a subgraph or a constant of texts.
std::string onnx_model(const Graph& graph, const ModelParts& parts);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_ONNX_MODEL_H_
