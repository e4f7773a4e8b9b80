// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/step_list.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

class Lister {
 public:
  Lister(const Graph& graph, LayerContext& context, bool fuses, const HostReasons& reasons)
      : graph_(graph), context_(context), core_(context.core), reasons_(reasons) {
    if (!fuses) return;
    choose_fused_convolutions();
    choose_fused_pools();
  }

  StepList run() {
    for (NodeId id : graph_.order()) list(graph_.node(id));
    for (NodeId id : graph_.inputs()) list_.inputs.push_back(host_.at(id));
    for (NodeId id : graph_.outputs()) list_.outputs.push_back(host_value(id));
    return std::move(list_);
  }

 private:
  // Between two candidates, chooses the one with more work, which hides the add better. Its stream
  // takes the add's place in the order, where the other operand is available.
  void choose_fused_convolutions() {
    for (NodeId id : graph_.order()) {
      const Node& add = graph_.node(id);
      if (add.kind != OpKind::kQAdd || !add.on_core || add.inputs[0] == add.inputs[1]) continue;
      NodeId chosen = -1;
      for (NodeId operand : add.inputs) {
        if (!can_be_fused(graph_.node(operand))) continue;
        if (chosen < 0 || num_weights(operand) > num_weights(chosen)) chosen = operand;
      }
      if (chosen < 0) continue;
      conv_of_add_[id] = chosen;
      computed_with_.insert(chosen);
    }
  }
  void choose_fused_pools() {
    for (NodeId id : graph_.order()) {
      const Node& pool = graph_.node(id);
      if (pool.kind != OpKind::kMaxPool2d || !pool.on_core) continue;
      const Node& conv = graph_.node(pool.inputs[0]);
      if (!conv.on_core || computed_with_.contains(conv.id) || !has_one_use(conv)) continue;
      const auto fuses = find_core_lowering(conv.kind)->fuses_pool;
      if (fuses == nullptr || !fuses(graph_, conv, pool, context_)) continue;
      conv_of_pool_[id] = conv.id;
      computed_with_.insert(conv.id);
    }
  }
  bool has_one_use(const Node& node) const {
    return graph_.users(node.id).size() == 1 && !graph_.is_output(node.id);
  }
  int64_t num_weights(NodeId conv) const {
    return graph_.node(graph_.node(conv).inputs.at(1)).type.num_elems();
  }
  bool can_be_fused(const Node& node) const {
    return node.on_core && find_core_lowering(node.kind)->can_fuse_add && has_one_use(node) &&
           node.attrs.leak == 0;  // its copy takes the place of the residual operand
  }

  void list(const Node& node) {
    if (node.kind == OpKind::kConstant) return;  // added where the host uses it
    if (node.kind == OpKind::kInput) {
      host_[node.id] = add_value(node, false);
    } else if (is_unfolded_while_packed(node)) {
      return;  // device_value() adds the step
    } else if (!node.on_core) {
      list_host(node);
    } else if (find_core_lowering(node.kind)->is_view && !is_copied(node)) {
      list_view(node);
    } else if (!computed_with_.contains(node.id)) {
      list_core(node);
    }
  }

  bool is_copied(const Node& node) const {
    return moves_rows(node.kind, graph_.node(node.inputs[0]).type, node.type, core_);
  }

  // Whether only the core reads the unfold2d.
  bool is_unfolded_while_packed(const Node& node) const {
    if (node.kind != OpKind::kUnfold2d || graph_.is_output(node.id)) return false;
    return std::ranges::all_of(graph_.users(node.id),
                               [&](NodeId user) { return graph_.node(user).on_core; });
  }

  // A step of the node's operator, without operands and results.
  static ProgramStep step_of(const Node& node, ProgramStep::Kind kind) {
    ProgramStep step;
    step.kind = kind;
    step.layer = node.name;
    step.op = node.kind;
    step.attrs = node.attrs;
    return step;
  }

  void list_host(const Node& node) {
    ProgramStep step = step_of(node, ProgramStep::Kind::kHost);
    if (const auto found = reasons_.find(node.id); found != reasons_.end())
      step.host_reason = found->second;
    for (NodeId input : node.inputs) step.inputs.push_back(host_value(input));
    host_[node.id] = add_value(node, false);
    step.outputs = {host_[node.id]};
    list_.steps.push_back(std::move(step));
  }

  // The node, or an add or a pool with the convolution in whose stream it is computed.
  void list_core(const Node& node) {
    CoreStep core{.node = node.id};
    if (const auto conv = conv_of_add_.find(node.id); conv != conv_of_add_.end()) {
      core.node = conv->second;
      core.add = FusedAdd{node.id, node.inputs[0] == core.node ? size_t{1} : size_t{0}};
    }
    if (const auto conv = conv_of_pool_.find(node.id); conv != conv_of_pool_.end()) {
      core.node = conv->second;
      core.pool = node.id;
    }
    const Node& computed = graph_.node(core.node);
    const size_t num_operands = find_core_lowering(computed.kind)->arena_operands;
    ProgramStep step = step_of(computed, ProgramStep::Kind::kCore);
    for (size_t i = 0; i < num_operands; ++i) {
      step.inputs.push_back(device_value(computed.inputs[i], operand_layout(computed.kind, i)));
    }
    if (core.pool) step.pool = node.attrs;
    if (core.add) step.inputs.push_back(device_value(node.inputs[core.add->residual_operand]));
    const Layout layout = result_layout(node.kind);
    step.outputs = {device_[{node.id, layout}] = add_value(node, true, layout)};
    core.step = list_.steps.size();
    list_.steps.push_back(std::move(step));
    list_.core_steps.push_back(core);
  }

  void list_view(const Node& node) {
    ProgramStep step = step_of(node, ProgramStep::Kind::kView);
    std::vector<TensorType> types;
    for (NodeId input : node.inputs) {
      step.inputs.push_back(device_value(input));
      types.push_back(graph_.node(input).type);
    }
    const auto offsets = view_offsets(node.kind, node.attrs, types, node.type, core_);
    VTA_ASSERT(offsets.has_value(), "the core takes views only");
    const ValueId view = device_[{node.id, Layout::kImages}] = new_value(node, true);
    step.outputs = {view};
    const uint64_t bytes = packed_size_bytes(node.type, core_);
    for (size_t i : list_.storage.add_view(view, bytes, step.inputs, *offsets)) {
      step.inputs[i] = list_copy(node, graph_.node(node.inputs[i]), step.inputs[i]);
    }
    if (!list_.storage.contains(view)) {
      const auto refused = list_.storage.add_view(view, bytes, step.inputs, *offsets);
      VTA_ASSERT(refused.empty(), "a copy is placed where the view needs it");
    }
    list_.steps.push_back(std::move(step));
  }

  // Copies an operand of the view.
  ValueId list_copy(const Node& view, const Node& operand, ValueId source) {
    ProgramStep step = step_of(view, ProgramStep::Kind::kCore);
    step.inputs = {source};
    const ValueId copy = add_value(operand, true);
    step.outputs = {copy};
    list_.core_steps.push_back({list_.steps.size(), view.id, {}});
    list_.steps.push_back(std::move(step));
    return copy;
  }

  // Adds a value that a step writes.
  ValueId add_value(const Node& node, bool on_device, Layout layout = Layout::kImages) {
    const ValueId id = new_value(node, on_device, layout);
    if (on_device) list_.storage.add_written(id, packed_size_bytes(node.type, core_, layout));
    return id;
  }

  ValueId new_value(const Node& node, bool on_device, Layout layout = Layout::kImages) {
    ProgramValue value;
    value.name = node.name;
    value.type = node.type;
    value.on_device = on_device;
    value.layout = layout;
    if (!on_device && node.kind == OpKind::kConstant) value.constant = node.value;
    list_.values.push_back(std::move(value));
    return static_cast<ValueId>(list_.values.size() - 1);
  }

  // The node's value on the host, unpacked from the layout that the core left it in if missing.
  ValueId host_value(NodeId id) {
    if (const auto found = host_.find(id); found != host_.end()) return found->second;
    const Node& node = graph_.node(id);
    const ValueId value = host_[id] = add_value(node, false);
    if (node.kind == OpKind::kConstant) return value;
    ProgramStep step;
    step.kind = ProgramStep::Kind::kUnpack;
    step.layer = node.name;
    step.inputs = {device_.at({id, result_layout(node.kind)})};
    step.outputs = {value};
    list_.steps.push_back(std::move(step));
    return value;
  }

  // The node's value on the device, packed from the host if missing.
  ValueId device_value(NodeId id, Layout layout = Layout::kImages) {
    const std::pair key(id, layout);
    if (const auto found = device_.find(key); found != device_.end()) return found->second;
    const Node& node = graph_.node(id);
    if (node.kind == OpKind::kConstant) host_value(id);
    const ValueId value = device_[key] = add_value(node, true, layout);
    ProgramStep step;
    step.kind = ProgramStep::Kind::kPack;
    step.layer = node.name;
    if (is_unfolded_while_packed(node)) {
      step.op = node.kind;
      step.attrs = node.attrs;
      step.inputs = {host_value(node.inputs[0])};
    } else {
      step.inputs = {host_value(id)};
    }
    step.outputs = {value};
    list_.steps.push_back(std::move(step));
    return value;
  }

  const Graph& graph_;
  LayerContext& context_;
  const CoreConfig& core_;
  const HostReasons& reasons_;
  StepList list_;
  std::map<NodeId, ValueId> host_;
  std::map<std::pair<NodeId, Layout>, ValueId> device_;
  std::map<NodeId, NodeId> conv_of_add_, conv_of_pool_;
  std::set<NodeId> computed_with_;  // convolutions whose add or pool is in their stream
};

}  // namespace

StepList list_steps(const Graph& graph, LayerContext& context, bool fuses,
                    const HostReasons& reasons) {
  return Lister(graph, context, fuses, reasons).run();
}

}  // namespace vta::lower
