// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/lut_mapping.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "hw/hlsc/estimate/carry_delays.h"

namespace vta::hlsc::estimate {
namespace {

constexpr size_t kCutsPerNode = 8;
// What synthesis assumes of a net (NET_PS in scripts/fpga/synthesis.py), a LUT and a DSP48E1.
constexpr float kNetNs = 0.7F, kLutNs = 0.124F, kProductNs = 3.84F;
constexpr std::array<float, 4> kLaunchNs = {0.456F, 2.454F, 1.279F, 0.434F};  // by SourceKind

struct Cut {
  Lut lut;
  float arrival_ns = 0, area = 0;
};

bool is_gate(const Node& node) {
  return node.kind == NodeKind::kAnd || node.kind == NodeKind::kXor;
}

class Mapper {
 public:
  explicit Mapper(const BitGraph& graph)
      : graph_(graph),
        nodes_(graph.nodes()),
        cuts_(nodes_.size()),
        arrival_ns_(nodes_.size()),
        area_(nodes_.size()),
        references_(nodes_.size()) {}

  Mapping run(const Bits& roots) {
    count_references(roots);
    for (uint32_t node = 1; node < nodes_.size(); ++node) arrive(node);
    float latest = 0;
    for (Bit root : roots) latest = std::max(latest, arrival_ns_[node_of(root)]);
    required_ns_.assign(nodes_.size(), std::numeric_limits<float>::max());
    mapping_.luts.resize(nodes_.size());
    mapping_.used.resize(nodes_.size());
    mapping_.fan_out.resize(nodes_.size());
    for (Bit root : roots) use(root, latest);
    for (uint32_t node = static_cast<uint32_t>(nodes_.size()); node-- > 1;) {
      if (mapping_.used[node]) choose(node);
    }
    return std::move(mapping_);
  }

 private:
  void count_references(const Bits& roots) {
    const auto count = [&](const Bits& bits) {
      for (Bit bit : bits) ++references_[node_of(bit)];
    };
    count(roots);
    for (const Node& node : nodes_) {
      if (is_gate(node)) count({node.a, node.b});
    }
    for (const Chain& chain : graph_.chains()) {
      count(chain.select);
      count(chain.data);
    }
    for (const Bits& product : graph_.products()) count(product);
  }

  void arrive(uint32_t id) {
    const Node& node = nodes_[id];
    switch (node.kind) {
      case NodeKind::kConstant:
        return;
      case NodeKind::kSource:
        arrival_ns_[id] = kLaunchNs[static_cast<size_t>(node.source)];
        break;
      case NodeKind::kAnd:
      case NodeKind::kXor:
        return enumerate(id);
      case NodeKind::kSum:
      case NodeKind::kCarry:
        each_chain_input(node, [&](Bit input, double ns) {
          arrival_ns_[id] =
              std::max(arrival_ns_[id], arrival_ns_[node_of(input)] + static_cast<float>(ns));
        });
        break;
      case NodeKind::kProduct:
        for (Bit input : graph_.products()[node.a])
          arrival_ns_[id] =
              std::max(arrival_ns_[id], arrival_ns_[node_of(input)] + kNetNs + kProductNs);
        break;
    }
    cuts_[id] = {trivial(id)};
  }

  // Each input of the chain that the output depends on, with the delay in between.
  template <typename Each>
  void each_chain_input(const Node& node, Each&& each) const {
    const Chain& chain = graph_.chains()[node.a];
    for (uint32_t i = 0; i <= node.b; ++i) {
      const double ns =
          node.kind == NodeKind::kSum ? to_sum_ns(node.b - i) : to_carry_ns(node.b - i);
      each(chain.select[i], kNetNs + ns);
      if (i < node.b || node.kind == NodeKind::kCarry) each(chain.data[i], kNetNs + ns);
    }
    if (node_of(chain.carry_in) != 0) each(chain.carry_in, kNetNs + to_sum_ns(node.b));
  }

  Cut trivial(uint32_t id) const { return {{1, {id}}, arrival_ns_[id], area_[id]}; }

  std::optional<Cut> merged(const Cut& a, const Cut& b) const {
    Cut cut;
    size_t i = 0, j = 0;
    uint8_t& size = cut.lut.size;
    while (i < a.lut.size || j < b.lut.size) {
      if (size == kLutInputs) return std::nullopt;
      uint32_t leaf;
      if (j == b.lut.size || (i < a.lut.size && a.lut.leaves[i] < b.lut.leaves[j])) {
        leaf = a.lut.leaves[i++];
      } else {
        leaf = b.lut.leaves[j];
        if (i < a.lut.size && a.lut.leaves[i] == leaf) ++i;
        ++j;
      }
      cut.lut.leaves[size++] = leaf;
      cut.arrival_ns = std::max(cut.arrival_ns, arrival_ns_[leaf]);
      cut.area += area_[leaf];
    }
    cut.arrival_ns += kNetNs + kLutNs;
    cut.area += 1;
    return cut;
  }

  void enumerate(uint32_t id) {
    const Node& node = nodes_[id];
    std::vector<Cut> found;
    for (const Cut& a : cuts_[node_of(node.a)]) {
      for (const Cut& b : cuts_[node_of(node.b)]) {
        std::optional<Cut> cut = merged(a, b);
        if (cut) found.push_back(*cut);
      }
    }
    std::ranges::sort(found, [](const Cut& a, const Cut& b) {
      return a.arrival_ns != b.arrival_ns ? a.arrival_ns < b.arrival_ns
             : a.area != b.area           ? a.area < b.area
             : a.lut.size != b.lut.size   ? a.lut.size < b.lut.size
                                          : a.lut.leaves < b.lut.leaves;
    });
    const auto same = [](const Cut& a, const Cut& b) {
      return a.lut.size == b.lut.size && a.lut.leaves == b.lut.leaves;
    };
    std::vector<Cut>& kept = cuts_[id];
    for (const Cut& cut : found) {
      if (kept.size() == kCutsPerNode) break;
      if (std::ranges::none_of(kept, [&](const Cut& other) { return same(cut, other); }))
        kept.push_back(cut);
    }
    arrival_ns_[id] = kept[0].arrival_ns;
    area_[id] = kept[0].area / static_cast<float>(std::max(1u, references_[id]));
    kept.push_back(trivial(id));
  }

  void use(Bit bit, float required_ns) {
    const uint32_t node = node_of(bit);
    if (node == 0) return;
    mapping_.used[node] = true;
    ++mapping_.fan_out[node];
    required_ns_[node] = std::min(required_ns_[node], required_ns);
  }

  void choose(uint32_t id) {
    const Node& node = nodes_[id];
    if (node.kind == NodeKind::kSum || node.kind == NodeKind::kCarry) {
      const bool is_new = chains_.insert(node.a).second;
      each_chain_input(node, [&](Bit input, double ns) {
        const uint32_t fan_out = mapping_.fan_out[node_of(input)];
        use(input, required_ns_[id] - static_cast<float>(ns));
        // Pins of a chain count once; positions above a read one are counted with it.
        if (!is_new) mapping_.fan_out[node_of(input)] = std::max(1u, fan_out);
      });
    } else if (node.kind == NodeKind::kProduct) {
      const bool is_new = products_.insert(node.a).second;
      for (Bit input : graph_.products()[node.a]) {
        const uint32_t fan_out = mapping_.fan_out[node_of(input)];
        use(input, required_ns_[id] - kNetNs - kProductNs);
        if (!is_new) mapping_.fan_out[node_of(input)] = fan_out;
      }
    } else if (is_gate(node)) {
      const std::vector<Cut>& cuts = cuts_[id];
      const Cut* best = nullptr;
      for (size_t i = 0; i + 1 < cuts.size(); ++i) {  // the last one is the node itself
        const bool meets = i == 0 || cuts[i].arrival_ns <= required_ns_[id];
        if (meets && (best == nullptr || cuts[i].area < best->area)) best = &cuts[i];
      }
      mapping_.luts[id] = best->lut;
      for (size_t i = 0; i < best->lut.size; ++i)
        use(2 * best->lut.leaves[i], required_ns_[id] - kNetNs - kLutNs);
    }
  }

  const BitGraph& graph_;
  const std::vector<Node>& nodes_;
  std::vector<std::vector<Cut>> cuts_;
  std::vector<float> arrival_ns_, area_, required_ns_;
  std::vector<uint32_t> references_;
  std::set<uint32_t> chains_, products_;
  Mapping mapping_;
};

}  // namespace

Mapping map_to_luts(const BitGraph& graph, const Bits& roots) { return Mapper(graph).run(roots); }

}  // namespace vta::hlsc::estimate
