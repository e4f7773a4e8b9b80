// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/product_pairs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace vta::hlsc::bind {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_small_product(const ir::Process& process, const Op& op) {
  return op.opcode == Opcode::kMul && op.is_signed && op.width == kPairedProductBits &&
         std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId operand) {
           return process.ops[operand].width == kPairedFactorBits &&
                  process.ops[operand].opcode != Opcode::kConstant;
         });
}

ValueId other_operand(const Op& op, ValueId shared) {
  return op.operands[0] == shared ? op.operands[1] : op.operands[0];
}

class Pairing {
 public:
  Pairing(const ir::Process& process, std::span<const ValueId> operations) : process_(process) {
    for (ValueId value : operations) {
      if (!is_small_product(process, process.ops[value])) continue;
      products_.push_back(value);
      for (ValueId factor : factors(value)) products_of_[factor].push_back(value);
    }
  }

  std::map<ValueId, ProductPair> run() {
    pair_by_frequent_factor();
    for (ValueId product : products_) {
      if (partner_.contains(product)) continue;
      if (const std::vector<ValueId> path = path_to_unpaired(product); !path.empty())
        pair_along(path);
    }
    std::map<ValueId, ProductPair> pairs;
    for (ValueId low : products_) {
      const auto high = partner_.find(low);
      if (high == partner_.end() || pairs.contains(low)) continue;
      pairs[low] = pairs[high->second] = pair_of(low, high->second);
    }
    return pairs;
  }

 private:
  std::span<const ValueId> factors(ValueId product) const { return process_.ops[product].operands; }
  bool has_factor(ValueId product, ValueId factor) const {
    return std::ranges::find(factors(product), factor) != factors(product).end();
  }
  // The first operand of `a` that is also one of `b`.
  std::optional<ValueId> common_factor(ValueId a, ValueId b) const {
    for (ValueId factor : factors(a)) {
      if (has_factor(b, factor)) return factor;
    }
    return std::nullopt;
  }

  void pair(ValueId a, ValueId b) {
    partner_[a] = b;
    partner_[b] = a;
  }

  void pair_by_frequent_factor() {
    std::map<ValueId, ValueId> waiting;  // by the shared factor, a product without a partner
    for (ValueId product : products_) {
      const ValueId a = factors(product)[0], b = factors(product)[1];
      const ValueId shared = products_of_.at(a).size() >= products_of_.at(b).size() ? a : b;
      const auto [other, alone] = waiting.emplace(shared, product);
      if (alone) continue;
      pair(other->second, product);
      shared_.emplace(std::minmax(other->second, product), shared);
      waiting.erase(other);
    }
  }

  // The shortest chain of products, each with a factor of the next, from `start` to another
  // unpaired product; empty if there is none.
  std::vector<ValueId> path_to_unpaired(ValueId start) const {
    std::map<ValueId, ValueId> previous{{start, start}};
    std::vector<ValueId> queue{start};
    for (size_t i = 0; i < queue.size(); ++i) {
      const ValueId at = queue[i];
      if (at != start && !partner_.contains(at)) return path_from(start, at, previous);
      for (ValueId factor : factors(at)) {
        for (ValueId next : products_of_.at(factor)) {
          if (previous.emplace(next, at).second) queue.push_back(next);
        }
      }
    }
    return {};
  }
  static std::vector<ValueId> path_from(ValueId start, ValueId end,
                                        const std::map<ValueId, ValueId>& previous) {
    std::vector<ValueId> path;
    for (ValueId at = end; at != start; at = previous.at(at)) path.push_back(at);
    path.push_back(start);
    std::ranges::reverse(path);
    return path;
  }

  // Moves the unpaired product from the start of the path to its end, where it meets the other one.
  void pair_along(const std::vector<ValueId>& path) {
    ValueId unpaired = path[0];
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      const ValueId here = path[i], next = path[i + 1];
      if (common_factor(unpaired, next)) continue;
      const ValueId partner = partner_.at(here);
      // `here` has one factor in common with `unpaired` and the other with `next`; `partner` has
      // one of the two.
      const bool moves_on = common_factor(partner, next).has_value();
      pair(unpaired, moves_on ? here : partner);
      unpaired = moves_on ? partner : here;
      partner_.erase(unpaired);
    }
    pair(unpaired, path.back());
  }

  ProductPair pair_of(ValueId low, ValueId high) const {
    const auto frequent = shared_.find(std::minmax(low, high));
    const ValueId shared = frequent != shared_.end() ? frequent->second : *common_factor(low, high);
    return {low, high, other_operand(process_.ops[low], shared),
            other_operand(process_.ops[high], shared), shared};
  }

  const ir::Process& process_;
  std::vector<ValueId> products_;                        // in program order
  std::map<ValueId, std::vector<ValueId>> products_of_;  // by factor
  std::map<ValueId, ValueId> partner_;
  std::map<std::pair<ValueId, ValueId>, ValueId> shared_;
};

}  // namespace

std::map<ValueId, ProductPair> pair_products(const ir::Process& process,
                                             std::span<const ValueId> operations) {
  return Pairing(process, operations).run();
}

}  // namespace vta::hlsc::bind
