// SPDX-License-Identifier: Apache-2.0
//
// Elmore delays of a routed net: each resistance charges the capacitance that follows it, up to the
// next buffers. The model is that of Project X-Ray (prjxray/timing.py), within 1.5 % of Vivado's
// delays by its authors' measurement, but for clocks.
#ifndef VTA_HW_FPGA_ROUTER_ELMORE_TREE_H_
#define VTA_HW_FPGA_ROUTER_ELMORE_TREE_H_

#include <optional>
#include <unordered_map>
#include <vector>

#include "hw/fpga/router/routing_graph.h"
#include "hw/fpga/router/switch_delays.h"

namespace vta::router {

class ElmoreTree {
 public:
  // A switch from `source` to `target`, and the conductor that it drives. False: another switch
  // drives the target.
  bool add(Node source, Node target, const SwitchTiming& driver, const ConductorTiming& driven);

  // What drives a node.
  std::optional<Node> source_of(Node target) const;
  size_t size() const { return steps_.size(); }

  // Delays of the switch that drives a node and of the node. Call it after all switches are added.
  CornerDelays delays_to(Node target);

 private:
  struct Step {
    Node source;
    SwitchTiming driver;
    ConductorTiming driven;
  };
  float load_ff(Node node);

  std::unordered_map<Node, Step> steps_;  // by target
  std::unordered_map<Node, std::vector<Node>> targets_;
  std::unordered_map<Node, float> load_ff_;
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_ELMORE_TREE_H_
