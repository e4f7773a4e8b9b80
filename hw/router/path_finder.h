// SPDX-License-Identifier: Apache-2.0
//
// Routes nets by negotiated congestion: McMurchie and Ebeling, "PathFinder: A Negotiation-Based
// Performance-Driven Router for FPGAs", FPGA 1995. Nets may share nodes at first; the cost of
// shared nodes rises from iteration to iteration until each has one net. A path to a sink is
// searched by A* from all of the net's tree.
#ifndef VTA_HW_ROUTER_PATH_FINDER_H_
#define VTA_HW_ROUTER_PATH_FINDER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/router/routing_graph.h"

namespace vta::router {

// A pin, and the tile of the interconnect where paths to or from it begin or end.
struct Pin {
  Node node = kNoNode;
  Point interconnect;
};

// `sources`: one pin, or nodes in all tiles that any number of nets may share (constants, the clock
// network).
struct Net {
  std::string name;
  bool is_everywhere = false;
  std::vector<Pin> sources;
  std::vector<Pin> sinks;  // at least one
};

struct RoutingOptions {
  double distance_weight = 1.5;  // of the estimated rest of a path; above 1, searches are shorter
                                 // and paths may be longer
  double delay_share =
      0.3;  // of a path's delay from the source in its cost; the rest is congestion
  double first_sharing_cost = 0.5;  // per other net at a node, relative to the node's cost
  double sharing_growth = 1.5;      // of that, by iteration
  double max_sharing_cost = 8;  // higher, searches look at all of the chip before they share a node
  double history_cost = 1;      // per other net and iteration; it separates the last few
  int margin_tiles = 6;         // around the box of a net's pins
  int max_iterations = 300;     // the last ones route a few nets each
};

struct Iteration {
  int number;
  size_t routed_nets;
  size_t used_nodes;
  size_t shared_nodes;
};

class PathFinder {
 public:
  PathFinder(const RoutingGraph& graph, std::vector<Net> nets, const RoutingOptions& options);

  // Calls watch() after each iteration. Returns whether every node has at most one net; false after
  // max_iterations. Errors: kUnsupported for a sink that no path reaches.
  bool route(const std::function<void(const Iteration&)>& watch);

  // A node of a net's tree, and the branch that drives it (-1: a source).
  struct Branch {
    Node node;
    int32_t driver;
    float delay_ps;  // from the source
  };
  const std::vector<Branch>& tree(size_t net) const { return trees_[net]; }
  bool is_shared(Node node) const { return states_[static_cast<size_t>(node)].nets > 1; }

 private:
  // Of a node; one cache line holds two.
  struct State {
    float cost = 0;
    float delay_ps = 0;
    float history = 0;
    uint32_t search = 0;  // the search that cost, delay_ps and driver belong to
    Node driver = kNoNode;
    int32_t branch = -1;   // of the tree, if the path begins here
    uint32_t reached = 0;  // by the tree of the net that is being routed
    uint16_t nets = 0;
    bool is_sink = false;  // of the net whose tree is pruned
  };
  struct Candidate {
    float total;
    float cost;
    Node node;
  };

  void route_net(size_t net);
  bool route_sink(size_t net, const Pin& sink, const Box& box, int near_tiles);
  void push_tree(size_t net, const Pin& sink, int near_tiles);
  bool leads_to(const Edge& edge, const Pin& sink, const Box& box) const;
  void expand(Node node, const Pin& sink, const Box& box);
  void push(Node node, float cost, float delay_ps, Node driver, int32_t branch, const Pin& sink);
  void add_path(size_t net, Node sink);
  bool shares_nodes(size_t net) const;
  // Takes away the nodes that other nets have, too, those that they drive, and those that drive
  // nothing else.
  void rip_up_shared(size_t net);
  // Takes away the branches that are not kept and those that they drive. Sources stay.
  template <typename IsKept>
  void keep_branches(size_t net, IsKept&& is_kept);
  size_t charge_shared_nodes(size_t& used);

  const RoutingGraph& graph_;
  const std::vector<Net> nets_;
  const RoutingOptions options_;
  std::vector<State> states_;               // by node
  std::vector<std::vector<Branch>> trees_;  // by net
  std::vector<Box> boxes_;                  // by net
  std::vector<int> failures_;               // by net: iterations after which it shared nodes
  std::vector<Candidate> queue_;            // a heap
  uint32_t search_ = 0;
  uint32_t reached_mark_ = 0;
  double sharing_cost_ = 0;
};

}  // namespace vta::router

#endif  // VTA_HW_ROUTER_PATH_FINDER_H_
