// SPDX-License-Identifier: Apache-2.0
//
// StreamBuilder: builds an instruction stream with its dependence tokens.
//
// The caller appends instructions in a valid sequential order and names, for each, the earlier
// instructions that must end before it starts. Instructions of one queue are ordered without
// tokens. Between adjacent queues, the builder sets the push flag of the producer and the pop flag
// of the consumer; between other queues it inserts token carriers (LOAD or STORE of size 0) into
// the queues between them.
//
// Tokens are anonymous: the k-th pop of a queue consumes the k-th push. The builder keeps this
// pairing correct: a wait for an instruction that is not later than one already waited for is
// implied and omitted, so the producers and consumers of a token queue are both in ascending order,
// with at most one token each.
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

// Index of an instruction in its stream.
using InstructionIndex = uint32_t;
inline constexpr InstructionIndex kNoInstruction = ~InstructionIndex{0};

// Address of a byte in the arena, relative to the constant image or to the activations, whose
// offset is known only when the image is complete.
struct DramAddress {
  enum class Area { kImage, kActivations };
  Area area = Area::kImage;
  uint64_t offset_bytes = 0;

  DramAddress operator+(uint64_t bytes) const { return {area, offset_bytes + bytes}; }
};

// The counters that a stream will report (hw/isa, "Counters").
struct StreamCounts {
  uint64_t load_bytes = 0;  // of all memories
  uint64_t store_bytes = 0;
  uint64_t gemm_counter = 0;
  uint64_t alu_counter = 0;
};

class StreamBuilder {
 public:
  // split: GEMM and ALU are separate stages (requires the core's extension), else one compute
  // stage.
  StreamBuilder(const CoreConfig& core, bool split);

  // Appends a GEMM or ALU, or a LOAD or STORE at `address` (finish() fills in its dram_base), that
  // waits for the instructions `after`; kNoInstruction is ignored. Returns its index.
  InstructionIndex add(const isa::Instruction& instruction,
                       std::initializer_list<InstructionIndex> after = {});
  InstructionIndex add(const isa::Instruction& instruction, DramAddress address,
                       std::initializer_list<InstructionIndex> after = {});

  bool split() const { return split_; }
  const CoreConfig& core() const { return core_; }
  size_t size() const { return instructions_.size(); }  // without FINISH
  StreamCounts counts() const;

  // The encoded stream, followed by FINISH. Asserts that every address is a multiple of its
  // element's size. Errors: kUnsupported, naming the field, if an address exceeds dram_base.
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
  // The latest instruction of stage [from] for which stage [to] has waited, as index + 1; 0: none.
  std::array<std::array<InstructionIndex, kMaxStages>, kMaxStages> waited_{};
};

// Bytes of one element of `memory` in DRAM.
uint32_t dram_elem_bytes(uint32_t memory, const CoreConfig& core);

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_STREAM_BUILDER_H_
