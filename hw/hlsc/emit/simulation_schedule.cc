// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/simulation_schedule.h"

#include <algorithm>
#include <set>

#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class Mover {
 public:
  Mover(const ir::Process& process, const ir::Loop& loop, schedule::ProcessSchedule& schedule)
      : process_(process), schedule_(schedule), body_(process, schedule, loop) {}

  void run() {
    for (ValueId value : body_.order()) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRamWrite) compared_.insert({op.operands[0], op.operands[1]});
    }
    // An output register serves the clock period only; a simulator has one register less to copy.
    for (ValueId value : body_.order()) {
      if (!compared_.contains(value)) schedule_.registered_words.erase(value);
    }
    for (ValueId value : body_.order()) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kSum && op.operands.size() >= schedule::kLongSum) move(value);
    }
  }

 private:
  static bool serves_sums(Opcode opcode) {
    return opcode == Opcode::kSum || opcode == Opcode::kMul || opcode == Opcode::kSext ||
           opcode == Opcode::kZext || opcode == Opcode::kSlice;
  }

  void move(ValueId value) {
    if (!body_.contains(value) || !serves_sums(process_.ops[value].opcode)) return;
    if (compared_.contains(value)) return;
    uint32_t stage = 0;
    for (ValueId operand : process_.ops[value].operands) {
      move(operand);
      stage = std::max(stage, body_.available(operand));
    }
    schedule_.step[value] = std::min(schedule_.step[value], stage);
  }

  const ir::Process& process_;
  schedule::ProcessSchedule& schedule_;
  const schedule::PipelinedBody body_;
  // Predicates and indices of writes stay: when they are available determines how long reads of
  // other words wait, and no timing may change.
  std::set<ValueId> compared_;
};

}  // namespace

schedule::ProcessSchedule simulation_schedule(const ir::Process& process,
                                              const schedule::ProcessSchedule& schedule) {
  schedule::ProcessSchedule moved = schedule;
  // Whole, where they are available: that decides how long reads wait for writes at these indexes.
  for (ValueId sum : schedule.split_sums) ++moved.step[sum];
  moved.split_sums.clear();
  for (const auto& [loop, nest] : schedule.nests) Mover(process, *nest.levels.back(), moved).run();
  return moved;
}

}  // namespace vta::hlsc::emit
