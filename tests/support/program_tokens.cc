// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program_tokens.h"

#include <algorithm>
#include <utility>

#include "base/errors/error.h"

namespace vta::support {

TokenPlanner::TokenPlanner(const CoreConfig& config, uint64_t arena_bytes, Random& random)
    : random_(random) {
  const auto resize = [&](Place place, uint64_t size) {
    history_[static_cast<int>(place)].resize(size);
  };
  resize(Place::kUop, config.uop_depth());
  resize(Place::kWgt, config.wgt_depth());
  resize(Place::kInp, config.inp_depth());
  resize(Place::kAcc, config.acc_depth());
  resize(Place::kOut, config.acc_depth());
  resize(Place::kDram, arena_bytes / 4);
}

TokenPlanner::Stage TokenPlanner::stage_of(const isa::Instruction& in) const {
  if (in.opcode == isa::kStore) return kStore;
  if (in.opcode == isa::kLoad && (in.memory == isa::kInp || in.memory == isa::kWgt)) return kLoad;
  if (!in.split) return kCompute;
  return in.opcode == isa::kGemm || (in.opcode == isa::kLoad && in.memory == isa::kUop) ? kGemm
                                                                                        : kAlu;
}

std::vector<TokenPlanner::Stage> TokenPlanner::chain() const {
  if (split_) return {kLoad, kGemm, kAlu, kStore};
  return {kLoad, kCompute, kStore};
}

// The position of the work of `stage` in the chain of this segment: with fetch's order of plain and
// split instructions, compute knows gemm and alu, and both know compute.
int TokenPlanner::chain_position(Stage stage, Stage seen_from) const {
  if (stage == kLoad) return 0;
  if (!split_) return stage == kStore ? 2 : 1;
  if (stage == kCompute) return seen_from == kLoad ? 1 : 2;
  return stage;
}

uint32_t& TokenPlanner::flag(isa::Instruction& in, bool push, Side side) const {
  if (push) return side == kLeft ? in.push_prev : in.push_next;
  return side == kLeft ? in.pop_prev : in.pop_next;
}

void TokenPlanner::begin_segment(bool split) {
  if (split_ && !split) {
    drain(kGemm, kAlu);
    drain(kAlu, kGemm);
  }
  if (split_ != split) ++segment_;
  split_ = split;
}

void TokenPlanner::append(isa::Instruction in, const std::vector<Access>& accesses) {
  const Stage stage = stage_of(in);
  VTA_ASSERT(stage == kLoad || stage == kStore || (stage != kCompute) == split_,
             "compute instructions are of the segment's kind");
  join_other_kind(stage);
  const Positions needs = find_needs(stage, accesses);
  meet_needs(in, stage, needs, kLeft);
  meet_needs(in, stage, needs, kRight);
  pop_spare_tokens(in, stage);
  emit(in, stage);
  const uint32_t position = clock_[stage][stage];
  for (const Access& access : accesses) {
    History& history = history_[static_cast<int>(access.place)][access.element];
    (access.write ? history.writes : history.reads)[stage] = position;
  }
  push_spare_tokens(*last_[stage]);
}

TokenPlanner::Positions TokenPlanner::find_needs(Stage stage,
                                                 const std::vector<Access>& accesses) const {
  Positions needs{};
  for (const Access& access : accesses) {
    const History& history = history_[static_cast<int>(access.place)][access.element];
    for (int other = 0; other < kNumStages; ++other) {
      needs[other] = std::max(needs[other], history.writes[other]);
      if (access.write) needs[other] = std::max(needs[other], history.reads[other]);
    }
  }
  for (int other = 0; other < kNumStages; ++other) {
    if (needs[other] <= clock_[stage][other]) needs[other] = 0;
  }
  return needs;
}

// True if `knower` knows all needs of `target` on that side of it, up to and including `knower`.
bool TokenPlanner::side_is_known(Stage knower, const Positions& needs, Stage target,
                                 Side side) const {
  const int limit = chain_position(knower, target);
  for (int other = 0; other < kNumStages; ++other) {
    const int position = chain_position(static_cast<Stage>(other), target);
    const bool on_side = side == kLeft ? position <= limit : position >= limit;
    if (on_side && needs[other] > clock_[knower][other]) return false;
  }
  return true;
}

// Gives the instruction, about to be appended to `stage`, a token from its neighbour that knows all
// needs on that side.
void TokenPlanner::meet_needs(isa::Instruction& in, Stage stage, const Positions& needs,
                              Side side) {
  const int position = chain_position(stage, stage);
  bool any = false;
  for (int other = 0; other < kNumStages; ++other) {
    const int there = chain_position(static_cast<Stage>(other), stage);
    any = any || (needs[other] > 0 && (side == kLeft ? there < position : there > position));
  }
  if (!any) return;
  const Stage neighbour = chain()[position + (side == kLeft ? -1 : 1)];
  send(neighbour, stage, needs, stage, side);
  receive(in, stage, neighbour, side);
}

// Makes `from` know the needs of `target` on that side, and push a token to its neighbour `to`.
void TokenPlanner::send(Stage from, Stage to, const Positions& needs, Stage target, Side side) {
  const bool speaks = last_[from] && (from == kLoad || from == kStore ||
                                      program_[*last_[from]].segment == segment_);
  if (!speaks) emit(make_carrier(from), from);
  if (!side_is_known(from, needs, target, side)) {
    const Stage next = chain()[chain_position(from, from) + (side == kLeft ? -1 : 1)];
    send(next, from, needs, target, side);
    isa::Instruction carrier = make_carrier(from);
    receive(carrier, from, next, side);
    emit(carrier, from);
  }
  const Side towards = side == kLeft ? kRight : kLeft;
  if (!mark_push(from, to, towards)) {
    emit(make_carrier(from), from);
    mark_push(from, to, towards);
  }
}

// Pops the newest token of a queue by this instruction, and older ones by carriers before it.
void TokenPlanner::receive(isa::Instruction& in, Stage stage, Stage from, Side side) {
  while (tokens(from, stage).size() > 1) {
    isa::Instruction carrier = make_carrier(stage);
    take_token(carrier, stage, from, side);
    emit(carrier, stage);
  }
  take_token(in, stage, from, side);
}

// The instruction, about to be appended to `stage`, pops the oldest token of the queue from `from`.
void TokenPlanner::take_token(isa::Instruction& in, Stage stage, Stage from, Side side) {
  flag(in, false, side) = 1;
  auto& queue = tokens(from, stage);
  for (int i = 0; i < kNumStages; ++i) {
    clock_[stage][i] = std::max(clock_[stage][i], queue.front()[i]);
  }
  queue.pop_front();
}

void TokenPlanner::drain(Stage from, Stage to) {
  const Side side = chain_position(from, from) < chain_position(to, to) ? kLeft : kRight;
  while (!tokens(from, to).empty()) {
    isa::Instruction carrier = make_carrier(to);
    receive(carrier, to, from, side);
    emit(carrier, to);
  }
}

// An unneeded token may be popped by any instruction with a free flag.
void TokenPlanner::pop_spare_tokens(isa::Instruction& in, Stage stage) {
  const std::vector<Stage> stages = chain();
  const int position = chain_position(stage, stage);
  for (Side side : {kLeft, kRight}) {
    const int there = position + (side == kLeft ? -1 : 1);
    if (there < 0 || there >= static_cast<int>(stages.size()) || flag(in, false, side)) continue;
    if (tokens(stages[there], stage).empty() || !random_.chance(40)) continue;
    take_token(in, stage, stages[there], side);
  }
}

void TokenPlanner::push_spare_tokens(uint32_t index) {
  if (!random_.chance(12)) return;
  const Stage stage = program_[index].stage;
  const std::vector<Stage> stages = chain();
  const Side side = random_.chance(50) ? kLeft : kRight;
  const int there = chain_position(stage, stage) + (side == kLeft ? -1 : 1);
  if (there < 0 || there >= static_cast<int>(stages.size())) return;
  mark_push(stage, stages[there], side);
}

// The last instruction of `from` pushes a token; false if it already does.
bool TokenPlanner::mark_push(Stage from, Stage to, Side side) {
  uint32_t& push = flag(program_[*last_[from]].instruction, true, side);
  if (push) return false;
  push = 1;
  tokens(from, to).push_back(clock_[from]);
  return true;
}

// Fetch starts a split instruction after all earlier plain compute instructions, and vice versa.
void TokenPlanner::join_other_kind(Stage stage) {
  const auto join = [&](Stage other) {
    for (int i = 0; i < kNumStages; ++i) {
      clock_[stage][i] = std::max(clock_[stage][i], clock_[other][i]);
    }
  };
  if (stage == kGemm || stage == kAlu) join(kCompute);
  if (stage != kCompute) return;
  join(kGemm);
  join(kAlu);
}

void TokenPlanner::emit(const isa::Instruction& in, Stage stage) {
  join_other_kind(stage);
  ++clock_[stage][stage];
  last_[stage] = static_cast<uint32_t>(program_.size());
  program_.push_back({in, stage, segment_});
}

// Only the flags of a carrier matter: the other fields are arbitrary.
isa::Instruction TokenPlanner::make_carrier(Stage stage) {
  isa::Instruction in;
  in.opcode = stage == kStore ? isa::kStore : isa::kLoad;
  const uint32_t either = random_.chance(50);
  if (stage == kLoad) in.memory = either ? isa::kInp : isa::kWgt;
  if (stage == kGemm) in.memory = isa::kUop;
  if (stage == kAlu) in.memory = either ? isa::kAcc : isa::kAcc8Bit;
  if (stage == kCompute) in.memory = either ? isa::kUop : isa::kAcc;
  if (stage == kStore) in.memory = static_cast<uint32_t>(random_.between(0, 7));
  in.split = stage == kGemm || stage == kAlu;
  in.sram_base = static_cast<uint32_t>(random_.between(0, 0xffff));
  in.dram_base = static_cast<uint32_t>(random_.between(0, 0xffffffff));
  if (random_.chance(50)) in.y_size = static_cast<uint32_t>(random_.between(0, 0xffff));
  in.x_stride = static_cast<uint32_t>(random_.between(0, 0xffff));
  // A LOAD of columns without rows fills the rows of its padding.
  const bool columns = in.y_size == 0 && random_.chance(50);
  if (columns) in.x_size = static_cast<uint32_t>(random_.between(0, 0xffff));
  if (!columns || in.opcode == isa::kStore)
    in.y_pad_0 = static_cast<uint32_t>(random_.between(0, 15));
  in.x_pad_1 = static_cast<uint32_t>(random_.between(0, 15));
  return in;
}

std::vector<isa::Instruction> TokenPlanner::finish(isa::Instruction finish, bool shuffle) {
  begin_segment(false);
  drain(kCompute, kLoad);
  drain(kCompute, kStore);
  for (const auto& [from, side] : {std::pair{kLoad, kLeft}, std::pair{kStore, kRight}}) {
    if (random_.chance(30)) drain(from, kCompute);
    if (!tokens(from, kCompute).empty()) receive(finish, kCompute, from, side);
  }
  std::vector<isa::Instruction> program = shuffle ? shuffled() : in_order();
  program.push_back(finish);
  return program;
}

std::vector<isa::Instruction> TokenPlanner::in_order() const {
  std::vector<isa::Instruction> program;
  for (const Planned& planned : program_) program.push_back(planned.instruction);
  return program;
}

// Keeps the order of each stage, and the order of compute instructions of different segments.
std::vector<isa::Instruction> TokenPlanner::shuffled() {
  std::array<std::deque<uint32_t>, kNumStages> queues;
  for (uint32_t i = 0; i < program_.size(); ++i) queues[program_[i].stage].push_back(i);
  const auto compute_segment = [&] {
    int lowest = segment_ + 1;
    for (Stage stage : {kGemm, kAlu, kCompute}) {
      if (!queues[stage].empty())
        lowest = std::min(lowest, program_[queues[stage].front()].segment);
    }
    return lowest;
  };
  std::vector<isa::Instruction> program;
  while (program.size() < program_.size()) {
    const auto stage = static_cast<Stage>(random_.between(0, kNumStages - 1));
    if (queues[stage].empty()) continue;
    const Planned& planned = program_[queues[stage].front()];
    const bool is_compute = stage != kLoad && stage != kStore;
    if (is_compute && planned.segment != compute_segment()) continue;
    program.push_back(planned.instruction);
    queues[stage].pop_front();
  }
  return program;
}

// Compute's queues are gemm's towards load and alu's towards store.
std::deque<TokenPlanner::Positions>& TokenPlanner::tokens(Stage from, Stage to) {
  const auto engine = [](Stage stage, Stage other) {
    if (stage != kCompute) return stage;
    return other == kLoad ? kGemm : kAlu;
  };
  return tokens_[engine(from, to)][engine(to, from)];
}

}  // namespace vta::support
