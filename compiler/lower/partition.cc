// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <vector>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/pool_lowering.h"
#include "compiler/lower/tiling.h"
#include "runtime/program/program.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

class Partition {
 public:
  Partition(Graph& graph, const CoreConfig& core, FirstConvolution first)
      : graph_(graph), core_(core), first_(first) {}

  void run() {
    for (NodeId id : graph_.order()) {
      Node& node = graph_.node(id);
      node.on_core = belongs_on_core(node);
      bool behind = is_convolution(node.kind);
      for (NodeId input : node.inputs) behind |= behind_convolution_.contains(input);
      if (behind) behind_convolution_.insert(id);
    }
  }

 private:
  bool belongs_on_core(const Node& node) const {
    if (is_convolution(node.kind)) return takes_convolution(node);
    if (node.kind == OpKind::kQAdd) return takes_addition(node);
    if (node.kind == OpKind::kMaxPool2d) return takes_pool(node);
    return takes_view(node);
  }

  // Thin inputs leave lanes of the core idle; inside a network that costs less than two trips to
  // the host.
  bool takes_convolution(const Node& node) const {
    const bool thin = source(node, 0).type.shape[1] < core_.block_in;
    const bool is_first = !behind_convolution_.contains(node.inputs[0]);
    if (thin && is_first && first_ == FirstConvolution::kHost) return false;
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      if (source(node, i).kind != OpKind::kConstant) return false;
    }
    return true;
  }

  bool takes_addition(const Node& node) const {
    const size_t rank = node.type.shape.size();
    return (rank == 2 || rank == 4) && source(node, 0).type.shape == source(node, 1).type.shape &&
           (source(node, 0).on_core || source(node, 1).on_core);
  }

  // Padding is zeros on the core, which no maximum of other than negative numbers notices.
  bool takes_pool(const Node& node) const {
    const Node& src = source(node, 0);
    if (!src.on_core || src.type.dtype != DType::kInt8) return false;
    const PoolLayer layer = pool_layer_of(node.attrs, src.type, node.type, core_);
    if (reaches_padding(layer) && !is_never_negative(src)) return false;
    return find_pool_tiling(layer, core_).has_value();
  }

  bool is_never_negative(const Node& node) const {
    switch (node.kind) {
      case OpKind::kQConv2d:
      case OpKind::kQConv2dTranspose:
      case OpKind::kQDense:
      case OpKind::kQAdd:
        return node.attrs.lo >= 0;
      case OpKind::kMaxPool2d:
      case OpKind::kConcat:
      case OpKind::kStridedSlice:
        return std::ranges::all_of(
            node.inputs, [&](NodeId input) { return is_never_negative(graph_.node(input)); });
      default:
        return false;
    }
  }

  bool takes_view(const Node& node) const {
    std::vector<TensorType> types;
    bool any_on_core = false;
    for (NodeId input : node.inputs) {
      types.push_back(graph_.node(input).type);
      any_on_core |= graph_.node(input).on_core;
    }
    return any_on_core && view_offsets(node.kind, node.attrs, types, node.type, core_);
  }

  const Node& source(const Node& node, size_t i) const { return graph_.node(node.inputs.at(i)); }

  Graph& graph_;
  const CoreConfig& core_;
  const FirstConvolution first_;
  std::set<NodeId> behind_convolution_;  // nodes that depend on a convolution, or are one
};

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
  if (core.token_queue_depth < kLeastTokens) {
    fail(ErrorCode::kUnsupported,
         "core {}: token_queue_depth is {}, the compiler needs at least {}", core.name,
         core.token_queue_depth, kLeastTokens);
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
  Partition(graph, core, first).run();
}

}  // namespace vta::lower
