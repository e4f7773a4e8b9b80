// SPDX-License-Identifier: Apache-2.0
//
// StreamExecution: executes the queues and tokens of an instruction stream, without arithmetic, up
// to its first FINISH. The order by tokens does not depend on timing (the k-th pop of a queue gets
// the k-th push). So one execution gives each instruction its vector clock: what is complete when
// it starts, with any timing.
//
// A plain compute instruction waits for all earlier compute instructions, and later ones wait for
// it (docs/instruction_set.md). The space in queues limits how far fetch runs ahead, but orders
// nothing.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_EXECUTION_H_
#define VTA_RUNTIME_PROGRAM_STREAM_EXECUTION_H_

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "runtime/program/access_history.h"

namespace vta {

struct ExecutedInstruction {
  uint32_t index;
  int stage;  // an isa::Stage
  isa::Instruction instruction;
  VectorClock clock;  // before it starts
};

// How an execution ended.
struct StreamEnd {
  bool finished = false;
  std::vector<uint32_t> waiting;  // instructions that never started, one per stage
  uint64_t tokens_left = 0;       // in all queues
  // The plain instruction before which split instructions leave or lack tokens between gemm and
  // alu.
  std::optional<uint32_t> tokens_at_change;
};

class StreamExecution {
 public:
  // Called for each instruction in an order that the tokens allow. Returns false if the instruction
  // ends in a fault: its stage then stops, and none of its tokens is pushed.
  using Visit = std::function<bool(const ExecutedInstruction&)>;
  // Called every few instructions; throws to stop.
  using CheckTime = std::function<void()>;

  // `stream` must outlive the object.
  StreamExecution(std::span<const isa::InstructionBits> stream, const CoreConfig& core);

  StreamEnd run(const Visit& visit, const CheckTime& check_time);

 private:
  struct Queued {
    uint32_t index;
    isa::Instruction instruction;
    // Compute instructions only: how many must have ended before it starts (may_start()).
    uint32_t awaited = 0, rank = 0;
  };
  using TokenQueue = std::deque<VectorClock>;
  // A queue of tokens that an instruction pops or pushes; null: none.
  struct Flags {
    std::array<TokenQueue*, 2> pops{}, pushes{};
  };

  bool dispatch();
  bool has_space(const isa::Instruction& instruction, int stage) const;
  void enqueue(const isa::Instruction& instruction, int stage);
  bool leaves_tokens(const isa::Instruction& instruction, int stage);
  Flags flags_of(const isa::Instruction& instruction, int stage);
  bool may_start(const Queued& queued, int stage, const Flags& flags) const;
  bool execute_front(int stage, const Visit& visit);
  void end_instruction(const Queued& queued, int stage, const VectorClock& known,
                       const Flags& flags);
  StreamEnd end() const;

  const std::span<const isa::InstructionBits> stream_;
  const CoreConfig core_;
  uint32_t dispatched_ = 0, executed_ = 0;
  bool saw_finish_ = false;
  std::optional<uint32_t> tokens_at_change_;
  std::array<int64_t, 2> split_tokens_{};  // gemm->alu and alu->gemm, in program order
  std::array<std::deque<Queued>, kStages> queues_;
  std::array<bool, kStages> stopped_{};
  std::array<std::array<TokenQueue, kStages>, kStages> tokens_;  // [from][to]
  std::array<VectorClock, kStages> clocks_{};
  // Numbers of compute instructions: dispatched, up to the last plain one dispatched, ended, up to
  // the last plain one ended.
  uint32_t compute_count_ = 0, last_plain_ = 0, compute_ended_ = 0, plain_ended_ = 0;
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_STREAM_EXECUTION_H_
