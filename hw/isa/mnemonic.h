// SPDX-License-Identifier: Apache-2.0
//
// The words of the assembly language (README.md, "Assembly"), shared by disassembler and assembler.
#ifndef VTA_HW_ISA_MNEMONIC_H_
#define VTA_HW_ISA_MNEMONIC_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hw/isa/field_table.h"

namespace vta::isa {

// "load.inp", "alu.add.split", "gemm.reset.split", "op6" (an illegal opcode).
std::string mnemonic(const Instruction& instruction);

// The instruction with the opcode, memory, ALU opcode, reset and split of a mnemonic; nullopt if
// the text is not one. `split` is accepted for every instruction; encode() rejects it where there
// is none.
std::optional<Instruction> parse_mnemonic(std::string_view text);

// The operands of a line: `key=value` or `key=[value,...]`, each a run of adjacent fields.
struct Operand {
  const char* key;
  int first;  // FieldId
  int count;
  bool half_open;  // [a,b)
  bool required;   // written unless all operands are 0
};
std::span<const Operand> operands_of(uint32_t opcode);

// FieldIds of the dependence flags (pop_prev, ...). The ids of Memory, which serve for all formats.
std::span<const int> flag_fields();

}  // namespace vta::isa

#endif  // VTA_HW_ISA_MNEMONIC_H_
