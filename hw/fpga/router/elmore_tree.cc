// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/elmore_tree.h"

namespace vta::router {

bool ElmoreTree::add(Node source, Node target, const SwitchTiming& driver,
                     const ConductorTiming& driven) {
  if (!steps_.emplace(target, Step{source, driver, driven}).second) return false;
  targets_[source].push_back(target);
  return true;
}

std::optional<Node> ElmoreTree::source_of(Node target) const {
  const auto step = steps_.find(target);
  return step == steps_.end() ? std::nullopt : std::optional(step->second.source);
}

// The capacitance of a node and of what follows, up to the inputs of buffers.
float ElmoreTree::load_ff(Node node) {
  if (const auto known = load_ff_.find(node); known != load_ff_.end()) return known->second;
  const auto step = steps_.find(node);
  float ff = step == steps_.end() ? 0 : step->second.driven.ff;
  if (const auto targets = targets_.find(node); targets != targets_.end()) {
    for (const Node target : targets->second) {
      const SwitchTiming& next = steps_.at(target).driver;
      ff += next.is_buffer ? next.input_ff : load_ff(target);
    }
  }
  return load_ff_[node] = ff;
}

CornerDelays ElmoreTree::delays_to(Node target) {
  const Step& step = steps_.at(target);
  const float load = load_ff(target);
  const float ps = rc_ps(step.driver.ohm, load) + rc_ps(step.driven.ohm, load - step.driven.ff / 2);
  return step.driver.delays + CornerDelays{ps, ps, ps, ps};
}

}  // namespace vta::router
