// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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
    fail(ErrorCode::kUnsupported,
         "core {}: block_in {} and block_out {} differ; activations are packed in one block",
         core.name, core.block_in, core.block_out);
  }
  const auto need = [&](const char* buffer, uint32_t depth, uint32_t minimum) {
    if (depth >= minimum) return;
    fail(ErrorCode::kUnsupported, "core {}: {} holds {} elements, the compiler needs at least {}",
         core.name, buffer, depth, minimum);
  };
  need("uop_buffer_bytes", core.uop_depth(), kReservedUops + 1);
  need("acc_buffer_bytes", core.acc_depth(), 2 * kMinHalfElems);
  if (core.token_queue_depth < kMinTokens) {
    fail(ErrorCode::kUnsupported,
         "core {}: token_queue_depth is {}, the compiler needs at least {}", core.name,
         core.token_queue_depth, kMinTokens);
  }
}

}  // namespace

FirstConvolution first_convolution_from_string(const std::string& text) {
  if (text == "host") return FirstConvolution::kHost;
  if (text == "core") return FirstConvolution::kCore;
  fail(ErrorCode::kInvalidArgument, "first convolution on '{}' is not one of host, core", text);
}

void partition(Graph& graph, const CoreConfig& core, FirstConvolution first) {
  check_core(core);
  PartitionState state{graph, core, first == FirstConvolution::kCore, {}};
  for (NodeId id : graph.order()) {
    Node& node = graph.node(id);
    const CoreLowering* lowering = find_core_lowering(node.kind);
    node.on_core = lowering != nullptr && lowering->takes(state, node);
    const bool depends = std::ranges::any_of(
        node.inputs, [&](NodeId input) { return state.after_convolution.contains(input); });
    const bool is_convolution = lowering == &kConvolutionLowering || lowering == &kDenseLowering;
    if (depends || is_convolution) state.after_convolution.insert(id);
  }
}

}  // namespace vta::lower
