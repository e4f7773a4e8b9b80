// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/sequence_scheduler.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/errors/error.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/literals.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/schedule/body_scheduler.h"
#include "hw/hlsc/schedule/deadline.h"
#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/timing.h"

namespace vta::hlsc::schedule {
namespace {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

class SequenceScheduler {
 public:
  // `deadlines`: outside nests.
  SequenceScheduler(const ir::Design& design, const ir::Process& process, const Options& options,
                    const Deadlines& deadlines, ProcessSchedule& schedule)
      : design_(design),
        process_(process),
        options_(options),
        budget_ns_(options.period_ns - options.margin_ns),
        deadlines_(deadlines),
        schedule_(schedule) {}

  void run(const Sequence& items) {
    ir::for_each_item(
        items, [&](ValueId value) { operation(value); },
        [&](const ir::Loop& inner) { loop(inner); });
    schedule_.num_steps[&items] = std::max(last_ + 1, 1u);
  }

 private:
  void operation(ValueId value) {
    const Op& op = process_.ops[value];
    Time time = operands_ready(op);
    if (!ir::is_pure(op.opcode)) time = not_before(time, step_of_effect(value, time.step));
    for (ValueId operand : op.operands) {
      if (op.opcode != Opcode::kStage && is_kept(operand, time.step))
        time.ns = std::max(time.ns, kept_ns(process_, operand));
    }
    time = result_time(process_, op, time, budget_ns_);
    schedule_.step[value] = time.step;
    schedule_.ready_ns[value] = time.ns;
    here_[value] = use_time(op, time);
    if (!ir::is_pure(op.opcode)) note_effect(value, time.step);
    last_ = std::max(last_, here_[value].step);
  }

  Time operands_ready(const Op& op) const {
    Time time{base_, kRegisterNs};
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const double before_end_ns = deadlines_.before_end_ns(op, i);
      time = later(time, in_time(available(op.operands[i]), before_end_ns, budget_ns_));
    }
    const bool waits_a_step = op.opcode == Opcode::kStage && here_.contains(op.operands[0]);
    return waits_a_step ? Time{time.step + 1, kRegisterNs} : time;
  }

  // From an earlier step, or from before this sequence.
  bool is_kept(ValueId value, uint32_t step) const {
    const auto found = here_.find(value);
    return found == here_.end() || found->second.step < step;
  }
  Time available(ValueId value) const {
    if (process_.ops[value].opcode == Opcode::kConstant) return {0, 0};
    const auto found = here_.find(value);
    return found == here_.end() ? Time{0, kRegisterNs} : found->second;
  }

  static bool waits_without_result(const Op& op) {
    return ir::may_wait(op.opcode) && op.width == 0 && op.opcode != Opcode::kHalt;
  }

  // A register that only this process writes does not change while the process waits.
  bool may_change_meanwhile(const Op& op) const {
    if (op.opcode != Opcode::kRegisterRead) return true;
    return std::any_of(
        design_.processes.begin(), design_.processes.end(), [&](const ir::Process& other) {
          return &other != &process_ &&
                 std::any_of(other.ops.begin(), other.ops.end(), [&](const Op& o) {
                   return o.opcode == Opcode::kRegisterWrite && o.object == op.object;
                 });
        });
  }

  uint32_t step_of_effect(ValueId value, uint32_t ready) {
    const Op& op = process_.ops[value];
    uint32_t step = std::max(ready, base_);
    if (op.opcode == Opcode::kInputRead) return step;
    step = std::max(step, after_halt_);
    if (op.opcode == Opcode::kHalt) return std::max(step, std::max(wait_, effects_));
    if (ir::may_wait(op.opcode)) {
      step = std::max(step, effects_);
      if (num_waits_ == 0) return step;
      const bool shares = waits_without_result(op) && group_has_no_results_ &&
                          !group_objects_.contains(op.object) && after_accesses_ <= wait_;
      return std::max(step, shares ? wait_ : wait_ + 1);
    }
    step = std::max(step, wait_);
    switch (op.opcode) {
      case Opcode::kRegisterRead:
        return std::max(step, after(register_writes_, op.object));
      case Opcode::kRegisterWrite:
        step = std::max(step, at(register_reads_, op.object));
        return std::max(step, at(register_writes_, op.object));
      case Opcode::kRamRead:
        step = std::max(step, after(ram_writes_, op.object));
        return std::max(step, after(ram_reads_, op.object));
      case Opcode::kRamWrite:
        return step_of_ram_write(op, step);
      case Opcode::kInputRead:
      VTA_HLSC_CASES_OF_CHANNELS:
      case Opcode::kHalt:
      VTA_HLSC_CASES_OF_PURE:
        break;
    }
    VTA_ASSERT(false, "not an access of a RAM or register");
    return step;
  }

  // A write joins the previous one if both are to the same word or mutually exclusive.
  uint32_t step_of_ram_write(const Op& op, uint32_t step) {
    step = std::max(step, at(ram_reads_, op.object));
    const std::vector<ValueId>& group = write_groups_[op.object];
    const bool joins = std::all_of(group.begin(), group.end(), [&](ValueId other_id) {
      const Op& other = process_.ops[other_id];
      return other.operands[1] == op.operands[1] ||
             passes::are_disjoint(process_, passes::conjunction(process_, other.operands[0]),
                                  passes::conjunction(process_, op.operands[0]));
    });
    // `step`, in which all operands are available, may be later than the group's.
    const uint32_t before = at(ram_writes_, op.object);
    if (joins) return std::max(step, before);
    return std::max(step, after(ram_writes_, op.object));
  }

  static uint32_t at(const std::map<ObjectId, uint32_t>& steps, ObjectId object) {
    const auto found = steps.find(object);
    return found == steps.end() ? 0 : found->second;
  }
  static uint32_t after(const std::map<ObjectId, uint32_t>& steps, ObjectId object) {
    const auto found = steps.find(object);
    return found == steps.end() ? 0 : found->second + 1;
  }

  void note_effect(ValueId value, uint32_t step) {
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kInputRead) return;
    if (op.opcode == Opcode::kHalt) {
      after_halt_ = std::max(after_halt_, step + 1);
      effects_ = std::max(effects_, step);
      return;
    }
    if (ir::may_wait(op.opcode)) {
      if (num_waits_ == 0 || step != wait_) {
        group_has_no_results_ = true;
        group_objects_.clear();
      }
      group_has_no_results_ &= waits_without_result(op);
      group_objects_.insert(op.object);
      wait_ = step;
      ++num_waits_;
      return;
    }
    effects_ = std::max(effects_, step);
    if (may_change_meanwhile(op)) after_accesses_ = std::max(after_accesses_, step + 1);
    if (op.opcode == Opcode::kRegisterRead) raise(register_reads_, op.object, step);
    if (op.opcode == Opcode::kRegisterWrite) raise(register_writes_, op.object, step);
    if (op.opcode == Opcode::kRamRead) raise(ram_reads_, op.object, step);
    if (op.opcode == Opcode::kRamWrite) {
      std::vector<ValueId>& group = write_groups_[op.object];
      if (step != at(ram_writes_, op.object)) group.clear();
      group.push_back(value);
      raise(ram_writes_, op.object, step);
    }
  }
  static void raise(std::map<ObjectId, uint32_t>& steps, ObjectId object, uint32_t step) {
    uint32_t& known = steps[object];
    known = std::max(known, step);
  }

  void loop(const ir::Loop& loop) {
    // Earlier operations are done when the loop is entered, and words of RAMs have arrived.
    const passes::NestLoops nest = passes::engine_of(process_, loop);
    Time time{std::max({base_, last_, after_halt_}), kRegisterNs};
    for (ValueId value : entry_values(process_, loop, nest.levels)) {
      const double before_end_ns = Deadlines::before_entry_ns(!nest.levels.empty());
      time = later(time, in_time(available(value), before_end_ns, budget_ns_));
    }
    schedule_.entry_step[&loop] = time.step;
    if (nest.levels.empty()) {
      SequenceScheduler(design_, process_, options_, deadlines_, schedule_).run(loop.head);
      SequenceScheduler(design_, process_, options_, deadlines_, schedule_).run(loop.body);
    } else {
      Nest& scheduled = schedule_.nests[&loop];
      scheduled.levels = nest.levels;
      scheduled.short_paths = options_.period_ns < Options().period_ns;
      for (const ir::Loop* level : scheduled.levels) counters(*level);
      refuse_halts(*scheduled.levels.back());
      schedule_body(design_, process_, options_, schedule_, scheduled);
    }
    base_ = time.step + 1;
    last_ = std::max(last_, time.step);
    for (const ir::LoopPhi& phi : loop.phis) here_[phi.phi] = {base_, kRegisterNs};
    for (const ir::Item& item : loop.head) {
      if (const ValueId* value = std::get_if<ValueId>(&item))
        here_[*value] = {base_, kept_ns(process_, *value)};
    }
    // Earlier operations no longer constrain later ones.
    effects_ = wait_ = after_halt_ = base_;
    num_waits_ = 0;
    register_reads_.clear();
    register_writes_.clear();
    ram_reads_.clear();
    ram_writes_.clear();
    write_groups_.clear();
  }
  void refuse_halts(const ir::Loop& pipelined) const {
    for (const ir::Item& item : pipelined.body) {
      const Op& op = process_.ops[std::get<ValueId>(item)];
      if (op.opcode != Opcode::kHalt) continue;
      fail(ErrorCode::kInvalidArgument,
           "{}:{}: process {}: a halt in the pipelined loop of {}:{} would have to stop iterations "
           "in flight; leave the loop and halt after it",
           op.location.file, op.location.line, process_.name, pipelined.location.file,
           pipelined.location.line);
    }
  }
  void counters(const ir::Loop& level) {
    for (const Sequence* items : {&level.head, &level.body}) {
      for (const ir::Item& item : *items) {
        if (const ValueId* value = std::get_if<ValueId>(&item)) schedule_.step[*value] = 0;
      }
    }
  }

  const ir::Design& design_;
  const ir::Process& process_;
  const Options& options_;
  const double budget_ns_;
  const Deadlines& deadlines_;
  ProcessSchedule& schedule_;
  std::map<ValueId, Time> here_;  // values that this sequence, or a loop in it, defines
  uint32_t base_ = 0;             // the first step after the last loop
  uint32_t last_ = 0;
  // Steps: of the last operation that may wait; of the latest effect; the first step after a halt;
  // the first one after the accesses of memory, which happen when their step ends.
  uint32_t wait_ = 0, effects_ = 0, after_halt_ = 0, after_accesses_ = 0;
  size_t num_waits_ = 0;
  bool group_has_no_results_ = true;  // the group: operations that may wait in step wait_
  std::set<ObjectId> group_objects_;
  std::map<ObjectId, uint32_t> register_reads_, register_writes_, ram_reads_, ram_writes_;
  std::map<ObjectId, std::vector<ValueId>> write_groups_;
};

}  // namespace

void schedule_sequences(const ir::Design& design, const ir::Process& process,
                        const Options& options, ProcessSchedule& schedule) {
  const Deadlines deadlines(design, process, nullptr);
  SequenceScheduler(design, process, options, deadlines, schedule).run(process.body);
}

}  // namespace vta::hlsc::schedule
