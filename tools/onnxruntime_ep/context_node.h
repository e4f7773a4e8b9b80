// SPDX-License-Identifier: Apache-2.0
//
// A compiled part in an ONNX model: a node EPContext with its program, or with the name of its .vta
// file. Source: the EPContext design of ONNX Runtime's documentation.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_CONTEXT_NODE_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_CONTEXT_NODE_H_

#include <filesystem>
#include <string>

#include "tools/onnxruntime_ep/compiled_part.h"
#include "tools/onnxruntime_ep/graph.h"

namespace vta::onnxruntime_ep {

// Whether the node is one that this provider has written.
bool is_context_node(const Node& node);

// The part of such a node. `model`: the file of the model, next to which the program's is; empty if
// the model is not a file. Errors: as vta_program_open(); kCorrupt for a node without a program
// or with an omitted input or output; as set_ports().
CompiledPart read_context_node(const Graph& graph, const Node& node,
                               const std::filesystem::path& model);

// A node that has the program. `name`: of the node.
Ort::Node context_node(const CompiledPart& part, const std::string& name);

// A node that names the program's file, which is written next to `model`.
// Errors: kInvalidArgument if `model` is empty; as vta_program_save().
Ort::Node context_node(const CompiledPart& part, const std::string& name,
                       const std::filesystem::path& model);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_CONTEXT_NODE_H_
