// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/multipliers.h"

#include <algorithm>
#include <memory>
#include <variant>

namespace vta::hlsc::bind {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

uint32_t parts(uint32_t whole, uint32_t each) { return (whole + each - 1) / each; }

uint32_t dsp48e1(const ir::Process& process, const Op& op) {
  const uint32_t a = process.ops[op.operands[0]].width, b = process.ops[op.operands[1]].width;
  const uint32_t wide = std::max(a, b), narrow = std::min(a, b);
  const bool low_bits_only = op.width == narrow && op.width <= 32;
  const uint32_t count = parts(wide, 25) * parts(narrow, 18);
  return low_bits_only ? std::min(count, 2u) : count;
}

bool needs_multiplier(const ir::Process& process, const Op& op) {
  return op.opcode == Opcode::kMul && std::ranges::none_of(op.operands, [&](ValueId operand) {
           return process.ops[operand].opcode == Opcode::kConstant;
         });
}

void collect(const ir::Process& process, const std::map<ValueId, ProductPair>& pairs,
             const ir::Sequence& items, std::vector<Multiplier>& all) {
  for (const ir::Item& item : items) {
    if (const auto* loop = std::get_if<std::unique_ptr<ir::Loop>>(&item)) {
      collect(process, pairs, (*loop)->head, all);
      collect(process, pairs, (*loop)->body, all);
      continue;
    }
    const ValueId value = std::get<ValueId>(item);
    const Op& op = process.ops[value];
    if (!needs_multiplier(process, op)) continue;
    const auto pair = pairs.find(value);
    if (pair == pairs.end()) {
      all.push_back({{value}, dsp48e1(process, op)});
    } else if (pair->second.low == value) {
      all.push_back({{value, pair->second.high}, 1});
    }
  }
}

}  // namespace

bool is_wide_product(const ir::Process& process, const Op& op) {
  constexpr uint32_t kUnsignedDspBits = 24, kMaxBits = 32;
  if (op.opcode != Opcode::kMul || op.width <= kUnsignedDspBits || op.width > kMaxBits)
    return false;
  return std::ranges::all_of(op.operands, [&](ValueId operand) {
    const Op& factor = process.ops[operand];
    return factor.width == op.width && factor.opcode != Opcode::kConstant;
  });
}

std::vector<Multiplier> multipliers(const ir::Process& process,
                                    const std::map<ValueId, ProductPair>& pairs) {
  std::vector<Multiplier> all;
  collect(process, pairs, process.body, all);
  return all;
}

}  // namespace vta::hlsc::bind
