// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/token_order.h"

#include <algorithm>
#include <deque>

namespace vta::sim {
namespace {

constexpr size_t kLoad = static_cast<size_t>(isa::Stage::kLoad);
constexpr size_t kGemm = static_cast<size_t>(isa::Stage::kGemm);
constexpr size_t kAlu = static_cast<size_t>(isa::Stage::kAlu);
constexpr size_t kStore = static_cast<size_t>(isa::Stage::kStore);
constexpr size_t kNone = 4;

// The stages that the prev and next flags of an instruction refer to.
struct Neighbours {
  size_t prev, next;
};
Neighbours neighbours_of(isa::Stage stage, bool split) {
  if (stage == isa::Stage::kLoad) return {kNone, kGemm};
  if (stage == isa::Stage::kStore) return {kAlu, kNone};
  if (!split) return {kLoad, kStore};  // VTA's compute stage
  return stage == isa::Stage::kGemm ? Neighbours{kLoad, kAlu} : Neighbours{kGemm, kStore};
}

void join(auto& into, const auto& from) {
  for (size_t s = 0; s < into.size(); ++s) into[s] = std::max(into[s], from[s]);
}

}  // namespace

// Executes the queues and tokens only. The instructions of a stage start in order; a plain compute
// instruction also waits for all earlier compute instructions, and later ones wait for it.
struct TokenOrder::Run {
  std::array<std::array<std::deque<Clock>, kStages>, kStages> tokens;  // [from][to]
  std::array<Clock, kStages> clocks{};
  std::array<std::vector<uint32_t>, kStages> queues;  // instructions
  std::array<size_t, kStages> position{};
  // Per compute instruction: the number of compute instructions up to it, and up to the last plain
  // one that it waits for.
  std::vector<uint32_t> rank, awaited_rank;
  uint32_t compute_done = 0,
           plain_done = 0;  // numbers of instructions; plain_done: the rank of the last plain one
};

TokenOrder::TokenOrder(std::span<const isa::InstructionBits> program, const CoreConfig& config,
                       const CheckTime& check_time) {
  std::array<uint32_t, kStages> count{};
  entries_.reserve(program.size());
  for (const isa::InstructionBits& bits : program) {
    if (entries_.size() % kCheckInterval == 0) check_time();
    const isa::Instruction instruction = isa::decode(bits, config);
    Entry entry;
    entry.stage = isa::stage_of(instruction);
    entry.sequence = ++count[static_cast<size_t>(entry.stage)];
    entry.split = instruction.split;
    entry.pop_prev = instruction.pop_prev != 0;
    entry.pop_next = instruction.pop_next != 0;
    entry.push_prev = instruction.push_prev != 0;
    entry.push_next = instruction.push_next != 0;
    entries_.push_back(entry);
  }
  compute_clocks(check_time);
}

bool TokenOrder::is_ordered(uint32_t earlier, uint32_t later) const {
  const Entry& entry = entries_[earlier];
  return entries_[later].known[static_cast<size_t>(entry.stage)] >= entry.sequence;
}

void TokenOrder::line_up(Run& run) const {
  run.rank.resize(entries_.size());
  run.awaited_rank.resize(entries_.size());
  uint32_t compute_count = 0, last_plain = 0;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    run.queues[static_cast<size_t>(entry.stage)].push_back(i);
    if (!entry.is_compute()) continue;
    run.awaited_rank[i] = entry.split ? last_plain : compute_count;
    run.rank[i] = ++compute_count;
    if (!entry.split) last_plain = compute_count;
  }
}

bool TokenOrder::may_start(const Run& run, uint32_t index) const {
  const Entry& entry = entries_[index];
  if (!entry.is_compute()) return true;
  return (entry.split ? run.plain_done : run.compute_done) >= run.awaited_rank[index];
}

// Returns false if a token is missing.
bool TokenOrder::start(Run& run, uint32_t index) {
  Entry& entry = entries_[index];
  const size_t stage = static_cast<size_t>(entry.stage);
  // VTA's compute instructions wait for tokens of load with gemm's clock and of store with alu's;
  // both clocks are merged.
  const bool plain = entry.is_plain_compute();
  const auto [prev, next] = neighbours_of(entry.stage, entry.split);
  const size_t prev_self = plain ? kGemm : stage, next_self = plain ? kAlu : stage;
  std::deque<Clock>* pops[2] = {nullptr, nullptr};
  if (entry.pop_prev && prev != kNone) pops[0] = &run.tokens[prev][prev_self];
  if (entry.pop_next && next != kNone) pops[1] = &run.tokens[next][next_self];
  for (auto* queue : pops) {
    if (queue != nullptr && queue->empty()) return false;
  }
  Clock clock = run.clocks[stage];
  if (plain) join(clock, run.clocks[stage == kGemm ? kAlu : kGemm]);
  for (auto* queue : pops) {
    if (queue == nullptr) continue;
    join(clock, queue->front());
    queue->pop_front();
  }
  entry.known = clock;
  clock[stage] = entry.sequence;
  run.clocks[stage] = clock;
  if (plain) run.clocks[kGemm] = run.clocks[kAlu] = clock;
  if (entry.push_prev && prev != kNone) run.tokens[prev_self][prev].push_back(clock);
  if (entry.push_next && next != kNone) run.tokens[next_self][next].push_back(clock);
  return true;
}

// Starts instructions in any order that queues and tokens allow. Instructions after a deadlock have
// no clock, and is_ordered() is never called for them.
void TokenOrder::compute_clocks(const CheckTime& check_time) {
  Run run;
  line_up(run);
  uint32_t started = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t stage = 0; stage < kStages; ++stage) {
      while (run.position[stage] < run.queues[stage].size()) {
        const uint32_t index = run.queues[stage][run.position[stage]];
        if (!may_start(run, index) || !start(run, index)) break;
        if (started++ % kCheckInterval == 0) check_time();
        const Entry& entry = entries_[index];
        if (entry.is_compute()) ++run.compute_done;
        if (entry.is_plain_compute()) run.plain_done = run.rank[index];
        ++run.position[stage];
        moved = true;
      }
    }
  }
}

}  // namespace vta::sim
