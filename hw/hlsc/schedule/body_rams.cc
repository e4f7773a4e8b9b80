// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/body_rams.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/counted.h"
#include "hw/hlsc/passes/literals.h"

namespace vta::hlsc::schedule {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

BodyRams::BodyRams(const ir::Design& design, const ir::Process& process, uint32_t interval,
                   const std::set<ObjectId>& shared, BodyStages& stages)
    : design_(design), process_(process), interval_(interval), stages_(stages) {
  uint32_t taken = 0, waits = 0;
  for (size_t i = 0; i < stages.order().size(); ++i) {
    const ValueId value = stages.order()[i];
    const Op& op = process.ops[value];
    if (ir::takes(op.opcode)) ++taken;
    if (ir::may_wait(op.opcode)) ++waits;
    if (op.opcode == Opcode::kRamRead) rams_[op.object].reads.push_back(value);
    if (op.opcode == Opcode::kRamWrite) rams_[op.object].writes.push_back(value);
    places_[value] = {i, 0, 0};
    if (shared.contains(op.object)) places_[value] = {i, taken, waits};
  }
  for (const auto& [ram, uses] : rams_) {
    refuse_reads_on_one_predicate(ram, uses);
    for (ValueId write : uses.writes) {
      for (ValueId read : uses.reads) {
        if (places_.at(write).position < places_.at(read).position || are_disjoint(read, write))
          early_writes_.insert({write, read});
      }
    }
  }
}

bool BodyRams::delay() {
  bool changed = false;
  for (const auto& [ram, uses] : rams_) {
    changed |= separate_reads(uses);
    changed |= join_writes(ram, uses);
    changed |= read_after_write(uses);
    changed |= read_before_next_write(ram, uses);
  }
  return changed;
}

bool BodyRams::reads_result_of(ValueId read, ValueId write) const {
  const Place &a = places_.at(write), &b = places_.at(read);
  return a.position < b.position && a.taken < b.taken;
}

void BodyRams::refuse_reads_on_one_predicate(ObjectId ram, const RamUses& uses) {
  if (uses.reads.size() <= interval_) return;
  std::map<passes::Literals, size_t> counts;  // by predicate
  size_t most = 0;
  for (ValueId read : uses.reads)
    most = std::max(most, ++counts[passes::conjunction(process_, process_.ops[read].operands[0])]);
  if (most <= interval_) return;
  stages_.refuse({process_.ops[uses.reads.back()].location,
                  fmt::format("RAM {} is read {} but has one read port", design_.objects[ram].name,
                              counted(most, "time")),
                  most});
}

bool BodyRams::separate_reads(const RamUses& uses) {
  bool changed = false;
  for (size_t i = 0; i < uses.reads.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const uint32_t stage = stages_.stage(uses.reads[i]);
      if (stage == stages_.stage(uses.reads[j])) changed |= stages_.delay(uses.reads[i], stage + 1);
    }
  }
  return changed;
}

bool BodyRams::are_disjoint(ValueId a, ValueId b) const {
  return passes::are_disjoint(process_, passes::conjunction(process_, process_.ops[a].operands[0]),
                              passes::conjunction(process_, process_.ops[b].operands[0]));
}

bool BodyRams::may_share_a_cycle(ValueId a, ValueId b) const {
  const Place &at_a = places_.at(a), &at_b = places_.at(b);
  if (at_a.taken != at_b.taken || (!joins_over_waits_ && at_a.waits != at_b.waits)) return false;
  return process_.ops[a].operands[1] == process_.ops[b].operands[1] || are_disjoint(a, b);
}

bool BodyRams::keep_apart_over_waits() {
  const auto all_groups = [&] {
    std::vector<std::vector<Group>> all;
    for (const auto& [ram, uses] : rams_) all.push_back(groups(uses));
    return all;
  };
  const auto joined = all_groups();
  joins_over_waits_ = false;
  return all_groups() != joined;
}

std::vector<BodyRams::Group> BodyRams::groups(const RamUses& uses) const {
  std::vector<Group> groups;
  for (ValueId write : uses.writes) {
    const bool fits =
        !groups.empty() && std::all_of(groups.back().begin(), groups.back().end(),
                                       [&](ValueId o) { return may_share_a_cycle(write, o); });
    if (!fits) groups.emplace_back();
    groups.back().push_back(write);
  }
  return groups;
}

uint32_t BodyRams::wanted(const Group& group, const RamUses& uses) const {
  uint32_t stage = 0;
  for (ValueId write : group) {
    stage = std::max(stage, stages_.stage(write));
    for (ValueId read : uses.reads) {
      if (!early_writes_.contains({write, read})) stage = std::max(stage, stages_.stage(read));
    }
  }
  return stage;
}

// Writes of one cycle are one access; all accesses lie within an interval.
bool BodyRams::join_writes(ObjectId ram, const RamUses& uses) {
  const std::vector<Group> all = groups(uses);
  if (all.size() > interval_) {
    stages_.refuse({process_.ops[uses.writes.back()].location,
                    fmt::format("RAM {} is written {} but has one write port",
                                design_.objects[ram].name, counted(all.size(), "time")),
                    all.size()});
  }
  std::vector<uint32_t> at;
  for (const Group& group : all)
    at.push_back(std::max(wanted(group, uses), at.empty() ? 0 : at.back() + 1));
  bool changed = false;
  for (size_t i = 0; i < all.size(); ++i) {
    const uint32_t distance = at.back() - at[i];
    for (ValueId write : all[i]) {
      if (distance < interval_) {
        changed |= stages_.delay(write, at[i]);
        continue;
      }
      changed |= stages_.delay_for_interval(write, at.back() - interval_ + 1, [&] {
        return BodyStages::Refusal{
            process_.ops[uses.writes.back()].location,
            fmt::format("the operations between two writes of RAM {} take {}",
                        design_.objects[ram].name, counted(distance, "cycle")),
            distance + 1};
      });
    }
  }
  return changed;
}

bool BodyRams::read_after_write(const RamUses& uses) {
  bool changed = false;
  for (ValueId read : uses.reads) {
    for (ValueId write : uses.writes) {
      if (reads_result_of(read, write)) changed |= stages_.delay(read, stages_.stage(write) + 1);
    }
  }
  return changed;
}

bool BodyRams::read_before_next_write(ObjectId ram, const RamUses& uses) {
  bool changed = false;
  for (ValueId write : uses.writes) {
    const uint32_t from = stages_.stage(write);
    ValueId last = write;  // of the reads that may come after the write
    for (ValueId read : uses.reads) {
      if (early_writes_.contains({write, read}) && stages_.stage(read) > stages_.stage(last))
        last = read;
    }
    const uint32_t to = stages_.stage(last);
    if (to < from + interval_) continue;
    changed |= stages_.delay_for_interval(write, to - interval_ + 1, [&] {
      return BodyStages::Refusal{
          process_.ops[last].location,
          fmt::format("RAM {} is written and read again {} later, after the next "
                      "iteration's write",
                      design_.objects[ram].name, counted(to - from, "cycle")),
          to - from + 1};
    });
  }
  return changed;
}

}  // namespace vta::hlsc::schedule
