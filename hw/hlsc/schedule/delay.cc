// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/delay.h"

#include <algorithm>
#include <bit>

namespace vta::hlsc::schedule {

using ir::DelayClass;
using ir::Op;
using ir::Opcode;

namespace {

constexpr double kLutNs = 0.9;  // one level with its net

// A LUT, a carry chain of 0.03 ns a bit, and a net.
double adder_ns(uint32_t bits) { return 1.6 + 0.03 * bits; }

// A tree of ternary adders, each no wider than the sum of its terms needs.
double adder_tree_ns(const ir::Process& process, const Op& op) {
  uint32_t bits = 1;
  for (ir::ValueId operand : op.operands) {
    const Op& term = process.ops[operand];
    const bool is_extended = term.opcode == Opcode::kZext || term.opcode == Opcode::kSext;
    bits = std::max(bits, is_extended ? process.ops[term.operands[0]].width : term.width);
  }
  const auto carries = static_cast<uint32_t>(std::bit_width(op.operands.size()));
  return adder_ns(std::min(op.width, bits + carries)) * 0.5 * carries;
}

// A tree of two-input adders. The low bits of a sum arrive before its high bits, so only the
// carries of the last adder count.
double partial_sums_ns(size_t terms) {
  constexpr double kAdderNs = 1.6, kLastCarryNs = 0.6;
  const int levels = std::bit_width(terms - 1);
  return kAdderNs * levels + kLastCarryNs;
}

// From the product registers of two DSP48E1, through the adder of one of them.
constexpr double kProductSumNs = 4.3;

// A LUT of six inputs compares up to three bits of both operands, two levels up to 18 bits; for
// more bits a carry chain is faster.
double comparator_ns(uint32_t bits) {
  if (bits <= 3) return kLutNs;
  return bits <= 18 ? 2 * kLutNs : 1.5 + 0.015 * bits;
}

bool fits_a_dsp(const ir::Process& process, const ir::Op& op) {
  const uint32_t a = process.ops[op.operands[0]].width, b = process.ops[op.operands[1]].width;
  return std::max(a, b) <= kDspWideBits && std::min(a, b) <= kDspNarrowBits;
}

// Whether the factors are in the registers A and B of a DSP48E1.
bool is_staged(const ir::Process& process, const ir::Op& product) {
  const auto is_in_register = [&](ir::ValueId factor) {
    const Op* op = &process.ops[factor];
    if (op->opcode == Opcode::kZext) op = &process.ops[op->operands[0]];
    return op->opcode == Opcode::kStage || op->opcode == Opcode::kConstant;
  };
  return fits_a_dsp(process, product) && std::ranges::all_of(product.operands, is_in_register);
}

// From the registers A and B to the register M: 2.1 ns with the setup time, of which kRegisterNs
// is counted already.
constexpr double kStagedProductNs = 0.9;

double multiplier_ns(const ir::Process& process, const ir::Op& op) {
  if (is_staged(process, op)) return kStagedProductNs;
  return fits_a_dsp(process, op) ? 4.7 : 7.8;  // one DSP48E1, or a row of them
}

double shifter_ns(const ir::Process& process, const ir::Op& op) {
  const ir::Op& amount = process.ops[op.operands[1]];
  if (amount.opcode == Opcode::kConstant) return 0;
  return kLutNs * std::min(amount.width, 6u) / 1.5;
}

}  // namespace

bool fits_a_step(const ir::Process& process, const Op& op, double budget_ns) {
  constexpr double kRounding = 1e-6;
  return kRegisterNs + delay_ns(process, op) <= budget_ns + kRounding;
}

double kept_ns(const ir::Process& process, ir::ValueId value) {
  const Op* op = &process.ops[value];
  while (op->opcode == Opcode::kSlice || op->opcode == Opcode::kZext || op->opcode == Opcode::kSext)
    op = &process.ops[op->operands[0]];
  return op->opcode == Opcode::kMul && fits_a_dsp(process, *op) ? kProductNs : kRegisterNs;
}

double kept_operands_ns(const ir::Process& process, const Op& op, double budget_ns) {
  double ns = kRegisterNs;
  if (op.opcode == Opcode::kStage) return ns;
  for (ir::ValueId operand : op.operands) ns = std::max(ns, kept_ns(process, operand));
  return ns + delay_ns(process, op) > budget_ns ? kRegisterNs : ns;
}

std::optional<SumDelays> split_sum_ns(const ir::Op& op) {
  if (op.opcode != Opcode::kSum || op.operands.size() < kLongSum) return std::nullopt;
  const size_t terms = num_partial_sums(op.operands.size());
  return SumDelays{kProductSumNs, kRegisterNs + partial_sums_ns(terms)};
}

double delay_ns(const ir::Process& process, const ir::Op& op) {
  switch (ir::info(op.opcode).delay) {
    case DelayClass::kWire:
      return 0;
    case DelayClass::kLogic:  // a share of a LUT
      return process.ops[op.operands[1]].opcode == Opcode::kConstant ? 0 : kLutNs * 0.6;
    case DelayClass::kMultiplexer:
      return kLutNs * 0.8;
    case DelayClass::kLaneMultiplexer:
      return kLutNs * 1.5;
    case DelayClass::kAdder:
      return adder_ns(op.width);
    case DelayClass::kAdderTree:
      return adder_tree_ns(process, op);
    case DelayClass::kMultiplier:
      return multiplier_ns(process, op);
    case DelayClass::kShifter:
      return shifter_ns(process, op);
    case DelayClass::kComparator:
      return comparator_ns(process.ops[op.operands[0]].width);
    case DelayClass::kRegister:
      return kRegisterNs;
    case DelayClass::kStream:
      return kStreamNs;
  }
  return 0;
}

}  // namespace vta::hlsc::schedule
