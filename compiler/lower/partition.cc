// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <optional>
#include <ranges>
#include <set>

#include "base/errors/counted.h"
#include "base/errors/nearest.h"
#include "compiler/lower/acc_halves.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Refuses a legal core whose scratchpads are too small for the stream of any layer.
void check_core(const CoreConfig& core) {
  if (core.block_in != core.block_out) {
    const uint32_t smaller = std::min(core.block_in, core.block_out);
    fail(ErrorCode::kUnsupported,
         "core {}: block_in {} and block_out {} differ; a layer's output is the "
         "next one's input, in the same blocks: take a core with block_in = block_out, such as {} "
         "x {}",
         core.name, core.block_in, core.block_out, smaller, smaller);
  }
  const auto need = [&](const char* buffer, uint32_t depth, uint32_t minimum) {
    if (depth >= minimum) return;
    fail(ErrorCode::kUnsupported, "core {}: {} holds {}, the compiler needs at least {}", core.name,
         buffer, counted(depth, "element"), minimum);
  };
  need("uop_buffer_bytes", core.uop_depth(), kAluUops);
  need("acc_buffer_bytes", core.acc_depth(), 2 * kMinHalfElems);
  if (core.token_queue_depth < kMinTokens) {
    fail(ErrorCode::kUnsupported,
         "core {}: token_queue_depth is {}, the compiler needs at least {}", core.name,
         core.token_queue_depth, kMinTokens);
  }
}

bool is_weighted(const Node& node) {
  return find_core_lowering(node.kind) == &kConvolutionLowering;
}

// The dense layers that no convolution or dense layer follows.
std::set<NodeId> classifiers_of(const Graph& graph) {
  std::set<NodeId> before_weighted, classifiers;
  for (NodeId id : graph.order() | std::views::reverse) {
    const Node& node = graph.node(id);
    const bool precedes = before_weighted.contains(id);
    if (node.kind == OpKind::kQDense && !precedes) classifiers.insert(id);
    if (precedes || is_weighted(node))
      before_weighted.insert(node.inputs.begin(), node.inputs.end());
  }
  return classifiers;
}

std::optional<HostReason> obstacle(const PartitionState& state, const Node& node) {
  if (node.kind == OpKind::kQuantize || node.kind == OpKind::kDequantize)
    return HostReason::kConversion;
  if (node.type.dtype == DType::kFloat32) return HostReason::kFloatModel;
  if (node.type.is_open()) return HostReason::kOpenAxes;
  const CoreLowering* lowering = find_core_lowering(node.kind);
  return lowering == nullptr ? HostReason::kNoCoreForm : lowering->obstacle(state, node);
}

// The place of a layer in order(), or of the first layer of an operator at place `from` or later.
// Errors: kInvalidArgument.
size_t place_of(const Graph& graph, const char* option, const std::string& name, size_t from) {
  const std::vector<NodeId>& order = graph.order();
  const auto find = [&](size_t first, const auto& is_it) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    return static_cast<size_t>(std::find_if(begin, order.end(), is_it) - order.begin());
  };
  const auto has_name = [&](NodeId id) { return graph.node(id).name == name; };
  const auto is_operator = [&](NodeId id) { return to_string(graph.node(id).kind) == name; };
  for (const size_t place : {find(0, has_name), find(from, is_operator), find(0, is_operator)})
    if (place < order.size()) return place;
  std::vector<std::string> names;
  for (const NodeId id : order) {
    if (!graph.node(id).inputs.empty()) names.push_back(graph.node(id).name);
  }
  fail(ErrorCode::kInvalidArgument,
       "{} '{}': no layer or operator of the quantized graph has this name{}; `--dump-after "
       "quantize` shows them",
       option, name, did_you_mean(name, names));
}

// The layers that may be on the core, as places in order().
struct Range {
  size_t begin = 0, end = std::numeric_limits<size_t>::max();
};
Range range_of(const Graph& graph, const Placement& placement) {
  Range range;
  if (!placement.start.empty()) range.begin = place_of(graph, "start", placement.start, 0);
  const size_t after = placement.start.empty() ? 0 : range.begin + 1;
  if (!placement.stop.empty()) range.end = place_of(graph, "stop", placement.stop, after);
  if (range.end <= range.begin) {
    fail(ErrorCode::kInvalidArgument, "stop '{}' is not after start '{}'", placement.stop,
         placement.start);
  }
  return range;
}

}  // namespace

HostReasons partition(Graph& graph, const CoreConfig& core, const Placement& placement) {
  check_core(core);
  PartitionState state{graph, core, placement.first_convolution == Place::kCore, {}};
  const std::set<NodeId> on_host =
      placement.classifiers == Place::kHost ? classifiers_of(graph) : std::set<NodeId>{};
  const Range range = range_of(graph, placement);
  HostReasons reasons;
  for (size_t place = 0; place < graph.order().size(); ++place) {
    const NodeId id = graph.order()[place];
    Node& node = graph.node(id);
    std::optional<HostReason> reason =
        on_host.contains(id) ? std::optional(HostReason::kClassifier) : obstacle(state, node);
    if (!reason && (place < range.begin || place >= range.end)) reason = HostReason::kOutsideRange;
    node.on_core = !reason;
    if (reason && !node.inputs.empty()) reasons[id] = *reason;
    const bool depends = std::ranges::any_of(
        node.inputs, [&](NodeId input) { return state.after_convolution.contains(input); });
    if (depends || is_weighted(node)) state.after_convolution.insert(id);
  }
  return reasons;
}

}  // namespace vta::lower
