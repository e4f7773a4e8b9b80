// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/lut_mapping.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "hw/hlsc/estimate/cell_delays.h"

namespace vta::hlsc::estimate {
namespace {

constexpr size_t kCutsPerNode = 8;
constexpr float kNetNs = 0.7F;  // what synthesis assumes of a net: NET_PS in synthesis.py
constexpr float kNever = std::numeric_limits<float>::max();

// Area of a LUT by its inputs, as yosys' abc9 takes it for this family.
constexpr std::array<float, kLutInputs + 1> kLutArea = {0, 1, 2, 3, 3, 3, 5, 10, 20};
constexpr std::array<float, 6> kPinNs = {0.127F, 0.238F, 0.407F, 0.472F, 0.631F, 0.642F};
constexpr float kMuxF7Ns = 0.397F, kMuxF8Ns = 0.519F;  // from a LUT's input
constexpr float kSelectF7Ns = 0.470F, kSelectF8Ns = 0.592F;

// A LUT and a bit of 64 for each of its leaves: with more than kLutInputs bits it has too many.
struct Candidate {
  Lut lut;
  uint64_t signature = 0;

  bool operator==(const Candidate& other) const {
    return signature == other.signature && lut.size == other.lut.size &&
           lut.leaves == other.lut.leaves;
  }
};

struct Cut : Candidate {
  float arrival_ns = 0, area = 0;
};

using Delays = std::array<float, kLutInputs>;

// From each input to the output, the net before it included. The latest input takes the quickest
// pin.
Delays delays_of(const Delays& arrivals_ns, uint8_t size) {
  std::array<uint8_t, kLutInputs> order{};  // by insertion, descending
  for (uint8_t i = 0; i < size; ++i) {
    uint8_t place = i;
    for (; place > 0 && arrivals_ns[order[place - 1]] < arrivals_ns[i]; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  const size_t selects = size <= kPinNs.size() ? 0 : size - kPinNs.size();
  const float mux = selects == 0 ? 0 : selects == 1 ? kMuxF7Ns : kMuxF8Ns;
  const float select = selects == 1 ? kSelectF7Ns : kSelectF8Ns;
  Delays delays{};
  for (size_t i = 0; i < size; ++i)
    delays[order[i]] = kNetNs + (i < selects ? select : kPinNs[i - selects] + mux);
  return delays;
}

// What a round minimizes. Areas: among cuts that arrive in time.
enum class Goal : uint8_t {
  kArrival,
  kAreaFlow,  // the area of all LUTs before a cut, shared among their readers
  kArea,      // of the LUTs that only the cut reads
};

class Mapper {
 public:
  explicit Mapper(const BitGraph& graph)
      : graph_(graph),
        nodes_(graph.nodes()),
        needed_(nodes_.size()),
        cuts_(nodes_.size()),
        arrival_ns_(nodes_.size()),
        area_(nodes_.size()),
        required_ns_(nodes_.size(), kNever),
        references_(nodes_.size()),
        mapping_{std::vector<Lut>(nodes_.size()), std::vector<bool>(nodes_.size()),
                 std::vector<uint32_t>(nodes_.size())} {}

  Mapping run(const Bits& roots) {
    find_needed(roots);
    count_references(roots);
    arrive();
    float latest = 0;
    for (Bit root : roots) latest = std::max(latest, arrival_ns_[node_of(root)]);
    cover(roots, latest);
    for (Goal goal : {Goal::kAreaFlow, Goal::kArea, Goal::kArea}) {
      goal_ = goal;
      arrive();
      cover(roots, latest);
    }
    for (uint32_t id = 1; id < nodes_.size(); ++id)
      if (!mapping_.used[id]) mapping_.luts[id] = {};
    return std::move(mapping_);
  }

 private:
  // What the roots depend on. Of a table's shifts most gates have no reader.
  void find_needed(const Bits& roots) {
    const auto need = [this](Bit bit, double /*ns*/ = 0) { needed_[node_of(bit)] = true; };
    std::ranges::for_each(roots, [&](Bit root) { need(root); });
    for (uint32_t id = static_cast<uint32_t>(nodes_.size()); id-- > 1;) {
      const Node& node = nodes_[id];
      if (!needed_[id]) continue;
      if (is_gate(node.kind)) {
        need(node.a);
        need(node.b);
      } else if (is_chain_output(node.kind)) {
        each_chain_input(node, need);
      } else if (node.kind == NodeKind::kProduct) {
        each_product_input(node, need);
      }
    }
  }

  void count_references(const Bits& roots) {
    const auto count = [&](const Bits& bits) {
      for (Bit bit : bits) ++references_[node_of(bit)];
    };
    count(roots);
    for (const Node& node : nodes_) {
      if (is_gate(node.kind)) count({node.a, node.b});
    }
    for (const Chain& chain : graph_.chains()) {
      count(chain.select);
      count(chain.data);
    }
    for (const Product& product : graph_.products()) count(product.operands);
  }

  // Cuts of all gates, with the arrivals of those of this round before them.
  void arrive() {
    for (uint32_t id = 1; id < nodes_.size(); ++id) {
      if (!needed_[id]) continue;
      if (is_gate(nodes_[id].kind)) {
        enumerate(id);
      } else {
        arrival_ns_[id] = arrival(nodes_[id]);
        cuts_[id] = {trivial(id)};
      }
    }
  }

  float arrival(const Node& node) const {
    float latest = 0;
    const auto after = [&](Bit input, double ns) {
      latest = std::max(latest, arrival_ns_[node_of(input)] + static_cast<float>(ns));
    };
    if (node.kind == NodeKind::kSource) return static_cast<float>(launch_ns(node.source));
    if (node.kind == NodeKind::kProduct) {
      each_product_input(node, after);
      if (graph_.products()[node.a].is_registered)
        latest = std::max(latest, static_cast<float>(launch_ns(SourceKind::kProductRegister)));
    } else {
      each_chain_input(node, after);
    }
    return latest;
  }

  template <typename Each>
  void each_product_input(const Node& node, Each&& each) const {
    const Product& product = graph_.products()[node.a];
    for (Bit input : product.operands)
      each(input, kNetNs + (product.is_registered ? kAddendNs : kProductNs));
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

  Cut trivial(uint32_t id) const {
    return {{{1, {id}}, uint64_t{1} << id % 64}, arrival_ns_[id], area_[id]};
  }

  Delays arrivals_of(const Lut& lut) const {
    Delays arrivals{};
    for (size_t i = 0; i < lut.size; ++i) arrivals[i] = arrival_ns_[lut.leaves[i]];
    return arrivals;
  }

  static std::optional<Candidate> merged(const Cut& first, const Cut& second) {
    const uint64_t signature = first.signature | second.signature;
    if (std::popcount(signature) > static_cast<int>(kLutInputs)) return std::nullopt;
    const Lut &a = first.lut, &b = second.lut;
    Lut lut;
    size_t i = 0, j = 0;
    while (i < a.size || j < b.size) {
      if (lut.size == kLutInputs) return std::nullopt;
      const bool takes_a = j == b.size || (i < a.size && a.leaves[i] <= b.leaves[j]);
      const uint32_t leaf = takes_a ? a.leaves[i] : b.leaves[j];
      if (i < a.size && a.leaves[i] == leaf) ++i;
      if (j < b.size && b.leaves[j] == leaf) ++j;
      lut.leaves[lut.size++] = leaf;
    }
    return Candidate{lut, signature};
  }

  // Merges each pair of the operands' cuts, once: most pairs of a table's gates are equal.
  const std::vector<Candidate>& merged_cuts(const Node& node) {
    merged_.clear();
    for (const Cut& a : cuts_[node_of(node.a)]) {
      for (const Cut& b : cuts_[node_of(node.b)]) {
        const std::optional<Candidate> cut = merged(a, b);
        if (cut && std::ranges::find(merged_, *cut) == merged_.end()) merged_.push_back(*cut);
      }
    }
    return merged_;
  }

  Cut cut_of(const Candidate& candidate) {
    const Lut& lut = candidate.lut;
    const Delays arrivals = arrivals_of(lut), delays = delays_of(arrivals, lut.size);
    Cut cut{candidate, 0, kLutArea[lut.size]};
    for (size_t i = 0; i < lut.size; ++i)
      cut.arrival_ns = std::max(cut.arrival_ns, arrivals[i] + delays[i]);
    if (goal_ == Goal::kArea) {
      cut.area = take(lut);
      give_back(lut);
    } else {
      for (size_t i = 0; i < lut.size; ++i) cut.area += area_[lut.leaves[i]];
    }
    return cut;
  }

  // Counts a LUT's readings; returns its area and that of LUTs that nothing read before.
  float take(const Lut& lut) {
    float area = kLutArea[lut.size];
    for (size_t i = 0; i < lut.size; ++i) {
      const uint32_t leaf = lut.leaves[i];
      if (mapping_.fan_out[leaf]++ == 0) area += take(mapping_.luts[leaf]);
    }
    return area;
  }

  void give_back(const Lut& lut) {
    for (size_t i = 0; i < lut.size; ++i) {
      const uint32_t leaf = lut.leaves[i];
      if (--mapping_.fan_out[leaf] == 0) give_back(mapping_.luts[leaf]);
    }
  }

  // By arrival, or by area among those that arrive in time.
  bool is_better(const Cut& a, const Cut& b, float required_ns) const {
    const auto key = [&](const Cut& cut) {
      const bool by_arrival = goal_ == Goal::kArrival || cut.arrival_ns > required_ns;
      const float size = cut.lut.size;
      return by_arrival ? std::tuple(true, cut.arrival_ns, cut.area, size, cut.lut.leaves)
                        : std::tuple(false, cut.area, size, cut.arrival_ns, cut.lut.leaves);
    };
    return key(a) < key(b);
  }

  void enumerate(uint32_t id) {
    const Node& node = nodes_[id];
    const bool is_used = mapping_.fan_out[id] > 0;
    if (goal_ == Goal::kArea && is_used) give_back(mapping_.luts[id]);
    std::vector<Cut> found;
    for (const Candidate& cut : merged_cuts(node)) found.push_back(cut_of(cut));
    const size_t kept = std::min(found.size(), kCutsPerNode);
    std::ranges::partial_sort(
        found, found.begin() + static_cast<std::ptrdiff_t>(kept),
        [&](const Cut& a, const Cut& b) { return is_better(a, b, required_ns_[id]); });
    found.resize(kept);
    arrival_ns_[id] = found[0].arrival_ns;
    area_[id] = found[0].area / static_cast<float>(std::max(1u, references_[id]));
    if (goal_ == Goal::kArea) {
      mapping_.luts[id] = found[0].lut;
      if (is_used) take(found[0].lut);
    }
    found.push_back(trivial(id));
    cuts_[id] = std::move(found);
  }

  // Takes the best cut of every gate that is read, and notes when each must have its value.
  void cover(const Bits& roots, float latest) {
    mapping_.used.assign(nodes_.size(), false);
    mapping_.fan_out.assign(nodes_.size(), 0);
    for (uint32_t id = 1; id < nodes_.size(); ++id)
      if (needed_[id] && is_gate(nodes_[id].kind)) mapping_.luts[id] = cuts_[id][0].lut;
    std::ranges::fill(required_ns_, kNever);
    chains_.clear();
    products_.clear();
    for (Bit root : roots) use(root, latest);
    for (uint32_t id = static_cast<uint32_t>(nodes_.size()); id-- > 1;) {
      if (mapping_.used[id]) choose(id);
    }
    for (uint32_t id = 1; id < nodes_.size(); ++id) {
      if (mapping_.used[id]) references_[id] = mapping_.fan_out[id];
    }
  }

  void use(Bit bit, float required_ns) {
    const uint32_t node = node_of(bit);
    if (node == 0) return;
    mapping_.used[node] = true;
    ++mapping_.fan_out[node];
    required_ns_[node] = std::min(required_ns_[node], required_ns);
  }

  // A pin that is read again through the same chain or product.
  void use_again(Bit bit, float required_ns) {
    const uint32_t fan_out = mapping_.fan_out[node_of(bit)];
    use(bit, required_ns);
    mapping_.fan_out[node_of(bit)] = std::max(1u, fan_out);
  }

  void choose(uint32_t id) {
    const Node& node = nodes_[id];
    const auto use_inputs = [&](bool is_new) {
      return [this, id, is_new](Bit input, double ns) {
        const float required_ns = required_ns_[id] - static_cast<float>(ns);
        is_new ? use(input, required_ns) : use_again(input, required_ns);
      };
    };
    if (is_chain_output(node.kind)) {
      each_chain_input(node, use_inputs(chains_.insert(node.a).second));
    } else if (node.kind == NodeKind::kProduct) {
      each_product_input(node, use_inputs(products_.insert(node.a).second));
    } else if (is_gate(node.kind)) {
      const Lut& lut = cuts_[id][0].lut;
      const Delays delays = delays_of(arrivals_of(lut), lut.size);
      for (size_t i = 0; i < lut.size; ++i) use(2 * lut.leaves[i], required_ns_[id] - delays[i]);
    }
  }

  const BitGraph& graph_;
  const std::vector<Node>& nodes_;
  std::vector<bool> needed_;            // by node
  std::vector<std::vector<Cut>> cuts_;  // the best first, the node itself last
  std::vector<float> arrival_ns_, area_, required_ns_;
  std::vector<uint32_t> references_;
  std::set<uint32_t> chains_, products_;
  std::vector<Candidate> merged_;  // of merged_cuts()
  Goal goal_ = Goal::kArrival;
  Mapping mapping_;
};

}  // namespace

Mapping map_to_luts(const BitGraph& graph, const Bits& roots) { return Mapper(graph).run(roots); }

}  // namespace vta::hlsc::estimate
