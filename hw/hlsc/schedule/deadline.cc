// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/deadline.h"

#include "hw/hlsc/passes/shared_memory.h"
#include "hw/hlsc/schedule/counter_operations.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;

namespace {

// The multiplexer of the accesses at a port of a RAM or FIFO, and the setup time of a block RAM.
constexpr double kPortNs = 1.6;
// The enable of a register: the state or stage, and a net.
constexpr double kEnableNs = 1.2;
// From the predicate of an operation that its stage, or a stage of another process, may wait for,
// to the enables of all registers that wait with it. The path has the grant, the conditions of the
// stage and of all later ones (two levels), and a net of some hundred enables.
constexpr double kStallNs = 4.5;
// First values and first conditions of all levels of a nest, and the enables of its counters.
constexpr double kCountersNs = 5.0;

}  // namespace

Deadlines::Deadlines(const ir::Design& design, const ir::Process& process, const ir::Sequence* body)
    : shared_reads_(passes::used_by_others(design, process, Opcode::kRamRead)),
      shared_writes_(passes::used_by_others(design, process, Opcode::kRamWrite)) {
  if (body == nullptr) return;
  for (const ir::Item& item : *body) {
    const Op& op = process.ops[std::get<ir::ValueId>(item)];
    if (op.opcode == Opcode::kRamWrite) written_.insert(op.object);
  }
}

bool Deadlines::may_stall(const Op& op) const {
  if (op.opcode == Opcode::kRamRead)
    return shared_reads_.contains(op.object) || written_.contains(op.object);
  if (op.opcode == Opcode::kRamWrite) return shared_writes_.contains(op.object);
  return ir::may_wait(op.opcode) && op.opcode != Opcode::kHalt;
}

double Deadlines::before_end_ns(const Op& op, size_t operand) const {
  if (ir::is_pure(op.opcode)) return 0;
  if (operand == 0 && may_stall(op)) return kStallNs;
  switch (op.opcode) {
    case Opcode::kRamRead:  // the index is compared with those of older iterations' writes
      return operand == 1 && written_.contains(op.object) ? kStallNs : kPortNs;
    case Opcode::kRamWrite:
    case Opcode::kStreamWrite:
    case Opcode::kWriteBeat:
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return kPortNs;
    case Opcode::kRegisterWrite:
    case Opcode::kHalt:
      return operand == 0 ? kEnableNs : 0;
    case Opcode::kRegisterRead:
    case Opcode::kInputRead:
    case Opcode::kStreamRead:
    case Opcode::kReadBeat:
    case Opcode::kWriteWait:
    VTA_HLSC_CASES_OF_PURE:
      return 0;
  }
  return 0;
}

double Deadlines::before_entry_ns(bool is_nest) { return is_nest ? kCountersNs : kEnableNs; }

Time in_time(const Time& time, double before_end_ns, double budget_ns) {
  if (time.ns + before_end_ns <= budget_ns || time.ns <= kRegisterNs) return time;
  return {time.step + 1, kRegisterNs};
}

std::set<ir::ValueId> entry_values(const ir::Process& process, const ir::Loop& loop,
                                   const std::vector<const ir::Loop*>& levels) {
  std::set<ir::ValueId> inside, used{loop.predicate};
  for (const ir::LoopPhi& phi : loop.phis) used.insert(phi.init);
  for (const ir::Loop* level : levels) {
    for (const ir::LoopPhi& phi : level->phis) {
      inside.insert(phi.phi);
      used.insert(phi.init);
    }
  }
  for_each_counter_operation(levels, [&](ir::ValueId value) {
    inside.insert(value);
    used.insert(process.ops[value].operands.begin(), process.ops[value].operands.end());
  });
  std::erase_if(used, [&](ir::ValueId value) { return inside.contains(value); });
  return used;
}

}  // namespace vta::hlsc::schedule
