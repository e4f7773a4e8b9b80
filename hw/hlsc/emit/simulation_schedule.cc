// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/simulation_schedule.h"

#include <algorithm>

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class Mover {
 public:
  Mover(const ir::Process& process, const ir::Loop& loop, schedule::ProcessSchedule& schedule)
      : process_(process), schedule_(schedule), in_body_(process.ops.size(), false) {
    for (const ir::Item& item : loop.body) order_.push_back(std::get<ValueId>(item));
    for (ValueId value : order_) in_body_[value] = true;
  }

  void run() {
    for (ValueId value : order_) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kSum && op.operands.size() >= kLongSum) move(value);
    }
  }

 private:
  uint32_t available(ValueId value) const {
    if (!in_body_[value]) return 0;
    if (process_.ops[value].opcode != Opcode::kRamRead) return schedule_.step[value];
    return schedule_.step[value] + (schedule_.late_words.contains(value) ? 2 : 1);
  }

  static bool serves_sums(Opcode opcode) {
    return opcode == Opcode::kSum || opcode == Opcode::kMul || opcode == Opcode::kSext ||
           opcode == Opcode::kZext || opcode == Opcode::kSlice;
  }

  void move(ValueId value) {
    if (!in_body_[value] || !serves_sums(process_.ops[value].opcode)) return;
    uint32_t stage = 0;
    for (ValueId operand : process_.ops[value].operands) {
      move(operand);
      stage = std::max(stage, available(operand));
    }
    schedule_.step[value] = std::min(schedule_.step[value], stage);
  }

  const ir::Process& process_;
  schedule::ProcessSchedule& schedule_;
  std::vector<bool> in_body_;
  std::vector<ValueId> order_;
};

}  // namespace

schedule::ProcessSchedule simulation_schedule(const ir::Process& process,
                                              const schedule::ProcessSchedule& schedule) {
  schedule::ProcessSchedule moved = schedule;
  for (const auto& [loop, nest] : schedule.nests) Mover(process, *nest.levels.back(), moved).run();
  return moved;
}

}  // namespace vta::hlsc::emit
