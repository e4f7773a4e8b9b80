// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_execution.h"

#include <algorithm>

namespace vta {
namespace {

constexpr int kLoad = static_cast<int>(isa::Stage::kLoad);
constexpr int kGemm = static_cast<int>(isa::Stage::kGemm);
constexpr int kAlu = static_cast<int>(isa::Stage::kAlu);
constexpr int kStore = static_cast<int>(isa::Stage::kStore);
constexpr uint32_t kCheckInterval = 8;  // instructions; a single one may take a few ms

bool is_compute(int stage) { return stage == kGemm || stage == kAlu; }
bool is_plain_compute(const isa::Instruction& instruction, int stage) {
  return is_compute(stage) && !instruction.split;
}

void join(VectorClock& into, const VectorClock& from) {
  for (size_t s = 0; s < into.size(); ++s) into[s] = std::max(into[s], from[s]);
}

}  // namespace

StreamExecution::StreamExecution(std::span<const isa::InstructionBits> stream,
                                 const CoreConfig& core)
    : stream_(stream), core_(core) {}

StreamEnd StreamExecution::run(const Visit& visit, const CheckTime& check_time) {
  for (bool moved = true; moved;) {
    moved = dispatch();
    for (int stage = 0; stage < kStages; ++stage) {
      while (execute_front(stage, visit)) {
        moved = true;
        if (executed_++ % kCheckInterval == 0) check_time();
      }
    }
  }
  return end();
}

// Moves instructions from the stream to the queues of their stages while these have space.
bool StreamExecution::dispatch() {
  bool moved = false;
  while (dispatched_ < stream_.size() && !saw_finish_ && !tokens_at_change_) {
    const isa::Instruction instruction = isa::decode(stream_[dispatched_], core_);
    const int stage = static_cast<int>(isa::stage_of(instruction));
    if (!has_space(instruction, stage)) break;
    if (leaves_tokens(instruction, stage)) {
      tokens_at_change_ = dispatched_;
    } else {
      enqueue(instruction, stage);
    }
    moved = true;
  }
  return moved;
}

// The plain instructions of gemm and alu share one queue, as in VTA.
bool StreamExecution::has_space(const isa::Instruction& instruction, int stage) const {
  const size_t used = is_plain_compute(instruction, stage)
                          ? queues_[kGemm].size() + queues_[kAlu].size()
                          : queues_[stage].size();
  return used < core_.command_queue_depth;
}

void StreamExecution::enqueue(const isa::Instruction& instruction, int stage) {
  Queued queued{dispatched_++, instruction};
  if (is_compute(stage)) {
    queued.awaited = instruction.split ? last_plain_ : compute_count_;
    queued.rank = ++compute_count_;
    if (!instruction.split) last_plain_ = compute_count_;
  }
  saw_finish_ = instruction.opcode == isa::kFinish;
  queues_[stage].push_back(queued);
}

// Counts the tokens of split instructions between gemm and alu. Returns true if there are any, or
// missing ones, before a plain instruction.
bool StreamExecution::leaves_tokens(const isa::Instruction& instruction, int stage) {
  if (!is_compute(stage)) return false;
  auto& [to_alu, to_gemm] = split_tokens_;
  if (!instruction.split) return to_alu != 0 || to_gemm != 0;
  if (stage == kGemm) {
    to_alu += instruction.push_next;
    to_gemm -= instruction.pop_next;
  } else {
    to_alu -= instruction.pop_prev;
    to_gemm += instruction.push_prev;
  }
  return false;
}

StreamExecution::Flags StreamExecution::flags_of(const isa::Instruction& instruction, int stage) {
  // VTA's compute stage is gemm towards load and alu towards store.
  const bool plain = is_plain_compute(instruction, stage);
  const int prev_self = plain ? kGemm : stage, next_self = plain ? kAlu : stage;
  const bool has_prev = prev_self != kLoad, has_next = next_self != kStore;
  Flags flags;
  if (instruction.pop_prev && has_prev) flags.pops[0] = &tokens_[prev_self - 1][prev_self];
  if (instruction.pop_next && has_next) flags.pops[1] = &tokens_[next_self + 1][next_self];
  if (instruction.opcode == isa::kFinish) return flags;
  if (instruction.push_prev && has_prev) flags.pushes[0] = &tokens_[prev_self][prev_self - 1];
  if (instruction.push_next && has_next) flags.pushes[1] = &tokens_[next_self][next_self + 1];
  return flags;
}

bool StreamExecution::may_start(const Queued& queued, int stage, const Flags& flags) const {
  if (is_compute(stage)) {
    const uint32_t ended = queued.instruction.split ? plain_ended_ : compute_ended_;
    if (ended < queued.awaited) return false;
  }
  for (const TokenQueue* queue : flags.pops) {
    if (queue != nullptr && queue->empty()) return false;
  }
  for (const TokenQueue* queue : flags.pushes) {
    if (queue != nullptr && queue->size() >= core_.token_queue_depth) return false;
  }
  return true;
}

bool StreamExecution::execute_front(int stage, const Visit& visit) {
  if (stopped_[stage] || queues_[stage].empty()) return false;
  const Queued& queued = queues_[stage].front();
  const Flags flags = flags_of(queued.instruction, stage);
  if (!may_start(queued, stage, flags)) return false;
  VectorClock clock = clocks_[stage];
  if (is_plain_compute(queued.instruction, stage))
    join(clock, clocks_[stage == kGemm ? kAlu : kGemm]);
  for (TokenQueue* queue : flags.pops) {
    if (queue == nullptr) continue;
    join(clock, queue->front());
    queue->pop_front();
  }
  if (!visit({queued.index, stage, queued.instruction, clock})) {
    stopped_[stage] = true;
    return true;
  }
  end_instruction(queued, stage, clock, flags);
  queues_[stage].pop_front();
  return true;
}

void StreamExecution::end_instruction(const Queued& queued, int stage, const VectorClock& known,
                                      const Flags& flags) {
  VectorClock clock = known;
  clock[stage] = queued.index + 1;
  clocks_[stage] = clock;
  if (is_compute(stage)) ++compute_ended_;
  if (is_plain_compute(queued.instruction, stage)) {
    plain_ended_ = queued.rank;
    clocks_[kGemm] = clocks_[kAlu] = clock;
  }
  for (TokenQueue* queue : flags.pushes) {
    if (queue != nullptr) queue->push_back(clock);
  }
}

StreamEnd StreamExecution::end() const {
  StreamEnd end;
  end.tokens_at_change = tokens_at_change_;
  for (int stage = 0; stage < kStages; ++stage) {
    if (!stopped_[stage] && !queues_[stage].empty())
      end.waiting.push_back(queues_[stage].front().index);
    for (const TokenQueue& queue : tokens_[stage]) end.tokens_left += queue.size();
  }
  end.finished = saw_finish_ && queues_[kGemm].empty();
  return end;
}

}  // namespace vta
