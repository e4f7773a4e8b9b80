// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <ranges>
#include <set>

#include "base/errors/counted.h"
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
  const CoreLowering* lowering = find_core_lowering(node.kind);
  return lowering == &kConvolutionLowering || lowering == &kDenseLowering;
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

}  // namespace

HostReasons partition(Graph& graph, const CoreConfig& core, Placement placement) {
  check_core(core);
  PartitionState state{graph, core, placement.first_convolution == Place::kCore, {}};
  const std::set<NodeId> on_host =
      placement.classifiers == Place::kHost ? classifiers_of(graph) : std::set<NodeId>{};
  HostReasons reasons;
  for (NodeId id : graph.order()) {
    Node& node = graph.node(id);
    const auto reason =
        on_host.contains(id) ? std::optional(HostReason::kClassifier) : obstacle(state, node);
    node.on_core = !reason;
    if (reason && !node.inputs.empty()) reasons[id] = *reason;
    const bool depends = std::ranges::any_of(
        node.inputs, [&](NodeId input) { return state.after_convolution.contains(input); });
    if (depends || is_weighted(node)) state.after_convolution.insert(id);
  }
  return reasons;
}

}  // namespace vta::lower
