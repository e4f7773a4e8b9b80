// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/packed_sums.h"

#include <set>

#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::bind {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class Packer {
 public:
  Packer(const ir::Process& process, const schedule::PipelinedBody& body,
         const std::map<ValueId, ProductPair>& pairs)
      : process_(process), body_(body), pairs_(pairs), uses_(ir::count_uses(process)) {}

  std::map<ValueId, PackedSum> run() {
    std::map<std::set<ValueId>, ValueId> sums;  // by their products
    for (ValueId value : body_.order()) {
      if (const std::set<ValueId> products = products_of(value); !products.empty())
        sums.emplace(products, value);
    }
    std::map<ValueId, PackedSum> packed;
    for (const auto& [products, sum] : sums) {
      const std::set<ValueId> partners = high_products(products);
      const auto other = sums.find(partners);
      if (partners.empty() || other == sums.end() || !are_alike(sum, other->second)) continue;
      PackedSum both{sum, other->second, {}};
      for (ValueId product : products) both.pairs.push_back(pairs_.at(product));
      packed.emplace(sum, both);
      packed.emplace(other->second, both);
    }
    return packed;
  }

 private:
  // Same width, same stage.
  bool are_alike(ValueId sum, ValueId other) const {
    return process_.ops[sum].width == process_.ops[other].width &&
           body_.stage(sum) == body_.stage(other);
  }

  // The products of a long sum, if all its terms are products of pairs and used nowhere else; else
  // none.
  std::set<ValueId> products_of(ValueId sum) const {
    const Op& op = process_.ops[sum];
    std::set<ValueId> products;
    if (op.opcode != Opcode::kSum || op.operands.size() < schedule::kLongSum) return products;
    for (ValueId term : op.operands) {
      const bool extended = process_.ops[term].opcode == Opcode::kSext;
      const ValueId product = extended ? process_.ops[term].operands[0] : term;
      const bool alone = uses_[term] == 1 && uses_[product] == 1;
      if (!alone || !pairs_.contains(product) || body_.stage(product) >= body_.stage(sum))
        return {};
      products.insert(product);
    }
    return products;
  }

  // The high products of the pairs with these low products; none if one is not a low product.
  std::set<ValueId> high_products(const std::set<ValueId>& products) const {
    std::set<ValueId> partners;
    for (ValueId product : products) {
      const ProductPair& pair = pairs_.at(product);
      if (pair.low != product) return {};
      partners.insert(pair.high);
    }
    return partners;
  }

  const ir::Process& process_;
  const schedule::PipelinedBody& body_;
  const std::map<ValueId, ProductPair>& pairs_;
  const std::vector<uint32_t> uses_;
};

}  // namespace

std::map<ValueId, PackedSum> pack_sums(const ir::Process& process,
                                       const schedule::PipelinedBody& body,
                                       const std::map<ValueId, ProductPair>& pairs) {
  return Packer(process, body, pairs).run();
}

}  // namespace vta::hlsc::bind
