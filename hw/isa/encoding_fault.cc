// SPDX-License-Identifier: Apache-2.0
//
// Faults of the encoding alone, in the order of faults.def.
#include <bit>

#include "hw/isa/field_table.h"

namespace vta::isa {
namespace {

// VTA's runtime leaves the bits outside its fields as they are, so only the extension checks them.
std::optional<EncodingFault> find_reserved_bit(InstructionBits bits, const Instruction& instruction,
                                               const CoreConfig& config) {
  if (!config.extension) return std::nullopt;
  const IsaWidths widths = widths_of(config);
  const int first = format_of(instruction.opcode).first;
  uint64_t reserved_lo = ~used_bits(first, 0, widths);
  const uint64_t reserved_hi = ~used_bits(first, 1, widths);
  if (has_split(instruction)) reserved_lo &= ~split_mask(instruction.opcode);
  const uint64_t lo = bits.lo & reserved_lo;
  const uint64_t hi = bits.hi & reserved_hi;
  if (lo != 0) return EncodingFault{kReservedBits, static_cast<uint64_t>(std::countr_zero(lo))};
  if (hi != 0) {
    return EncodingFault{kReservedBits, 64 + static_cast<uint64_t>(std::countr_zero(hi))};
  }
  return std::nullopt;
}

bool is_legal_memory(const Instruction& instruction) {
  if (instruction.opcode == kStore) return instruction.memory == kOut;
  switch (instruction.memory) {
    case kUop:
    case kWgt:
    case kInp:
    case kAcc:
    case kAcc8Bit:
      return true;
    default:
      return false;
  }
}

bool may_pad(const Instruction& instruction) {
  return instruction.opcode == kLoad && instruction.memory != kUop && instruction.memory != kWgt;
}

std::optional<EncodingFault> find_memory_fault(InstructionBits bits, const Instruction& instruction,
                                               const IsaWidths& widths) {
  if (!is_legal_memory(instruction)) return EncodingFault{kIllegalMemory, instruction.memory};
  const uint64_t pads = bits.hi >> field(kMemory_y_pad_0, widths).lsb;
  if (pads != 0 && !may_pad(instruction)) return EncodingFault{kIllegalPadding, pads};
  return std::nullopt;
}

std::optional<EncodingFault> find_alu_fault(const Instruction& instruction, bool extension) {
  const uint32_t opcode = instruction.alu_opcode;
  if (opcode >= kNumAluOpcodes || (!extension && alu_opcode_needs_extension(opcode))) {
    return EncodingFault{kIllegalAluOpcode, opcode};
  }
  const uint32_t imm = static_cast<uint32_t>(instruction.imm) & 0xffff;
  const uint64_t upper = extract(imm, req_field(kReq_upper));
  if (opcode == kReq && upper > kReqUpperMax && upper != kReqUpperNone) {
    return EncodingFault{kIllegalReq, imm};
  }
  return std::nullopt;
}

}  // namespace

std::optional<EncodingFault> find_encoding_fault(InstructionBits bits, const CoreConfig& config) {
  const Instruction instruction = decode(bits, config);
  if (instruction.opcode > kAlu) return EncodingFault{kIllegalOpcode, instruction.opcode};
  if (is_carrier(instruction)) return std::nullopt;
  if (const auto fault = find_reserved_bit(bits, instruction, config)) return fault;
  if (is_memory_access(instruction.opcode))
    return find_memory_fault(bits, instruction, widths_of(config));
  if (instruction.opcode == kAlu) return find_alu_fault(instruction, config.extension);
  return std::nullopt;
}

const char* to_string(FaultCode code) {
  switch (code) {
    case kNoFault:
      return "no fault";
#define VTA_FAULT(enumerator, code_number, name, value) \
  case enumerator:                                      \
    return name;
#include "hw/isa/faults.def"
  }
  return "unknown fault";
}

}  // namespace vta::isa
