// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/product_pairs.h"

#include <algorithm>

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_small_product(const ir::Process& process, const Op& op) {
  return op.opcode == Opcode::kMul && op.is_signed && op.width == 16 &&
         std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId operand) {
           return process.ops[operand].width == 8 &&
                  process.ops[operand].opcode != Opcode::kConstant;
         });
}

ValueId other_operand(const Op& op, ValueId shared) {
  return op.operands[0] == shared ? op.operands[1] : op.operands[0];
}

}  // namespace

std::map<ValueId, ProductPair> pair_products(const ir::Process& process,
                                             std::span<const ValueId> operations) {
  std::map<ValueId, size_t> uses;
  for (ValueId value : operations) {
    const Op& op = process.ops[value];
    if (!is_small_product(process, op)) continue;
    for (ValueId operand : op.operands) ++uses[operand];
  }
  std::map<ValueId, ValueId> waiting;  // by the shared operand, a product without a partner
  std::map<ValueId, ProductPair> pairs;
  for (ValueId value : operations) {
    const Op& op = process.ops[value];
    if (!is_small_product(process, op)) continue;
    const bool first = uses.at(op.operands[0]) >= uses.at(op.operands[1]);
    const ValueId shared = op.operands[first ? 0 : 1];
    const auto [partner, alone] = waiting.emplace(shared, value);
    if (alone) continue;
    const ProductPair pair{partner->second, value,
                           other_operand(process.ops[partner->second], shared),
                           other_operand(op, shared), shared};
    pairs[pair.low] = pairs[pair.high] = pair;
    waiting.erase(partner);
  }
  return pairs;
}

}  // namespace vta::hlsc::schedule
