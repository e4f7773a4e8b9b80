// SPDX-License-Identifier: Apache-2.0
//
// StreamBuilder: one instruction stream, with its dependence tokens.
//
// The caller appends instructions in an order in which they could run one by one and says for each
// which earlier ones must have ended before it starts. Order inside a queue is free; between
// neighbouring queues the builder sets push flags on instructions already there and pop flags on
// the new one; between queues that are no neighbours it puts token carriers (LOAD or STORE of size
// 0) into the queues between.
//
// Tokens carry no name: the k-th pop of a queue meets its k-th push. The builder keeps that pairing
// right by construction: a wait for an instruction no later than one waited for before is implied
// and costs nothing, so producers and consumers of a token queue both come in rising order, each
// with at most one token.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_BUILDER_H_
#define VTA_RUNTIME_PROGRAM_STREAM_BUILDER_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta::program {

// Place of an instruction in its stream.
using InstructionIndex = uint32_t;
inline constexpr InstructionIndex kNoInstruction = ~InstructionIndex{0};

// A byte of the arena: in its constant image, or among the activations, whose start is known only
// when the image is complete.
struct DramAddress {
  enum class Area { kImage, kActivations };
  Area area = Area::kImage;
  uint64_t offset_bytes = 0;

  DramAddress operator+(uint64_t bytes) const { return {area, offset_bytes + bytes}; }
};

// What a stream will count (hw/isa, "Counters").
struct StreamCounts {
  uint64_t load_bytes = 0;  // of all memories
  uint64_t store_bytes = 0;
  uint64_t gemm_counter = 0;
  uint64_t alu_counter = 0;
};

class StreamBuilder {
 public:
  // split: GEMM and ALU are stages of their own (the core has the extension), else one compute
  // stage.
  StreamBuilder(const CoreConfig& core, bool split);

  // Appends a GEMM or ALU, or a LOAD or STORE at `address` (its dram_base is filled in by
  // finish()). `after` may hold kNoInstruction, which is no wait. Returns its index.
  InstructionIndex add(const isa::Instruction& instruction,
                       std::initializer_list<InstructionIndex> after = {});
  InstructionIndex add(const isa::Instruction& instruction, DramAddress address,
                       std::initializer_list<InstructionIndex> after = {});

  bool split() const { return split_; }
  const CoreConfig& core() const { return core_; }
  size_t size() const { return instructions_.size(); }  // without FINISH
  StreamCounts counts() const;

  // The encoded stream, FINISH behind it. Asserts that every address is a multiple of its element's
  // size. Errors: kUnsupported where a field does not fit, naming it (an arena beyond dram_base's
  // reach).
  std::vector<isa::InstructionBits> finish(uint64_t activations_offset_bytes) const;

 private:
  static constexpr int kMaxStages = 4;

  int stage(const isa::Instruction& instruction) const;
  isa::Instruction carrier(int stage) const;
  void wait(InstructionIndex consumer, InstructionIndex producer);
  InstructionIndex append(isa::Instruction instruction, std::optional<DramAddress> address,
                          std::initializer_list<InstructionIndex> after);

  const CoreConfig core_;
  const bool split_;
  std::vector<isa::Instruction> instructions_;
  std::vector<std::optional<DramAddress>> addresses_;
  // The latest instruction of stage [from] that stage [to] has waited for, as index + 1; 0: none.
  std::array<std::array<InstructionIndex, kMaxStages>, kMaxStages> waited_{};
};

// Bytes of one element of `memory` in DRAM.
uint32_t dram_elem_bytes(uint32_t memory, const CoreConfig& core);

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_STREAM_BUILDER_H_
