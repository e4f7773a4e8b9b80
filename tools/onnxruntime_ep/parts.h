// SPDX-License-Identifier: Apache-2.0
//
// Which nodes run together on the core.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_PARTS_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_PARTS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/onnxruntime_ep/graph.h"

namespace vta::onnxruntime_ep {

// Nodes that become one program, and the values that they exchange with others.
struct Part {
  std::vector<size_t> nodes;  // in the order of the graph
  std::vector<std::string> inputs, outputs;
};

// Reasons why nodes are not for the core, by their index.
using Refusals = std::map<size_t, std::string>;

// A part with these nodes, and the values that it exchanges with the others.
Part part_of(const Graph& graph, std::vector<size_t> nodes);

// All nodes that no other provider runs, as one part.
Part whole(const Graph& graph);

// Nodes that another provider runs, and those with values that are not float32, int8, uint8 or
// int32, or have no fixed size (but for the number of rows). libvta computes double as float32 and
// int64 as int32, ONNX Runtime does not.
Refusals excluded_nodes(const Graph& graph);

// The same, and nodes that libvta does not import alone.
Refusals refused_nodes(const Graph& graph);

// Parts of the other nodes, with the rules of vta.InferenceSession (python/vta/hybrid.py): from the
// first value of a part, an image or a matrix, all its nodes follow. It has a product, and ends
// with what activates, pools or adds its products. No other node is on a path between two of its
// nodes, and no two parts need each other.
std::vector<Part> split(const Graph& graph, Refusals refused);

// Whether the part has a convolution or matrix product.
bool has_product(const Graph& graph, const Part& part);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PARTS_H_
