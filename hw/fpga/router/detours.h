// SPDX-License-Identifier: Apache-2.0
//
// Makes connections of a routed design longer, where data would arrive before the hold time of a
// register has passed.
#ifndef VTA_HW_FPGA_ROUTER_DETOURS_H_
#define VTA_HW_FPGA_ROUTER_DETOURS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/fpga/router/chip_graph.h"
#include "hw/fpga/router/design_file.h"
#include "hw/fpga/router/routing_graph.h"
#include "hw/fpga/router/switch_delays.h"

namespace vta::router {

// A way around: from a tree's node through a point, over nodes that no net has, to a sink. The
// nodes from the one after `from` to the sink.
struct Detour {
  Node from = kNoNode;
  std::vector<Node> nodes;
};

// Marks of a node in DetourSearch: a net has it, or one that cannot give way.
constexpr uint8_t kTaken = 1, kKept = 2;

// Paths of a graph through points. `is_used`: by node, 0 or one of the above.
class DetourSearch {
 public:
  DetourSearch(const RoutingGraph& graph, const ByNode<uint8_t>& is_used);

  // The quickest path from one of `tree` to a node that reaches `through`, and from there to the
  // sink. Nothing if there is none.
  std::optional<Detour> find(const std::vector<Node>& tree, const Pin& sink, Point through);

  // The same without a point: the nodes from the tree's to the sink, or none.
  std::vector<Node> way(const std::vector<Node>& tree, const Pin& sink);

  // Whether paths may also take nodes that other nets have, where free ones are far longer.
  void set_crossing(bool crosses) { crosses_ = crosses; }

 private:
  struct State {
    float cost = 0;
    uint32_t search = 0;
    Node driver = kNoNode;
  };
  struct Candidate {
    float total, cost;
    Node node;
  };
  // `towards`: where the search goes. `sink`: null on the way to a point.
  std::vector<Node> leg(const std::vector<Node>& starts, Point towards, const Pin* sink);
  bool is_allowed(const Edge& edge, const Pin* sink) const;
  void push(Node node, float cost, Node driver, Point towards);

  const RoutingGraph& graph_;
  const ByNode<uint8_t>& is_used_;
  ByNode<State> states_;
  ByNode<uint32_t> is_own_;  // number of the find() whose first leg has it
  std::vector<Candidate> queue_;
  uint32_t search_ = 0;
  uint32_t find_ = 0;
  bool crosses_ = false;
};

// Changes `routes` so that each of `wanted` takes that much longer at the fast corner, at least.
// Takes the way around with the least delay at the slow corner within the smallest distance that
// suffices. Only wires that no route has are used; where that is not enough, the nets that are in
// the way get other routes. Returns those that could not be made longer. Errors: kNotFound for a
// name that the chip or the design does not have.
std::vector<LongerSink> make_longer(const ChipDatabase& chip, const PlacedDesign& design,
                                    const std::vector<LongerSink>& wanted,
                                    std::vector<NetRoute>& routes, SwitchDelays& delays);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_DETOURS_H_
