// SPDX-License-Identifier: Apache-2.0
//
// StreamAccesses: the scratchpad elements and DRAM bytes that each instruction of a stream reads
// and writes, with the last accesses to each; finds the accesses that no token orders.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_ACCESSES_H_
#define VTA_RUNTIME_PROGRAM_STREAM_ACCESSES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "runtime/program/access_history.h"
#include "runtime/program/element_set.h"
#include "runtime/program/stream_execution.h"
#include "runtime/program/written_granules.h"

namespace vta {

// Two instructions that access one element, one of them writing, without a token between them.
struct Race {
  uint32_t first_index = 0, second_index = 0;  // in program order
  const char* memory = "";                     // "INP", ... or "DRAM"
  uint64_t element = 0;                        // in DRAM: a byte, from the arena's start
};

// A micro-op that an instruction reads and no earlier LOAD of the stream has written: its value is
// what an earlier stream has left.
struct UnloadedUop {
  uint32_t index = 0;  // of the instruction, in program order
  uint32_t element = 0;
};

// The memory that a stream runs on.
struct StreamMemory {
  // The first part of the arena, with the micro-ops that the stream loads.
  std::span<const uint8_t> image;
  uint64_t arena_bytes = 0;
  // The arena's bytes that hold the stream itself, which fetch reads at any time; both 0: none of
  // them.
  uint64_t program_begin = 0, program_end = 0;
};

// The part of the written DRAM whose accesses are recorded: a stream may write all of a large
// arena.
struct DramSlice {
  uint64_t index = 0;
  uint64_t granules = UINT64_MAX;
};

class StreamAccesses {
 public:
  // Both spans must outlive the object. Errors: any error of `check_time`, which is called every
  // few instructions.
  StreamAccesses(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                 const StreamMemory& memory, const StreamExecution::CheckTime& check_time = {},
                 const DramSlice& slice = {});

  // Records the accesses of an instruction. Returns false if it ends in a fault; what it accesses
  // inside its memories is then recorded, except that LOAD and STORE access nothing.
  bool record(const ExecutedInstruction& executed);

  // The first race in the scratchpads or the slice of DRAM.
  const std::optional<Race>& first_race() const { return race_; }
  // The number of record()s before the one that noted it.
  uint64_t race_step() const { return race_step_; }
  const std::optional<UnloadedUop>& first_unloaded() const { return unloaded_; }
  // Whether the stream writes DRAM after the slice.
  bool has_later_slice() const;
  // The first fault in the order of record(), and the first instruction whose accesses are unknown:
  // its micro-ops are not loaded from the image, or from bytes of it that the stream stores.
  const std::optional<uint32_t>& fault_index() const { return fault_index_; }
  const std::string& fault() const { return fault_; }
  const std::optional<uint32_t>& unknown_index() const { return unknown_index_; }
  // The first ALU operation with an immediate whose src is not its dst. It reads dst, but VTA's
  // Chisel core reads src.
  const std::optional<uint32_t>& foreign_source_index() const { return foreign_source_index_; }

 private:
  enum class Access { kRead, kWrite };
  // The loops of a nest, for one operand.
  struct Factors {
    uint32_t out, in;
  };

  void collect_stores(std::span<const isa::InstructionBits> stream,
                      const StreamExecution::CheckTime& check_time);
  uint64_t granules_of_slice() const;
  void touch_dram(uint64_t first, uint64_t last, Access access);
  bool fails(std::string why);
  bool check_transfer(const isa::Instruction& transfer);
  bool record_load(const isa::Instruction& load);
  bool record_store(const isa::Instruction& store);
  void check_program_bytes(uint64_t first, uint64_t last);
  void load_uops(const isa::Instruction& load);
  bool record_nest(const isa::Instruction& nest);
  bool record_operands(const isa::Instruction& nest);
  bool has_own_source(const isa::Instruction& alu) const;
  bool knows_uops(const isa::Instruction& nest);
  bool record_operand(const isa::Instruction& nest, uint32_t isa::Uop::* operand, Factors factors,
                      AccessHistory& memory, const char* name, ElementSet& elements);
  void note_race(uint32_t other, const char* name, uint64_t element);
  void touch(AccessHistory& memory, const char* name, uint64_t element, uint64_t reported,
             Access access);
  void touch_all(AccessHistory& memory, const char* name, const ElementSet& elements,
                 Access access);
  template <typename Visit>
  void for_each_dram_row(const isa::Instruction& transfer, Visit&& visit) const;

  const CoreConfig core_;
  const StreamMemory arena_;
  const DramSlice slice_;
  uint64_t written_count_ = 0, steps_ = 0, race_step_ = 0;
  WrittenGranules written_;
  AccessHistory inp_, wgt_, acc_, out_, uop_, dram_;
  std::vector<isa::Uop> uops_;
  std::vector<bool> uop_is_unknown_, uop_is_loaded_;
  ElementSet inp_set_, wgt_set_, acc_set_, source_set_;
  ExecutedInstruction current_{};
  std::optional<Race> race_;
  std::optional<UnloadedUop> unloaded_;
  std::optional<uint32_t> fault_index_, unknown_index_, foreign_source_index_;
  std::string fault_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_STREAM_ACCESSES_H_
