// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/step_list.h"

#include <algorithm>

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

class Lister {
 public:
  Lister(const Graph& graph, bool fuse_adds) : graph_(graph) {
    if (fuse_adds) choose_fused_convolutions();
  }

  StepList run() {
    for (NodeId id : graph_.order()) list(graph_.node(id));
    for (NodeId id : graph_.inputs()) list_.inputs.push_back(host_.at(id));
    for (NodeId id : graph_.outputs()) list_.outputs.push_back(host_value(id));
    return std::move(list_);
  }

 private:
  // Of two candidates the one with more work, behind which the add hides better. Its stream takes
  // the add's place in the order, where the other operand exists.
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
      add_of_conv_[chosen] = id;
    }
  }
  int64_t num_weights(NodeId conv) const {
    return graph_.node(graph_.node(conv).inputs.at(1)).type.num_elems();
  }
  bool can_be_fused(const Node& node) const {
    return node.on_core && node.kind == OpKind::kQConv2d && graph_.users(node.id).size() == 1 &&
           !graph_.is_output(node.id);
  }

  void list(const Node& node) {
    if (node.kind == OpKind::kConstant) return;  // becomes a value where the host uses it
    if (node.kind == OpKind::kInput) {
      host_[node.id] = add_value(node, false);
    } else if (!node.on_core) {
      list_host(node);
    } else if (!add_of_conv_.contains(node.id)) {
      list_core(node);
    }
  }

  void list_host(const Node& node) {
    ProgramStep step;
    step.kind = ProgramStep::Kind::kHost;
    step.layer = node.name;
    step.op = node.kind;
    step.attrs = node.attrs;
    for (NodeId input : node.inputs) step.inputs.push_back(host_value(input));
    host_[node.id] = add_value(node, false);
    step.outputs = {host_[node.id]};
    list_.steps.push_back(std::move(step));
  }

  void list_core(const Node& node) {
    CoreStep core;
    const Node* computed = &node;
    if (node.kind == OpKind::kQAdd) {
      core.add = node.id;
      NodeId source = node.inputs[0];
      if (const auto fused = conv_of_add_.find(node.id); fused != conv_of_add_.end()) {
        core.conv = fused->second;
        computed = &graph_.node(core.conv);
        source = computed->inputs[0];
        core.residual_operand = node.inputs[0] == core.conv ? 1 : 0;
      }
      core.source = device_value(source);
      core.residual = device_value(node.inputs[core.residual_operand]);
    } else {
      core.conv = node.id;
      core.source = device_value(node.inputs[0]);
    }
    ProgramStep step;
    step.kind = ProgramStep::Kind::kCore;
    step.layer = computed->name;
    step.op = computed->kind;
    step.attrs = computed->attrs;
    step.inputs = {core.source};
    if (core.residual >= 0) step.inputs.push_back(core.residual);
    device_[node.id] = add_value(node, true);
    step.outputs = {device_[node.id]};
    core.step = list_.steps.size();
    list_.steps.push_back(std::move(step));
    list_.core_steps.push_back(core);
  }

  ValueId add_value(const Node& node, bool on_device) {
    ProgramValue value;
    value.name = node.name;
    value.type = node.type;
    value.on_device = on_device;
    if (!on_device && node.kind == OpKind::kConstant) value.constant = node.value;
    list_.values.push_back(std::move(value));
    return static_cast<ValueId>(list_.values.size() - 1);
  }

  ValueId host_value(NodeId id) { return value_on(id, host_, device_, ProgramStep::Kind::kUnpack); }
  ValueId device_value(NodeId id) {
    // A constant's way to the device leads over its host value.
    if (graph_.node(id).kind == OpKind::kConstant) host_value(id);
    return value_on(id, device_, host_, ProgramStep::Kind::kPack);
  }

  // The node's value on one side, converted from the other side if it is not there yet.
  ValueId value_on(NodeId id, std::map<NodeId, ValueId>& here,
                   const std::map<NodeId, ValueId>& there, ProgramStep::Kind conversion) {
    if (const auto found = here.find(id); found != here.end()) return found->second;
    const Node& node = graph_.node(id);
    const ValueId value = add_value(node, &here == &device_);
    here[id] = value;
    if (&here == &host_ && node.kind == OpKind::kConstant) return value;
    ProgramStep step;
    step.kind = conversion;
    step.layer = node.name;
    step.inputs = {there.at(id)};
    step.outputs = {value};
    list_.steps.push_back(std::move(step));
    return value;
  }

  const Graph& graph_;
  StepList list_;
  std::map<NodeId, ValueId> host_, device_;
  std::map<NodeId, NodeId> conv_of_add_, add_of_conv_;
};

}  // namespace

StepList list_steps(const Graph& graph, bool fuse_adds) { return Lister(graph, fuse_adds).run(); }

}  // namespace vta::lower
