// SPDX-License-Identifier: Apache-2.0
//
// Routes nets by negotiated congestion: McMurchie and Ebeling, "PathFinder: A Negotiation-Based
// Performance-Driven Router for FPGAs", FPGA 1995. Nets may share nodes at first; the cost of
// shared nodes rises from iteration to iteration until each has one net. A path to a sink is
// searched by A* from all of the net's tree.
#ifndef VTA_HW_FPGA_ROUTER_PATH_FINDER_H_
#define VTA_HW_FPGA_ROUTER_PATH_FINDER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/fpga/router/routing_graph.h"

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

using SinkValues = std::vector<std::vector<float>>;  // by net and sink

// A path's cost has two shares: its delay from the source, and congestion. With timing, the share
// of delay grows with the criticality of the connection.
struct RoutingOptions {
  double distance_weight = 1.5;  // of the estimated rest of a path; above 1, searches are shorter
                                 // and paths may be longer
  double critical_weight_less = 0.5;  // times the share of delay: less for critical connections
  double delay_share = 0.3;           // without timing
  double max_delay_share = 0.97;      // of the most critical connection
  double timing_iterations = 15;    // of a round; then the share falls, and critical nets give way
  double criticality_exponent = 3;  // how fast it falls for others
  double critical = 0.85;           // connections from there on are routed again when they are slow
  double slow = 1.15;               // of the quickest way that the connection has had
  int max_slow_tries = 8;           // by connection and round
  int max_fruitless_rounds = 2;     // in a row
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
  float longest_path_ps;  // 0 without timing
};

class PathFinder {
 public:
  PathFinder(const RoutingGraph& graph, std::vector<Net> nets, const RoutingOptions& options);

  // The nets with their sinks in the order of SinkValues.
  const std::vector<Net>& nets() const { return nets_; }

  // Writes how critical each connection is, 0 to 1, for the delays of all; returns the longest path
  // in ps.
  using Retime = std::function<float(const SinkValues& delays_ps, SinkValues& criticalities)>;

  // Calls retime(), if there is one, with estimates and after each iteration, then watch(). A round
  // of iterations ends when every node has at most one net. With timing, slow critical connections
  // are then routed again in further rounds, and the routing with the shortest longest path stays.
  // Returns whether a round has ended within max_iterations. Errors: kUnsupported for a sink that
  // no path reaches.
  bool route(const std::function<void(const Iteration&)>& watch, const Retime& retime = {});

  // A node of a net's tree, and the branch that drives it (-1: a source).
  struct Branch {
    Node node;
    int32_t driver;
    float delay_ps;           // from the source
    uint8_t switch_type = 0;  // of the switch that drives it
  };
  const std::vector<Branch>& tree(size_t net) const { return trees_[net]; }
  bool is_shared(Node node) const { return states_[node].nets > 1; }

 private:
  // A node's state; one cache line holds two.
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

  // A legal routing; without trees: none yet.
  struct Legal {
    float longest_path_ps = 0;
    std::vector<std::vector<Branch>> trees;
  };

  void start_round();
  void press();
  // After a legal routing: keeps it if its longest path is the shortest so far. Returns whether
  // slow critical sinks are to be routed again.
  bool starts_better_round(float longest_ps);
  void restore_best();
  void route_net(size_t net);
  void estimate_delays();
  float delay_share(float criticality) const;
  bool is_slow(size_t net, size_t sink) const;
  bool has_slow_sinks(size_t net) const;
  // The delays of a tree with all of its branches, if the graph has loads.
  void time_tree(size_t net);
  uint8_t switch_type(Node source, Node target) const;
  void read_delays(size_t net);
  bool route_sink(size_t net, size_t number, const Box& box, int near_tiles);
  void push_tree(size_t net, const Pin& sink, int near_tiles);
  bool leads_to(const Edge& edge, const Pin& sink, const Box& box) const;
  void expand(Node node, const Pin& sink, const Box& box);
  void push(Node node, float cost, float delay_ps, Node driver, int32_t branch, const Pin& sink);
  void add_path(size_t net, Node sink);
  bool shares_nodes(size_t net) const;
  // Takes away the nodes that other nets have, too, those that they drive, the ways of slow sinks,
  // and what leads nowhere then.
  void rip_up(size_t net);
  // Takes away the branches that are not kept and those that they drive. Sources stay.
  template <typename IsKept>
  void keep_branches(size_t net, IsKept&& is_kept);
  size_t charge_shared_nodes(size_t& used);

  const RoutingGraph& graph_;
  const std::vector<Net> nets_;
  const RoutingOptions options_;
  ByNode<State> states_;
  std::vector<std::vector<Branch>> trees_;  // by net
  std::vector<Box> boxes_;                  // by net
  std::vector<int> failures_;               // by net: iterations after which it shared nodes
  SinkValues delays_ps_;
  SinkValues quickest_ps_;  // that delays_ps_ has been
  SinkValues criticalities_;
  std::vector<std::vector<uint8_t>> slow_tries_;  // by net and sink
  std::vector<Candidate> queue_;                  // a heap
  Legal best_;                                    // of the rounds that have ended
  uint32_t search_ = 0;
  uint32_t reached_mark_ = 0;
  int fruitless_rounds_ = 0;
  int round_iterations_ = 0;
  double sharing_cost_ = 0;
  double history_cost_ = 0;
  double max_delay_share_ = 0;
  bool is_timed_ = false;
  float delay_share_ = 0;  // of the sink that is being routed
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_PATH_FINDER_H_
