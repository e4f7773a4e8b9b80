// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/acc_halves.h"
#include "compiler/lower/passes.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;

bool has_constant_weights(const Graph& graph, const Node& node) {
  return graph.node(node.inputs.at(1)).kind == OpKind::kConstant &&
         graph.node(node.inputs.at(2)).kind == OpKind::kConstant;
}

bool belongs_on_core(const Graph& graph, const Node& node, const CoreConfig& core) {
  const auto& src_type = [&](size_t i) -> const TensorType& {
    return graph.node(node.inputs.at(i)).type;
  };
  switch (node.kind) {
    case OpKind::kQConv2d:
      return node.attrs.groups == 1 && src_type(0).shape[1] >= core.block_in &&
             has_constant_weights(graph, node);
    case OpKind::kQDense:
      return src_type(0).shape[1] >= core.block_in && has_constant_weights(graph, node);
    case OpKind::kQAdd: {
      const size_t rank = node.type.shape.size();
      return (rank == 2 || rank == 4) && src_type(0).shape == src_type(1).shape &&
             (graph.node(node.inputs[0]).on_core || graph.node(node.inputs[1]).on_core);
    }
    default:
      return false;
  }
}

// What streams need at the least, whatever the layer: a legal core may be smaller.
void check_core(const CoreConfig& core) {
  if (core.block_in != core.block_out) {
    fail(ErrorCode::kUnsupported,
         "core {}: block_in {} and block_out {} differ; activations are packed in one block",
         core.name, core.block_in, core.block_out);
  }
  const auto need = [&](const char* buffer, uint32_t depth, uint32_t least) {
    if (depth >= least) return;
    fail(ErrorCode::kUnsupported, "core {}: {} holds {} elements, the compiler needs at least {}",
         core.name, buffer, depth, least);
  };
  need("uop_buffer_bytes", core.uop_depth(), kAluUops + 1);
  need("acc_buffer_bytes", core.acc_depth(), 2 * kLeastHalfElems);
}

}  // namespace

void partition(Graph& graph, const CoreConfig& core) {
  check_core(core);
  for (graph::NodeId id : graph.order()) {
    Node& node = graph.node(id);
    node.on_core = belongs_on_core(graph, node, core);
  }
}

}  // namespace vta::lower
