// SPDX-License-Identifier: Apache-2.0
//
// TokenPlanner: makes a legal program of instructions in program order. For each conflict between
// two stages it adds tokens, and carriers (instructions that only move tokens) if the flags do not
// suffice.
#ifndef VTA_TESTS_SUPPORT_PROGRAM_TOKENS_H_
#define VTA_TESTS_SUPPORT_PROGRAM_TOKENS_H_

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/numbers/random.h"
#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta::support {

enum class Place { kUop, kWgt, kInp, kAcc, kOut, kDram };
inline constexpr int kNumPlaces = 6;

// A location accessed by an instruction: an element of a scratchpad, or 4 bytes of DRAM from 4 *
// element.
struct Access {
  Place place;
  uint64_t element;
  bool write;
};

// Invariants of all generated programs: in program order every pop follows its push, so that
// sequential execution never waits. A token is pushed by the last instruction of its stage so far,
// so that the newest pop of a queue always gets the newest push.
class TokenPlanner {
 public:
  TokenPlanner(const CoreConfig& config, uint64_t arena_bytes, Random& random);

  // Selects split or plain for the following compute instructions; consumes the tokens between gemm
  // and alu.
  void begin_segment(bool split);

  // Appends an instruction (without flags) with these accesses.
  void append(isa::Instruction instruction, const std::vector<Access>& accesses);

  // Consumes all tokens, appends FINISH and returns the program. `shuffle`: reorders the stages'
  // queues, so that a pop may precede its push; for programs that fit the command queues.
  std::vector<isa::Instruction> finish(isa::Instruction finish, bool shuffle);

  size_t size() const { return program_.size(); }

 private:
  enum Stage { kLoad, kGemm, kAlu, kStore, kCompute };
  static constexpr int kNumStages = 5;
  enum Side {
    kLeft,
    kRight
  };  // of a stage in the chain load, gemm, alu, store or load, compute, store
  // Per stage, the number of instructions that are complete or must be.
  using Positions = std::array<uint32_t, kNumStages>;

  struct Planned {
    isa::Instruction instruction;
    Stage stage;
    int segment;
  };
  struct History {
    Positions writes{}, reads{};  // position of the last access, 0 for none
  };

  Stage stage_of(const isa::Instruction& instruction) const;
  std::vector<Stage> chain() const;
  int chain_position(Stage stage, Stage seen_from) const;
  std::deque<Positions>& tokens(Stage from, Stage to);
  uint32_t& flag(isa::Instruction& instruction, bool push, Side side) const;

  Positions find_needs(Stage stage, const std::vector<Access>& accesses) const;
  bool side_is_known(Stage knower, const Positions& needs, Stage target, Side side) const;
  void meet_needs(isa::Instruction& instruction, Stage stage, const Positions& needs, Side side);
  void send(Stage from, Stage to, const Positions& needs, Stage target, Side side);
  void receive(isa::Instruction& instruction, Stage stage, Stage from, Side side);
  void take_token(isa::Instruction& instruction, Stage stage, Stage from, Side side);
  void drain(Stage from, Stage to);
  void pop_spare_tokens(isa::Instruction& instruction, Stage stage);
  void push_spare_tokens(uint32_t index);
  bool mark_push(Stage from, Stage to, Side side);

  void join_other_kind(Stage stage);
  void emit(const isa::Instruction& instruction, Stage stage);
  isa::Instruction make_carrier(Stage stage);
  std::vector<isa::Instruction> in_order() const;
  std::vector<isa::Instruction> shuffled();

  Random& random_;
  bool split_ = false;
  int segment_ = 0;
  std::vector<Planned> program_;
  std::array<std::optional<uint32_t>, kNumStages> last_;  // index of each stage's last instruction
  std::array<Positions, kNumStages> clock_{};             // known to each stage
  std::deque<Positions> tokens_[kNumStages][kNumStages];  // in flight, in program order
  std::array<std::vector<History>, kNumPlaces> history_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_PROGRAM_TOKENS_H_
