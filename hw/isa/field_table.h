// SPDX-License-Identifier: Apache-2.0
//
// fields.def as a table: by FieldId, the name and the member of Instruction.
#ifndef VTA_HW_ISA_FIELD_TABLE_H_
#define VTA_HW_ISA_FIELD_TABLE_H_

#include <cstdint>
#include <type_traits>

#include "hw/isa/instruction.h"

namespace vta::isa {

struct FieldAccess {
  const char* name;
  bool is_signed;
  int64_t (*get)(const Instruction&);
  void (*set)(Instruction&, int64_t);
};

// Indexed by FieldId. A field is signed if its member is.
inline constexpr FieldAccess kFieldTable[] = {
#define VTA_FIELD(format, name, width)                         \
  {#name, std::is_signed_v<decltype(Instruction::name)>,       \
   [](const Instruction& i) -> int64_t { return i.name; },     \
   [](Instruction& i, int64_t value) {                         \
     i.name = static_cast<decltype(Instruction::name)>(value); \
   }},
#include "hw/isa/fields.def"
};

// An instruction format: its FieldIds are [first, end).
struct Format {
  int first;
  int end;
};
inline constexpr Format kMemoryFormat{kMemory_opcode, kGemm_opcode};
inline constexpr Format kGemmFormat{kGemm_opcode, kAlu_opcode};
inline constexpr Format kAluFormat{kAlu_opcode, kNumFields};

constexpr bool is_memory_access(uint32_t opcode) { return opcode == kLoad || opcode == kStore; }

// FINISH and illegal opcodes have GEMM's format.
constexpr Format format_of(uint32_t opcode) {
  return is_memory_access(opcode) ? kMemoryFormat : opcode == kAlu ? kAluFormat : kGemmFormat;
}

// The bit `split` of word 0, in instructions that have it.
constexpr uint64_t split_mask(uint32_t opcode) {
  return uint64_t{1} << (opcode == kLoad ? kSplitBit_Memory : kSplitBit_Gemm);
}

// The smallest and the largest value of a field.
struct FieldRange {
  int64_t min;
  int64_t max;
};
constexpr FieldRange field_range(int id, const IsaWidths& widths) {
  const int bits = field_width(id, widths);
  if (!kFieldTable[id].is_signed) return {0, (int64_t{1} << bits) - 1};
  return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
}

}  // namespace vta::isa

#endif  // VTA_HW_ISA_FIELD_TABLE_H_
