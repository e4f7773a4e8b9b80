// SPDX-License-Identifier: Apache-2.0
//
// Static timing of a netlist whose wires have delays from elsewhere: an estimate or a routing.
#ifndef VTA_HW_FPGA_ROUTER_TIMING_GRAPH_H_
#define VTA_HW_FPGA_ROUTER_TIMING_GRAPH_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace vta::router {

// An input of a cell. `logic_ps`: from the input to the cell's outputs, or the setup time where
// paths end: at a register's input, or one of a memory that is written by the clock.
struct TimedSink {
  int32_t cell = 0;
  float logic_ps = 0;
  bool ends_paths = false;
};

struct TimedNet {
  int32_t driver = 0;  // a cell
  std::vector<TimedSink> sinks;
};

// `cells` have a `launch_ps` each.
template <typename Cells>
std::vector<float> launches_ps(const Cells& cells) {
  std::vector<float> launches;
  for (const auto& cell : cells) launches.push_back(cell.launch_ps);
  return launches;
}

class TimingGraph {
 public:
  // `launches_ps`: by cell, from the clock to its outputs; 0 for logic. `nets` must live as long as
  // this object. Combinational loops are cut where they are found.
  TimingGraph(std::vector<float> launches_ps, const std::vector<TimedNet>& nets);

  // The longest path in ps, for wires of the delay wire_ps(net, sink's index). Afterwards
  // shares(net)[i] is the longest path through sink i of the net, as a share of that: 0 to 1.
  using WirePs = std::function<float(size_t net, size_t sink)>;
  float update(const WirePs& wire_ps);
  const std::vector<float>& shares(size_t net) const { return shares_[net]; }

 private:
  void order_nets(std::vector<int32_t> missing);

  const std::vector<float> launches_ps_;
  const std::vector<TimedNet>& nets_;
  std::vector<int32_t> order_;                      // nets, each after those that its driver reads
  std::vector<std::vector<int32_t>> nets_of_cell_;  // that a cell drives
  std::vector<float> arrival_ps_;                   // by cell, at its outputs
  std::vector<float> rest_ps_;                      // by cell, from its outputs to the end of paths
  std::vector<std::vector<float>> shares_;          // by net and sink
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_TIMING_GRAPH_H_
