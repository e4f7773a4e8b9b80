// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/graph_file.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/files/safetensors.h"
#include "runtime/tensor/array_type.h"

namespace vta::graph {
namespace {

constexpr const char* kGraph = "graph";    // metadata: the text form
constexpr const char* kFormat = "format";  // metadata: version of the format
constexpr const char* kFormat1 = "vta-graph-1";

bool is_in_file(const Node& node) {
  return node.kind == OpKind::kConstant && !has_values_in_text(node.value);
}

Tensor take_constant(const Node& node, NamedArrays& arrays) {
  const auto found = arrays.find(node.name);
  if (found == arrays.end()) fail(ErrorCode::kCorrupt, "no array for constant %{}", node.name);
  const NamedArray& array = found->second;
  if (array.type != array_type(node.type.dtype) || array.shape != node.type.shape) {
    fail(ErrorCode::kCorrupt, "constant %{} is {}, its array {}", node.name, to_string(node.type),
         array.type_text());
  }
  Tensor value(node.type);
  std::copy(array.bytes.begin(), array.bytes.end(), value.mutable_bytes().begin());
  arrays.erase(found);
  return value;
}

void fill_constants(Graph& graph, NamedArrays arrays) {
  for (NodeId id : graph.order()) {
    Node& node = graph.node(id);
    if (is_in_file(node)) node.value = take_constant(node, arrays);
  }
  if (!arrays.empty()) {
    fail(ErrorCode::kCorrupt, "array '{}' is not a constant of the graph", arrays.begin()->first);
  }
}

void check(const Graph& graph, const std::string& text) {
  try {
    verify(graph);
  } catch (const std::logic_error& error) {
    fail(ErrorCode::kCorrupt, "{}", error.what());
  }
  // Checksums of constants are part of the text.
  if (to_text(graph) != text) {
    fail(ErrorCode::kCorrupt, "the constants do not match the graph's text");
  }
}

}  // namespace

std::vector<uint8_t> to_bytes(const GraphFile& file) {
  SafetensorsFile result;
  for (const auto& [key, text] : file.notes) result.metadata[key] = text;
  result.metadata[kFormat] = kFormat1;
  result.metadata[kGraph] = to_text(file.graph);
  for (NodeId id : file.graph.order()) {
    const Node& node = file.graph.node(id);
    if (!is_in_file(node)) continue;
    const auto bytes = node.value.bytes();
    result.arrays[node.name] = {
        array_type(node.type.dtype), node.type.shape, {bytes.begin(), bytes.end()}};
  }
  return to_safetensors(result);
}

GraphFile parse_graph_file(std::span<const uint8_t> bytes) {
  SafetensorsFile file = parse_safetensors_file(bytes);
  const std::string format = file.metadata[kFormat];
  if (format != kFormat1)
    fail(ErrorCode::kCorrupt, "not a graph file: format '{}', expected '{}'", format, kFormat1);
  GraphFile result;
  result.graph = from_text(file.metadata[kGraph]);
  fill_constants(result.graph, std::move(file.arrays));
  check(result.graph, file.metadata[kGraph]);
  file.metadata.erase(kFormat);
  file.metadata.erase(kGraph);
  result.notes = std::move(file.metadata);
  return result;
}

}  // namespace vta::graph
