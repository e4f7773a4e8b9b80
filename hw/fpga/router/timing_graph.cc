// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/timing_graph.h"

#include <algorithm>

namespace vta::router {

TimingGraph::TimingGraph(std::vector<float> launches_ps, const std::vector<TimedNet>& nets)
    : launches_ps_(std::move(launches_ps)),
      nets_(nets),
      nets_of_cell_(launches_ps_.size()),
      rest_ps_(launches_ps_.size()) {
  std::vector<int32_t> missing(launches_ps_.size());  // inputs that have no order yet
  for (size_t net = 0; net < nets.size(); ++net) {
    nets_of_cell_[static_cast<size_t>(nets[net].driver)].push_back(static_cast<int32_t>(net));
    shares_.emplace_back(nets[net].sinks.size());
    for (const TimedSink& sink : nets[net].sinks)
      if (!sink.ends_paths) ++missing[static_cast<size_t>(sink.cell)];
  }
  order_nets(std::move(missing));
}

// Kahn's order.
void TimingGraph::order_nets(std::vector<int32_t> missing) {
  std::vector<size_t> ready;
  std::vector<uint8_t> is_done(missing.size());
  const auto add = [&](size_t cell) {
    if (is_done[cell] == 0) ready.push_back(cell);
    is_done[cell] = 1;
  };
  for (size_t cell = 0; cell < missing.size(); ++cell)
    if (missing[cell] == 0) add(cell);
  for (size_t first_left = 0;;) {
    while (!ready.empty()) {
      const size_t cell = ready.back();
      ready.pop_back();
      for (const int32_t net : nets_of_cell_[cell]) {
        order_.push_back(net);
        for (const TimedSink& sink : nets_[static_cast<size_t>(net)].sinks)
          if (!sink.ends_paths && --missing[static_cast<size_t>(sink.cell)] == 0)
            add(static_cast<size_t>(sink.cell));
      }
    }
    while (first_left < is_done.size() && is_done[first_left] != 0) ++first_left;
    if (first_left == is_done.size()) break;
    add(first_left);  // in a loop
  }
}

float TimingGraph::update(const WirePs& wire_ps) {
  arrival_ps_ = launches_ps_;
  for (const int32_t number : order_) {
    const auto net = static_cast<size_t>(number);
    const float arrival = arrival_ps_[static_cast<size_t>(nets_[net].driver)];
    auto& connections_ps = shares_[net];
    for (size_t i = 0; i < connections_ps.size(); ++i) {
      const TimedSink& sink = nets_[net].sinks[i];
      connections_ps[i] = wire_ps(net, i) + sink.logic_ps;
      float& after = arrival_ps_[static_cast<size_t>(sink.cell)];
      if (!sink.ends_paths) after = std::max(after, arrival + connections_ps[i]);
    }
  }
  float longest = 1;
  std::ranges::fill(rest_ps_, 0.0F);
  for (auto number = order_.rbegin(); number != order_.rend(); ++number) {
    const auto net = static_cast<size_t>(*number);
    const auto driver = static_cast<size_t>(nets_[net].driver);
    for (size_t i = 0; i < shares_[net].size(); ++i) {
      const TimedSink& sink = nets_[net].sinks[i];
      const float rest =
          shares_[net][i] + (sink.ends_paths ? 0 : rest_ps_[static_cast<size_t>(sink.cell)]);
      shares_[net][i] = arrival_ps_[driver] + rest;
      longest = std::max(longest, shares_[net][i]);
      rest_ps_[driver] = std::max(rest_ps_[driver], rest);
    }
  }
  for (auto& shares : shares_)
    for (float& share : shares) share /= longest;
  return longest;
}

}  // namespace vta::router
