// SPDX-License-Identifier: Apache-2.0
//
// Graph files: .safetensors files with the text form in the metadata and the large constants as
// arrays. compiler/graph/README.md describes the format.
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
  std::map<std::string, std::string>
      notes;  // metadata of the writer, under keys other than "graph"
};

// The same graph and notes give the same bytes.
std::vector<uint8_t> to_bytes(const GraphFile& file);

// The graph as it was written, bit by bit; ids follow the order of the text. Errors: kCorrupt for
// other files, for a graph that verify() refuses, and for constants that are missing, superfluous,
// of another type or do not match the checksums of the text.
GraphFile parse_graph_file(std::span<const uint8_t> bytes);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_GRAPH_FILE_H_
