// SPDX-License-Identifier: Apache-2.0
//
// From the description of a network to its float graph.
#ifndef VTA_COMPILER_IMPORT_BUILD_GRAPH_H_
#define VTA_COMPILER_IMPORT_BUILD_GRAPH_H_

#include "compiler/graph/graph.h"
#include "compiler/import/network_file.h"
#include "compiler/import/parameters.h"

namespace vta::import {

// The graph of a network file. Constants have the names of their parameters; layers that name the
// same parameters share them. Shapes are checked before `source` is called. Limits: 2^28 elements
// per result, 2^28 elements of all parameters, 2^41 operations (compiler/onnx/graph_limits.h).
// Errors: kInvalidArgument, naming the layer; any error of `source`.
graph::Graph build_graph(const NetworkDescription& network, const ParameterSource& source);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_BUILD_GRAPH_H_
