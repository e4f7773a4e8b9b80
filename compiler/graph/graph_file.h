// SPDX-License-Identifier: Apache-2.0
//
// A graph as a file: a .safetensors file whose metadata hold the text form, and whose arrays are
// the constants that the text only names. The format is described in compiler/graph/README.md.
#ifndef VTA_COMPILER_GRAPH_GRAPH_FILE_H_
#define VTA_COMPILER_GRAPH_GRAPH_FILE_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::graph {

struct GraphFile {
  Graph graph;
  std::map<std::string, std::string> notes;  // what the writer adds, by keys other than "graph"
};

// The same graph and notes give the same bytes.
std::vector<uint8_t> to_bytes(const GraphFile& file);

// The graph bit by bit as it was written, its ids in the order of the text. Errors: kCorrupt, for a
// file that is no graph file, a graph that verify() refuses, and constants that are missing,
// superfluous, of another type or other than the text's checksums say.
GraphFile parse_graph_file(std::span<const uint8_t> bytes);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_GRAPH_FILE_H_
