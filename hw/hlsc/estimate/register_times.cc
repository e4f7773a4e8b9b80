// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/register_times.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "hw/hlsc/estimate/cell_delays.h"
#include "hw/hlsc/estimate/design_bits.h"
#include "hw/hlsc/estimate/lut_mapping.h"

namespace vta::hlsc::estimate {
namespace {

constexpr double kMuxF7Ns = 0.243, kMuxF8Ns = 0.367;  // with the nets before them
constexpr double kLutNs = 0.124, kSetupNs = -0.052, kBypassNs = 0.104;
// hw/fpga/boards/timing/net_delays.json; hw/fpga/flow/net_delays.py explains the terms.
constexpr double kBaseNs = 0.245, kDoublingNs = 0.092, kSizeNs = 0.055, kFromProductNs = 0.728,
                 kFromBlockRamNs = 0.2, kFromOtherNs = 0.042, kToCarryNs = 0.152,
                 kToProductNs = 0.4, kDedicatedNs = 0.02;
constexpr double kSmallBlockCells = 1000;
constexpr uint32_t kEnabledPerSlice = 4;
constexpr uint32_t kMaxChainReaders = 2;
constexpr uint8_t kSmallLutInputs = 4;  // a LUT of at most so many can share a slice with a chain

class Timing {
 public:
  explicit Timing(const DesignBits& design) : design_(design), nodes_(design.graph.nodes()) {
    Bits roots = design.pins;
    std::map<Bit, uint32_t> enabled;
    std::set<std::pair<Bit, Bit>> inputs;  // equal flip-flops are one
    register_inputs_.resize(nodes_.size());
    for (const RegisterBits& it : design.registers) {
      for (Bit bit : it.next) {
        if (!inputs.insert({bit, it.enable}).second) continue;
        ++register_inputs_[node_of(bit)];
        roots.push_back(bit);
      }
      enabled[it.enable] += static_cast<uint32_t>(it.next.size());
    }
    for (const auto& [enable, count] : enabled)
      roots.insert(roots.end(), (count + kEnabledPerSlice - 1) / kEnabledPerSlice, enable);
    mapping_ = map_to_luts(design.graph, roots);
    count_cells();
    arrival_ns_.resize(nodes_.size());
    for (uint32_t node = 1; node < nodes_.size(); ++node) {
      if (mapping_.used[node]) arrival_ns_[node] = arrival(node);
    }
  }

  double period_ns(const RegisterBits& it) const {
    double latest = 0;
    for (Bit bit : it.next) {
      if (node_of(bit) != 0) latest = std::max(latest, at_register(node_of(bit)));
    }
    return latest;
  }

 private:
  // Doublings of the cells of each process.
  void count_cells() {
    std::vector<double> cells(design_.blocks.size());
    for (uint32_t node = 1; node < nodes_.size(); ++node) {
      const NodeKind kind = nodes_[node].kind;
      if (!mapping_.used[node]) continue;
      cells[nodes_[node].block] += is_chain_output(kind) ? 0.25 : 1;
    }
    for (double count : cells) {
      size_ns_.push_back(kSizeNs * std::log2(std::max(1.0, count / kSmallBlockCells)));
    }
  }

  // From a node to any of its readers.
  double net_ns(uint32_t node) const {
    double ns = kBaseNs + size_ns_[nodes_[node].block] +
                kDoublingNs * std::log2(std::max(1u, mapping_.fan_out[node]));
    if (nodes_[node].kind == NodeKind::kProduct) ns += kFromProductNs;
    if (nodes_[node].kind == NodeKind::kSource) {
      if (nodes_[node].source == SourceKind::kBlockRam) ns += kFromBlockRamNs;
      if (nodes_[node].source == SourceKind::kLutRam) ns += kFromOtherNs;
      if (nodes_[node].source == SourceKind::kProductRegister ||
          nodes_[node].source == SourceKind::kSumRegister)
        ns += kFromProductNs;
    }
    return ns;
  }

  // A flip-flop is in the slice of the LUT or chain before it, if it is the only one there.
  double at_register(uint32_t node) const {
    const NodeKind kind = nodes_[node].kind;
    const bool has_few_readers = mapping_.fan_out[node] <= kMaxChainReaders;
    const bool is_near = register_inputs_[node] == 1 &&
                         (is_gate(kind) || (is_chain_output(kind) && has_few_readers));
    return arrival_ns_[node] + kSetupNs + (is_near ? kDedicatedNs : net_ns(node) + kBypassNs);
  }

  double at_chain(Bit bit, bool is_select) const {
    const uint32_t node = node_of(bit);
    if (node == 0) return 0;
    const Lut& lut = mapping_.luts[node];
    if (lut.size > 0 && lut.size <= kSmallLutInputs && mapping_.fan_out[node] == 1)
      return arrival_ns_[node] + kDedicatedNs;
    return arrival_ns_[node] + net_ns(node) + kToCarryNs + (is_select ? kLutNs : 0);
  }

  double arrival(uint32_t id) const {
    const Node& node = nodes_[id];
    switch (node.kind) {
      case NodeKind::kConstant:
        return 0;
      case NodeKind::kSource:
        return launch_ns(node.source);
      case NodeKind::kAnd:
      case NodeKind::kXor:
        return of_lut(mapping_.luts[id]);
      case NodeKind::kSum:
      case NodeKind::kCarry:
        return of_chain(node);
      case NodeKind::kProduct:
        return of_product(design_.graph.products()[node.a]);
    }
    return 0;
  }

  double of_lut(const Lut& lut) const {
    double latest = 0;
    for (size_t i = 0; i < lut.size; ++i)
      latest = std::max(latest, arrival_ns_[lut.leaves[i]] + net_ns(lut.leaves[i]));
    return latest + kLutNs + (lut.size == 7 ? kMuxF7Ns : lut.size == 8 ? kMuxF8Ns : 0);
  }

  double of_product(const Product& product) const {
    const double through = product.is_registered ? kAddendNs : kProductNs;
    double latest = product.is_registered ? launch_ns(SourceKind::kProductRegister) : 0;
    for (Bit bit : product.operands)
      latest = std::max(latest,
                        arrival_ns_[node_of(bit)] + net_ns(node_of(bit)) + kToProductNs + through);
    return latest;
  }

  double of_chain(const Node& node) const {
    const Chain& chain = design_.graph.chains()[node.a];
    const bool is_sum = node.kind == NodeKind::kSum;
    double latest = at_chain(chain.carry_in, false) + to_sum_ns(node.b);
    for (uint32_t i = 0; i <= node.b; ++i) {
      const double ns = is_sum ? to_sum_ns(node.b - i) : to_carry_ns(node.b - i);
      latest = std::max(latest, at_chain(chain.select[i], true) + ns);
      if (i < node.b || !is_sum) latest = std::max(latest, at_chain(chain.data[i], false) + ns);
    }
    return latest;
  }

  const DesignBits& design_;
  const std::vector<Node>& nodes_;
  Mapping mapping_;
  std::vector<double> arrival_ns_, size_ns_;
  std::vector<uint32_t> register_inputs_;  // by node: D pins that it drives
};

}  // namespace

RegisterTimes register_times(const rtl::File& file) {
  const DesignBits design = design_bits(file);
  const Timing timing(design);
  RegisterTimes times;
  for (const RegisterBits& it : design.registers) {
    if (it.is_in_dsp) continue;
    const auto is_flip_flop = [&](Bit bit) {
      return bit != kZero && (bit != kOne || it.has_reset);  // a constant needs none
    };
    const auto flip_flops = static_cast<size_t>(std::ranges::count_if(it.next, is_flip_flop));
    times[{it.process, it.name}] = {timing.period_ns(it), flip_flops};
  }
  return times;
}

}  // namespace vta::hlsc::estimate
