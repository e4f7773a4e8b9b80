// SPDX-License-Identifier: Apache-2.0
//
// Instructions and micro-ops on the host: fields by name, and the bits that the core reads.
#ifndef VTA_HW_ISA_INSTRUCTION_H_
#define VTA_HW_ISA_INSTRUCTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/layout.h"

namespace vta::isa {

// One encoded instruction: 16 bytes in memory, little-endian, `lo` first.
struct InstructionBits {
  uint64_t lo = 0;
  uint64_t hi = 0;
  bool operator==(const InstructionBits&) const = default;
};

// The fields of all formats. An instruction uses the fields of its format (fields.def); the others
// are 0.
struct Instruction {
  uint32_t opcode = kFinish;
  uint32_t pop_prev = 0, pop_next = 0, push_prev = 0, push_next = 0;
  bool split = false;

  // LOAD and STORE; sizes and bases in elements of `memory`.
  uint32_t memory = 0, sram_base = 0, dram_base = 0;
  uint32_t y_size = 0, x_size = 0, x_stride = 0;
  uint32_t y_pad_0 = 0, y_pad_1 = 0, x_pad_0 = 0, x_pad_1 = 0;

  // GEMM and ALU.
  uint32_t reset = 0, uop_bgn = 0, uop_end = 0, iter_out = 0, iter_in = 0;
  uint32_t dst_factor_out = 0, dst_factor_in = 0, src_factor_out = 0, src_factor_in = 0;
  uint32_t wgt_factor_out = 0, wgt_factor_in = 0;
  uint32_t alu_opcode = 0, use_imm = 0;
  int32_t imm = 0;  // -32768 to 32767

  bool operator==(const Instruction&) const = default;
};

struct Uop {
  uint32_t dst = 0, src = 0, wgt = 0;
  bool operator==(const Uop&) const = default;
};

IsaWidths widths_of(const CoreConfig& config);

// True for the instructions that have a split bit: GEMM, ALU, LOAD UOP, ACC and ACC_8BIT.
bool has_split(const Instruction& instruction);

// Errors: kInvalidArgument if a field does not fit its width, belongs to another format and is not
// 0, or if `split` is set where there is none; naming the field, the value and the limit.
InstructionBits encode(const Instruction& instruction, const CoreConfig& config);
uint32_t encode(const Uop& uop, const CoreConfig& config);

// Every bit pattern decodes: the opcode selects the format (Gemm for unknown opcodes). Reserved
// bits, and split on a core without the extension, are dropped; find_encoding_fault() reports them.
Instruction decode(InstructionBits bits, const CoreConfig& config);
Uop decode_uop(uint32_t bits, const CoreConfig& config);

struct EncodingFault {
  FaultCode code;
  uint64_t value;
};
// The fault that the core reports for the encoding alone, before it checks ranges: illegal opcode,
// reserved bits (of a core with the extension), memory id, padding, ALU opcode, REQ immediate. A
// carrier is not checked.
std::optional<EncodingFault> find_encoding_fault(InstructionBits bits, const CoreConfig& config);

// Whether the instruction is a LOAD or STORE without elements, which only moves tokens: x_size is
// 0, or y_size is 0 and it fills no rows of padding either.
bool is_carrier(const Instruction& instruction);

// The stage that executes the instruction, if every compute instruction is taken as split. FINISH
// belongs to gemm, an illegal opcode or memory to alu.
enum class Stage { kLoad, kGemm, kAlu, kStore };
Stage stage_of(const Instruction& instruction);
const char* to_string(Stage stage);
const char* to_string(FaultCode code);  // "scratchpad range", ... (faults.def)

// One line of assembly, without index, that assemble_line() reads back (README.md, "Assembly"):
//   gemm.split pop_prev uop=[0,36) iter=[14,14] dst=[14,1] src=[32,2] wgt=[0,0]
std::string disassemble(const Instruction& instruction);

// A whole stream, or its instructions from number `first` on, one per line with its index as a
// comment; faults of the encoding are
// appended as comments. Bits outside of all fields are shown as `.word HIGH LOW`, so that
// assemble() gives back the same stream.
std::string disassemble(std::span<const InstructionBits> stream, const CoreConfig& config,
                        size_t first = 0);

// One instruction from a line of assembly; nullopt for an empty line or a comment (from `;` or `#`
// to the end). Numbers may be as large as in the largest core; encode() knows a core's own limits.
// Errors: kInvalidArgument, naming the column, the text found and what is expected.
std::optional<Instruction> assemble_line(const std::string& line);

// A whole text; errors name the line: "prog.s:12: column 7: ...".
std::vector<InstructionBits> assemble(const std::string& text, const std::string& origin,
                                      const CoreConfig& config);

}  // namespace vta::isa

#endif  // VTA_HW_ISA_INSTRUCTION_H_
