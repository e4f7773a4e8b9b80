// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_pipeline.h"

#include <fmt/format.h>

#include <bit>

#include "hw/hlsc/emit/packed_sums.h"
#include "hw/hlsc/schedule/counter_operations.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

NestPipeline::NestPipeline(ModuleState& state, const NestEntry& entry)
    : PipelinedBody(state.process, state.schedule,
                    *state.schedule.nests.at(entry.loop).levels.back()),
      state_(state),
      entry_(entry),
      nest_(state.schedule.nests.at(entry.loop)) {
  for (const ir::Loop* level : nest_.levels) {
    for (const ir::LoopPhi& phi : level->phis) counted_.insert(phi.phi);
  }
  schedule::for_each_counter_operation(nest_.levels,
                                       [&](ValueId value) { counted_.insert(value); });
  for (uint32_t stage = 0; stage < nest_.stages; ++stage) {
    contexts_.emplace_back(state.process, state.binding, state.parts,
                           fmt::format("{}_{}", entry.name, stage),
                           [this, stage](ValueId value) { return source(value, stage); });
    if (!state.for_simulation) continue;
    contexts_.back().set_gate(valid(stage));
    contexts_.back().inline_products();
  }
  for (ValueId value : order()) {
    if (is_split(value)) contexts_[available(value)].set_partial_sums(value, partial_sums(value));
  }
}

std::vector<Expression> NestPipeline::partial_sums(ValueId sum) const {
  const auto packed = state_.binding.packed_sums.find(sum);
  const bool is_packed = packed != state_.binding.packed_sums.end();
  const Op& op = state_.op(sum);
  const std::string name = value_name(state_.process, is_packed ? packed->second.low : sum);
  std::vector<Expression> registers;
  for (size_t i = 0; i < schedule::num_partial_sums(op.operands.size()); ++i) {
    registers.push_back(rtl::net(fmt::format("{}_partial{}_p{}", name, i, available(sum)),
                                 is_packed ? kPartialSumBits : op.width));
  }
  return registers;
}

Expression NestPipeline::source(ValueId value, uint32_t stage) {
  if (!computes(value)) return state_.outside_value(value);
  const Op& op = state_.op(value);
  if (op.opcode == Opcode::kInputRead) return state_.object_net(op);
  if (op.opcode == Opcode::kLate) return {};
  const uint32_t from = available(value);
  if (stage == from) {
    if (op.opcode == Opcode::kPhi) return state_.phi_register(value);
    if (op.opcode == Opcode::kRegisterRead) return state_.object_net(op);
    if (op.opcode == Opcode::kRamRead)
      return is_registered(value) ? piped(value, stage) : words_.at(value);
    return ir::is_pure(op.opcode) ? Expression() : state_.ports.item(op);
  }
  // An extension is computed where it is used.
  if (op.opcode == Opcode::kZext || op.opcode == Opcode::kSext) return {};
  state_.demands.pipe(value, stage);
  return piped(value, stage);
}

uint32_t NestPipeline::level_bits() const {
  return static_cast<uint32_t>(std::bit_width(nest_.levels.size()));
}
Expression NestPipeline::valid(uint32_t stage) const {
  return rtl::net(fmt::format("{}_v{}", entry_.name, stage));
}
uint32_t NestPipeline::piped_bits(ValueId value) const {
  return state_.binding.packed_products.contains(value) ? bind::kPackedProductBits
                                                        : state_.op(value).width;
}
Expression NestPipeline::piped(ValueId value, uint32_t stage) const {
  return rtl::net(fmt::format("{}_p{}", value_name(state_.process, value), stage),
                  piped_bits(value));
}

Expression NestPipeline::wants(ValueId operation, uint32_t stage) {
  return both(valid(stage), state_.predicate(context(stage), state_.op(operation).operands[0]));
}

Expression NestPipeline::advances(uint32_t stage) const {
  const auto stalling = stalling_.lower_bound(stage);
  if (stalling == stalling_.end()) return {};
  return rtl::net(fmt::format("{}_adv{}", entry_.name, *stalling));
}

void NestPipeline::add_stall(uint32_t stage, const Expression& condition) {
  stalling_.insert(stage);
  context(stage).add_wire(advances(stage).text(), 1, condition);
}

}  // namespace vta::hlsc::emit
