// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/multipliers.h"

#include <algorithm>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::bind {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint32_t kWide = 25, kNarrow = 18;  // factors of a DSP48E1, signed
static_assert(kPackedFactorBits <= kWide && kPairedFactorBits <= kNarrow, "a pair is one DSP48E1");
constexpr uint32_t kPartBits = 17;  // unsigned; a cascade shifts by as many
// Below these a product is LUTs.
constexpr uint32_t kMinFactorBits = 2, kMinProductBits = 9;

struct Factor {
  uint32_t bits;  // without its extension
  bool is_unsigned;
};

// An unsigned factor needs a further bit in a DSP48E1, whose inputs are signed.
uint32_t signed_bits(const Factor& factor) { return factor.bits + (factor.is_unsigned ? 1 : 0); }

Factor factor_of(const ir::Process& process, ValueId value, bool is_signed) {
  const Op& op = process.ops[value];
  if (op.opcode == Opcode::kConstant) {
    return is_signed ? Factor{op.constant.getSignificantBits(), false}
                     : Factor{op.constant.getActiveBits(), true};
  }
  if (op.opcode == Opcode::kZext) return {factor_of(process, op.operands[0], false).bits, true};
  if (is_signed && op.opcode == Opcode::kSext) return factor_of(process, op.operands[0], true);
  return {op.width, !is_signed};
}

// A factor is one part if it fits into `whole` bits; each further part adds kPartBits.
uint32_t num_parts(uint32_t bits, uint32_t whole) {
  return bits <= whole ? 1 : 1 + (bits - whole + kPartBits - 1) / kPartBits;
}

uint32_t dsp48e1(const ir::Process& process, const Op& op) {
  const Factor a = factor_of(process, op.operands[0], op.is_signed),
               b = factor_of(process, op.operands[1], op.is_signed);
  const auto [narrow, wide] = std::minmax({signed_bits(a), signed_bits(b)});
  if (std::min(a.bits, b.bits) < kMinFactorBits ||
      std::min(op.width, a.bits + b.bits) < kMinProductBits)
    return 0;
  return num_parts(wide, kWide) * num_parts(narrow, kNarrow);
}

bool needs_multiplier(const ir::Process& process, const Op& op) {
  return op.opcode == Opcode::kMul && std::ranges::none_of(op.operands, [&](ValueId operand) {
           const Op& factor = process.ops[operand];
           return factor.opcode == Opcode::kConstant && factor.constant.isPowerOf2();
         });
}

}  // namespace

std::vector<Multiplier> multipliers(const ir::Process& process,
                                    const std::map<ValueId, ProductPair>& pairs) {
  std::vector<Multiplier> all;
  ir::for_each_op(process.body, [&](ValueId value) {
    const Op& op = process.ops[value];
    if (!needs_multiplier(process, op)) return;
    const auto pair = pairs.find(value);
    if (pair == pairs.end()) {
      all.push_back({{value}, dsp48e1(process, op)});
    } else if (pair->second.low == value) {
      all.push_back({{value, pair->second.high}, 1});
    }
  });
  return all;
}

}  // namespace vta::hlsc::bind
