// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/body_scheduler.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "hw/hlsc/passes/shared_memory.h"
#include "hw/hlsc/schedule/body_rams.h"
#include "hw/hlsc/schedule/body_stages.h"
#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/schedule/output_registers.h"
#include "hw/hlsc/schedule/sync_constraints.h"

namespace vta::hlsc::schedule {
namespace {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

class BodyScheduler {
 public:
  BodyScheduler(const ir::Design& design, const ir::Process& process,
                const std::vector<const ir::Loop*>& levels, const Options& options,
                uint32_t interval)
      : design_(design),
        process_(process),
        loop_(*levels.back()),
        interval_(interval),
        budget_ns_(options.period_ns - options.margin_ns),
        all_output_registers_(options.ram_output_registers),
        shared_(passes::used_by_others(design, process)),
        stages_(design, process, levels, budget_ns_, shared_),
        rams_(design, process, interval, shared_, stages_),
        sync_constraints_(design, process, interval, shared_, stages_) {}

  // Why the interval is refused, if it is. The other functions need one that is not refused.
  std::optional<BodyStages::Refusal> refusal() {
    if (stages_.refusal()) return stages_.refusal();  // by rams_: too many reads
    const BodyStages::State unplaced = stages_.state();
    settle();
    const auto joined = stages_.refusal();
    if (!joined || !rams_.keep_apart_over_waits()) return joined;
    stages_.restore(unplaced);
    settle();
    const auto apart = stages_.refusal();
    // Both attempts are refused, so the smaller bound holds.
    const auto shortest = [](const auto& refusal) { return refusal->shortest.value_or(SIZE_MAX); };
    return apart && shortest(joined) <= shortest(apart) ? joined : apart;
  }

  void improve() {
    if (all_output_registers_) use_output_registers([](const BodyStages::State&) { return true; });
    delay_reads();
    find_late_words();
    use_output_registers([&](const BodyStages::State& before) { return keeps_cycles_of(before); });
  }

  void write(ProcessSchedule& schedule, Nest& nest) const {
    for (ValueId value : stages_.order()) {
      schedule.step[value] = stages_.stage(value);
      schedule.ready_ns[value] = stages_.ready_ns(value);
      if (stages_.is_split(value)) schedule.split_sums.insert(value);
    }
    schedule.late_words.insert(stages_.late_words().begin(), stages_.late_words().end());
    schedule.registered_words.insert(stages_.registered_words().begin(),
                                     stages_.registered_words().end());
    nest.stages = std::max(nest.stages, stages_.last() + 1);
    nest.initiation_interval = interval_;
  }

 private:
  // Iterates until no constraint requests a delay.
  void settle() {
    constexpr int kMaxRounds = 1000;
    stages_.begin();
    for (int round = 0; round < kMaxRounds; ++round) {
      stages_.place();
      bool changed = delay_for_registers();
      changed |= rams_.delay();
      changed |= delay_for_streams();
      changed |= sync_constraints_.delay();
      if (!changed || stages_.refusal()) return;
    }
    stages_.refuse({loop_.location, "no schedule found"});
  }

  uint32_t stage(ValueId value) const { return stages_.stage(value); }

  // A register is read less than an interval before it is written; its writes lie within one.
  bool delay_for_registers() {
    std::map<ObjectId, ValueId> reads, writes;
    bool changed = false;
    for (ValueId value : stages_.order()) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRegisterRead) reads[op.object] = value;
      if (op.opcode != Opcode::kRegisterWrite) continue;
      if (const auto read = reads.find(op.object); read != reads.end())
        changed |= delay_within_interval(read->second, value);
      const auto [first, fresh] = writes.emplace(op.object, value);
      if (!fresh) changed |= delay_within_interval(first->second, value);
    }
    return changed;
  }
  bool delay_within_interval(ValueId first, ValueId second) {
    if (stage(second) < stage(first)) return stages_.delay(second, stage(first));
    const uint32_t distance = stage(second) - stage(first);
    if (distance < interval_) return false;
    return stages_.delay_for_interval(first, stage(second) - interval_ + 1, [&] {
      const Op& op = process_.ops[second];
      const bool reads = process_.ops[first].opcode == Opcode::kRegisterRead;
      return BodyStages::Refusal{
          op.location,
          fmt::format("register {} is written {} after it is {}", design_.objects[op.object].name,
                      counted(distance, "cycle"), reads ? "read" : "first written"),
          distance + 1};
    });
  }

  // All uses of one end of a stream lie within an interval.
  bool delay_for_streams() {
    std::map<std::pair<ObjectId, Opcode>, std::vector<ValueId>> ends;
    for (ValueId value : stages_.order()) {
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
        stages_.refuse(
            {process_.ops[uses.back()].location,
             fmt::format("{} is used {}", design_.objects[end.first].name, counted(stages, "time")),
             stages});
      }
      for (ValueId use : uses) {
        if (stage(use) + interval_ > last) continue;
        changed |= stages_.delay_for_interval(use, last - interval_ + 1, [&] {
          const uint32_t distance = last - stage(use);
          return BodyStages::Refusal{
              process_.ops[use].location,
              fmt::format("the operations between two uses of {} take {}",
                          design_.objects[end.first].name, counted(distance, "cycle")),
              distance + 1};
        });
      }
    }
    return changed;
  }

  // Moves reads to later stages, as far as that moves no write and adds no stage: the fewer stages
  // between a read and the write of the same RAM, the fewer iterations conflict.
  void delay_reads() {
    for (const auto& [ram, uses] : rams_.uses()) {
      for (size_t i = uses.reads.size(); i-- > 0;) {
        while (is_before_a_write(uses.reads[i], uses) && delay_read(uses.reads[i], uses)) {
        }
      }
    }
  }
  bool is_before_a_write(ValueId read, const RamUses& uses) const {
    return std::ranges::any_of(uses.writes,
                               [&](ValueId write) { return stage(write) > stage(read); });
  }
  // One stage later. False, and nothing changes, if that adds a stage or moves another access.
  bool delay_read(ValueId read, const RamUses& uses) {
    const BodyStages::State before = stages_.state();
    const uint32_t wanted = stage(read) + 1, end = stages_.last();
    stages_.delay(read, wanted);
    settle();
    const bool alone = std::none_of(uses.reads.begin(), uses.reads.end(), [&](ValueId other) {
      return other != read && stage(other) == stage(read);
    });
    if (!stages_.refusal() && stages_.last() == end && stage(read) == wanted && alone &&
        others_unmoved(uses, read, before))
      return true;
    stages_.restore(before);
    return false;
  }
  // A word that an iteration updates waits one more stage for older iterations' writes, so that its
  // read stalls less, if that adds no stage.
  void find_late_words() {
    for (const auto& [ram, uses] : rams_.uses()) {
      for (ValueId read : uses.reads) {
        if (is_updated(read, uses)) try_late_word(read, uses);
      }
    }
  }
  bool is_updated(ValueId read, const RamUses& uses) const {
    return std::any_of(uses.writes.begin(), uses.writes.end(), [&](ValueId write) {
      return stage(write) > stage(read) + 1 &&
             process_.ops[write].operands[1] == process_.ops[read].operands[1];
    });
  }
  void try_late_word(ValueId read, const RamUses& uses) {
    const BodyStages::State before = stages_.state();
    const uint32_t from = stage(read), end = stages_.last();
    stages_.make_late(read);
    settle();
    const bool fits = std::all_of(uses.writes.begin(), uses.writes.end(), [&](ValueId write) {
      return stage(write) >= from + 2 && stages_.operands_ready_ns(write) + kMergeNs <= budget_ns_;
    });
    if (stages_.refusal() || stages_.last() != end || stage(read) != from || !fits ||
        !others_unmoved(uses, read, before))
      stages_.restore(before);
  }

  // Words pass through the output registers of their RAMs where the interval is still achievable
  // and `fits`, which gets the stages without the register, holds.
  template <class Fits>
  void use_output_registers(Fits&& fits) {
    for (ValueId read : stages_.order()) {
      if (process_.ops[read].opcode != Opcode::kRamRead ||
          stages_.registered_words().contains(read) ||
          !can_use_output_register(design_, process_, loop_.body, read) || !is_used(read))
        continue;
      const BodyStages::State before = stages_.state();
      stages_.make_registered(read);
      settle();
      if (stages_.refusal() || !fits(before)) stages_.restore(before);
    }
  }
  bool is_used(ValueId read) const {
    return std::ranges::any_of(stages_.order(), [&](ValueId value) {
      return std::ranges::count(process_.ops[value].operands, read) > 0;
    });
  }
  // Whether only wires have moved, from one side of a pipeline register to the other: then no
  // iteration takes or waits longer. How long a read waits for a write depends on the stages in
  // which the predicate and the index of the write are available.
  bool keeps_cycles_of(const BodyStages::State& before) const {
    std::set<ValueId> awaited;
    for (ValueId value : stages_.order()) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRamWrite) awaited.insert({op.operands[0], op.operands[1]});
    }
    return std::ranges::all_of(stages_.order(), [&](ValueId value) {
      const bool is_wire = ir::is_pure(process_.ops[value].opcode) &&
                           ir::info(process_.ops[value].opcode).delay == ir::DelayClass::kWire;
      if (awaited.contains(value) && stages_.registered_words().contains(value) &&
          !before.registered_words.contains(value))
        return false;
      return stage(value) == before.at[value].step || (is_wire && !awaited.contains(value));
    });
  }

  bool others_unmoved(const RamUses& uses, ValueId read, const BodyStages::State& before) const {
    const auto unmoved = [&](ValueId other) {
      return other == read || stage(other) == before.at[other].step;
    };
    return std::ranges::all_of(uses.reads, unmoved) && std::ranges::all_of(uses.writes, unmoved);
  }

  const ir::Design& design_;
  const ir::Process& process_;
  const ir::Loop& loop_;
  const uint32_t interval_;
  const double budget_ns_;
  const bool all_output_registers_;  // also if that adds a stage
  const std::set<ObjectId> shared_;  // memory that other processes use too
  BodyStages stages_;
  BodyRams rams_;
  SyncConstraints sync_constraints_;
};

std::string loop_name(const ir::Loop& loop) {
  const std::string place = place_text(loop.location);
  return place.empty() ? loop.name : fmt::format("{} ({})", loop.name, place);
}

// What the source could ask for instead of an interval that was refused for a reason that holds for
// intervals shorter than `shortest`. Others may hold for that one; if they never end, accesses wait
// for each other.
std::string proposal(const ir::Design& design, const ir::Process& process, const Options& options,
                     const std::vector<const ir::Loop*>& levels, std::optional<size_t> shortest) {
  constexpr int kMaxTries = 20;
  size_t interval = 0;
  int tries = 0;
  for (; tries < kMaxTries && shortest; ++tries) {
    interval = std::max(interval + 1, *shortest);
    BodyScheduler scheduler(design, process, levels, options, static_cast<uint32_t>(interval));
    const auto refusal = scheduler.refusal();
    if (!refusal) return fmt::format("; the interval could be {}", interval);
    shortest = refusal->shortest;
  }
  if (tries == 0) return "";
  return fmt::format("; no schedule was found for {} longer ones, up to {}", tries, interval);
}

}  // namespace

void schedule_body(const ir::Design& design, const ir::Process& process, const Options& options,
                   ProcessSchedule& schedule, Nest& nest) {
  const ir::Loop& loop = *nest.levels.back();
  BodyScheduler scheduler(design, process, nest.levels, options, loop.initiation_interval);
  if (const auto refusal = scheduler.refusal()) {
    fail(ErrorCode::kInvalidArgument,
         "{}process {}: initiation interval {} of loop {} is not achievable: {}{}",
         place_prefix(refusal->location.line == 0 ? loop.location : refusal->location),
         process.name, loop.initiation_interval, loop_name(loop), refusal->what,
         proposal(design, process, options, nest.levels, refusal->shortest));
  }
  scheduler.improve();
  scheduler.write(schedule, nest);
}

bool is_achievable(const ir::Design& design, const ir::Process& process, const Options& options,
                   const std::vector<const ir::Loop*>& levels) {
  return !BodyScheduler(design, process, levels, options, levels.back()->initiation_interval)
              .refusal();
}

}  // namespace vta::hlsc::schedule
