// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/body_scheduler.h"

#include <algorithm>
#include <map>
#include <set>

#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/timing.h"
#include "hw/hlsc/transform/literals.h"
#include "runtime/base/error.h"

namespace vta::hlsc::schedule {
namespace {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;
using transform::Literals;

struct RamUses {
  std::vector<ValueId> reads, writes;
};

class BodyScheduler {
 public:
  BodyScheduler(const ir::Design& design, const ir::Process& process, const ir::Loop& loop,
                const Options& options, ProcessSchedule& schedule)
      : design_(design),
        process_(process),
        loop_(loop),
        budget_ns_(options.period_ns - options.margin_ns),
        interval_(loop.initiation_interval),
        schedule_(schedule),
        in_body_(process.ops.size(), false),
        earliest_(process.ops.size(), 0) {
    for (const ir::Item& item : loop.body) {
      const ValueId value = std::get<ValueId>(item);
      order_.push_back(value);
      in_body_[value] = true;
      const Op& op = process.ops[value];
      if (op.opcode == Opcode::kRamRead) rams_[op.object].reads.push_back(value);
      if (op.opcode == Opcode::kRamWrite) rams_[op.object].writes.push_back(value);
    }
    for (const ir::Process& other : design.processes) {
      if (&other == &process) continue;
      for (const Op& op : other.ops) {
        if (op.opcode == Opcode::kRamRead || op.opcode == Opcode::kRamWrite)
          shared_rams_.insert(op.object);
      }
    }
  }

  void run(Nest& nest) {
    settle();
    read_late();
    for (ValueId value : order_) {
      schedule_.step[value] = at_[value].step;
      schedule_.ready_ns[value] = at_[value].ns;
      nest.stages = std::max(nest.stages, at_[value].step + 1);
    }
    nest.initiation_interval = interval_;
  }

 private:
  // Delays until the constraints that look backwards hold.
  void settle() {
    constexpr int kMostRounds = 1000;
    for (int round = 0; round < kMostRounds; ++round) {
      as_early_as_possible();
      if (!delay_for_registers() && !delay_for_rams() && !delay_for_streams()) return;
    }
    refuse(loop_.location, "no schedule found");
  }

  [[noreturn]] void refuse(const ir::Location& location, const std::string& what) const {
    fail(ErrorCode::kInvalidArgument,
         "{}:{}: process {}: the loop of {}:{} cannot start an iteration every {} cycles: {}",
         location.file, location.line, process_.name, loop_.location.file, loop_.location.line,
         interval_, what);
  }

  void as_early_as_possible() {
    at_.assign(process_.ops.size(), Time{0, kRegisterNs});
    uint32_t next_wait = 0, wait_stage = 0, ram_stage = 0;
    std::vector<std::pair<Literals, uint32_t>> waits;
    for (ValueId value : order_) {
      const Op& op = process_.ops[value];
      Time time = operands_ready(op);
      time = not_before(time, earliest_[value]);
      const bool waits_for_others = ir::may_wait(op.opcode);
      const bool ram = (op.opcode == Opcode::kRamRead || op.opcode == Opcode::kRamWrite) &&
                       shared_rams_.contains(op.object);
      if (waits_for_others) {
        const Literals literals = transform::conjunction(process_, op.operands[0]);
        next_wait = 0;
        for (const auto& [other, stage] : waits) {
          if (!transform::are_disjoint(process_, other, literals))
            next_wait = std::max(next_wait, stage + 1);
        }
        time = not_before(time, std::max(next_wait, ram_stage));
        waits.emplace_back(literals, time.step);
        wait_stage = std::max(wait_stage, time.step);
      } else if (ram) {
        time = not_before(time, wait_stage);
        ram_stage = std::max(ram_stage, time.step);
      }
      at_[value] = result_time(process_, op, time, budget_ns_);
    }
  }
  Time operands_ready(const Op& op) const {
    Time latest{0, 0};
    for (ValueId operand : op.operands) latest = later(latest, available(operand));
    return latest;
  }
  // When a value can be used at the earliest. What is not of the body is there from stage 0 on;
  // counters stand in registers and heads are computed from them.
  Time available(ValueId value) const {
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kConstant) return {0, 0};
    if (!in_body_[value]) return {0, kRegisterNs};
    return use_time(op, at_[value]);
  }
  uint32_t stage(ValueId value) const { return at_[value].step; }

  bool delay(ValueId value, uint32_t stage_wanted) {
    if (at_[value].step >= stage_wanted) return false;
    earliest_[value] = std::max(earliest_[value], stage_wanted);
    return true;
  }

  // A register is read in the last interval before it is written.
  bool delay_for_registers() {
    std::map<ObjectId, ValueId> reads;
    bool changed = false;
    for (ValueId value : order_) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRegisterRead) reads[op.object] = value;
      if (op.opcode != Opcode::kRegisterWrite || !reads.contains(op.object)) continue;
      const ValueId read = reads.at(op.object);
      if (stage(value) < stage(read)) {
        changed |= delay(value, stage(read));
        continue;
      }
      const uint32_t distance = stage(value) - stage(read);
      if (distance < interval_) continue;
      if (++register_delays_[op.object] > kMostDelays) {
        refuse(op.location,
               fmt::format(
                   "register {} is written {} cycles after it is read; the interval could be {}",
                   design_.objects[op.object].name, distance, distance + 1));
      }
      changed |= delay(read, stage(value) - interval_ + 1);
    }
    return changed;
  }

  bool delay_for_rams() {
    bool changed = false;
    for (auto& [ram, uses] : rams_) {
      changed |= separate_reads(ram, uses);
      changed |= join_writes(ram, uses);
    }
    return changed;
  }

  bool separate_reads(ObjectId ram, const RamUses& uses) {
    std::map<ValueId, size_t> always;  // by predicate
    for (ValueId read : uses.reads) {
      if (++always[process_.ops[read].operands[0]] > interval_) {
        refuse(process_.ops[read].location,
               fmt::format(
                   "RAM {} is read {} times, and has one port to read; the interval could be {}",
                   design_.objects[ram].name, uses.reads.size(), uses.reads.size()));
      }
    }
    bool changed = false;
    for (size_t i = 0; i < uses.reads.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (stage(uses.reads[i]) == stage(uses.reads[j]))
          changed |= delay(uses.reads[i], stage(uses.reads[i]) + 1);
      }
    }
    return changed;
  }

  bool may_share_a_cycle(const Op& a, const Op& b) const {
    return a.operands[1] == b.operands[1] ||
           transform::are_disjoint(process_, transform::conjunction(process_, a.operands[0]),
                                   transform::conjunction(process_, b.operands[0]));
  }

  // Writes of one cycle are one access; others follow it, all within an interval.
  bool join_writes(ObjectId ram, const RamUses& uses) {
    std::vector<std::vector<ValueId>> groups;
    for (ValueId write : uses.writes) {
      const bool fits = !groups.empty() &&
                        std::all_of(groups.back().begin(), groups.back().end(), [&](ValueId other) {
                          return may_share_a_cycle(process_.ops[write], process_.ops[other]);
                        });
      if (!fits) groups.emplace_back();
      groups.back().push_back(write);
    }
    if (groups.size() > interval_) {
      refuse(process_.ops[uses.writes.back()].location,
             fmt::format(
                 "RAM {} is written {} times, and has one port to write; the interval could be {}",
                 design_.objects[ram].name, groups.size(), groups.size()));
    }
    uint32_t first = 0;  // the stage of the first group
    for (ValueId read : uses.reads) first = std::max(first, stage(read));
    for (uint32_t i = 0; i < groups.size(); ++i) {
      for (ValueId write : groups[i])
        first = std::max(first, stage(write) - std::min(stage(write), i));
    }
    bool changed = false;
    for (size_t i = 0; i < groups.size(); ++i) {
      for (ValueId write : groups[i]) changed |= delay(write, first + static_cast<uint32_t>(i));
    }
    return changed;
  }

  // Operations on one end of a stream lie within an interval.
  bool delay_for_streams() {
    std::map<std::pair<ObjectId, Opcode>, std::vector<ValueId>> ends;
    for (ValueId value : order_) {
      const Op& op = process_.ops[value];
      if (ir::may_wait(op.opcode) && op.object != ir::kNoObject)
        ends[{op.object, op.opcode}].push_back(value);
    }
    bool changed = false;
    for (const auto& [end, uses] : ends) {
      uint32_t last = 0;  // not of the last use, if predicates exclude each other
      for (ValueId use : uses) last = std::max(last, stage(use));
      size_t stages = 0;
      for (size_t i = 0; i < uses.size(); ++i)
        stages += i == 0 || stage(uses[i]) != stage(uses[i - 1]);
      if (stages > interval_) {
        refuse(process_.ops[uses.back()].location,
               fmt::format("{} is used {} times; the interval could be {}",
                           design_.objects[end.first].name, stages, stages));
      }
      for (ValueId use : uses) {
        if (stage(use) + interval_ > last) continue;
        if (++stream_delays_[end.first] > kMostDelays) {
          refuse(process_.ops[use].location,
                 fmt::format(
                     "what comes between two uses of {} takes {} cycles; the interval could "
                     "be {}",
                     design_.objects[end.first].name, last - stage(use), last - stage(use) + 1));
        }
        changed |= delay(use, last - interval_ + 1);
      }
    }
    return changed;
  }

  uint32_t length() const {
    uint32_t last = 0;
    for (ValueId value : order_) last = std::max(last, stage(value));
    return last;
  }

  // The shorter the way from a read to the write of the same RAM, the fewer iterations meet there.
  void read_late() {
    for (const auto& [ram, uses] : rams_) {
      if (uses.writes.empty()) continue;
      for (size_t i = uses.reads.size(); i-- > 0;) {
        while (read_later(uses.reads[i], uses)) {
        }
      }
    }
  }
  bool read_later(ValueId read, const RamUses& uses) {
    const std::vector<uint32_t> earliest = earliest_;
    const std::vector<Time> at = at_;
    const uint32_t wanted = stage(read) + 1, end = length(), write = stage(uses.writes[0]);
    earliest_[read] = wanted;
    settle();
    const bool alone = std::none_of(uses.reads.begin(), uses.reads.end(), [&](ValueId other) {
      return other != read && stage(other) == stage(read);
    });
    if (length() == end && stage(uses.writes[0]) == write && stage(read) == wanted && alone &&
        others_unmoved(uses, read, at))
      return true;
    earliest_ = earliest;
    at_ = at;
    return false;
  }
  bool others_unmoved(const RamUses& uses, ValueId read, const std::vector<Time>& before) const {
    return std::all_of(uses.reads.begin(), uses.reads.end(), [&](ValueId other) {
      return other == read || stage(other) == before[other].step;
    });
  }

  static constexpr int kMostDelays = 100;
  const ir::Design& design_;
  const ir::Process& process_;
  const ir::Loop& loop_;
  const double budget_ns_;
  const uint32_t interval_;
  ProcessSchedule& schedule_;
  std::vector<bool> in_body_;
  std::vector<ValueId> order_;
  std::map<ObjectId, RamUses> rams_;
  std::set<ObjectId> shared_rams_;  // that other processes access too
  std::vector<uint32_t> earliest_;  // by ValueId
  std::vector<Time> at_;
  std::map<ObjectId, int> register_delays_, stream_delays_;
};

}  // namespace

void schedule_body(const ir::Design& design, const ir::Process& process, const ir::Loop& loop,
                   const Options& options, ProcessSchedule& schedule, Nest& nest) {
  BodyScheduler(design, process, loop, options, schedule).run(nest);
}

}  // namespace vta::hlsc::schedule
