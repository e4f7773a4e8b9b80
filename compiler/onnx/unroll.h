// SPDX-License-Identifier: Apache-2.0
//
// Loop and Scan: their bodies are imported once per iteration, so the number of iterations must be
// known at import.
#ifndef VTA_COMPILER_ONNX_UNROLL_H_
#define VTA_COMPILER_ONNX_UNROLL_H_

#include <functional>
#include <memory>
#include <vector>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

using Values = std::vector<std::shared_ptr<Value>>;

// Imports the body once: from its inputs to its outputs.
using ImportBody = std::function<Values(const Values& inputs)>;

// The results of a Loop or a Scan with `inputs`, whose body has `num_outputs` outputs. Errors:
// kUnsupported for a number of iterations that depends on data, or exceeds 512, and for results
// without elements; kCorrupt for a body that does not fit the node.
Values unroll_loop(NodeContext& node, const Values& inputs, size_t num_outputs, GraphWriter& writer,
                   const ImportBody& import_body);
Values unroll_scan(NodeContext& node, const Values& inputs, size_t num_outputs, GraphWriter& writer,
                   const ImportBody& import_body);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_UNROLL_H_
