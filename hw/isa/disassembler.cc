// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors/error.h"
#include "hw/isa/mnemonic.h"

namespace vta::isa {
namespace {

constexpr size_t kCommentColumn = 80;

bool is_zero(const Instruction& instruction, const Operand& operand) {
  for (int id = operand.first; id < operand.first + operand.count; ++id) {
    if (kFieldTable[id].get(instruction) != 0) return false;
  }
  return true;
}

// `imm` is shown if the instruction uses it or it is not 0.
bool shows_imm(const Instruction& instruction) {
  return instruction.opcode == kAlu &&
         (instruction.use_imm != 0 || instruction.imm != 0 || instruction.alu_opcode == kReq);
}

std::string operand_text(const Instruction& instruction, const Operand& operand) {
  std::string values;
  for (int id = operand.first; id < operand.first + operand.count; ++id) {
    if (!values.empty()) values += ',';
    values += fmt::format("{}", kFieldTable[id].get(instruction));
  }
  if (operand.count == 1) return fmt::format(" {}={}", operand.key, values);
  return fmt::format(" {}=[{}{}", operand.key, values, operand.half_open ? ')' : ']');
}

std::string code_text(const Instruction& instruction) {
  std::string text = mnemonic(instruction);
  for (const int id : flag_fields()) {
    if (kFieldTable[id].get(instruction) != 0) text.append(" ").append(kFieldTable[id].name);
  }
  const std::span<const Operand> operands = operands_of(instruction.opcode);
  const bool shows_imm_operand = shows_imm(instruction);
  const bool has_operands =
      shows_imm_operand || std::any_of(operands.begin(), operands.end(),
                                       [&](const Operand& o) { return !is_zero(instruction, o); });
  if (!has_operands) return text;
  for (const Operand& operand : operands) {
    const bool is_imm = operand.first == kAlu_imm;
    const bool shown =
        is_imm ? shows_imm_operand : operand.required || !is_zero(instruction, operand);
    if (!shown) continue;
    if (is_imm && instruction.use_imm == 0) text += " use_src";
    text += operand_text(instruction, operand);
  }
  return text;
}

// The fields of REQ's immediate; empty for other instructions.
std::string req_text(const Instruction& instruction) {
  if (instruction.opcode != kAlu || instruction.alu_opcode != kReq) return "";
  static constexpr const char* kLowerLimits[] = {
#define VTA_REQ_LOWER(enumerator, code, limit) #limit,
#include "hw/isa/req.def"
      "none"};
  const auto get = [&](ReqFieldId id) {
    return static_cast<uint32_t>(extract(static_cast<uint16_t>(instruction.imm), req_field(id)));
  };
  const uint32_t lower = get(kReq_lower), upper = get(kReq_upper);
  return fmt::format("shift {}{}, lo {}, hi {}", get(kReq_shift),
                     get(kReq_round) != 0 ? " rounding" : "", kLowerLimits[lower],
                     upper == kReqUpperNone ? "none" : fmt::format("{}", upper));
}

std::string with_comment(std::string code, const std::string& comment) {
  if (comment.empty()) return code;
  if (code.size() < kCommentColumn) code.resize(kCommentColumn, ' ');
  return code + " ; " + comment;
}

std::string stream_line(size_t index, InstructionBits bits, const CoreConfig& config) {
  const Instruction instruction = decode(bits, config);
  const bool is_exact = encode(instruction, config) == bits;
  const std::string code = is_exact ? code_text(instruction)
                                    : fmt::format(".word 0x{:016x} 0x{:016x}", bits.hi, bits.lo);
  std::string comment = fmt::format("{}", index);
  if (const std::string req = req_text(instruction); !req.empty()) comment += ": " + req;
  if (const auto fault = find_encoding_fault(bits, config)) {
    comment += fmt::format("; FAULT: {} ({})", to_string(fault->code), fault->value);
  }
  if (!is_exact) comment += "; reads as " + code_text(instruction);
  return with_comment(code, comment) + "\n";
}

}  // namespace

std::string disassemble(const Instruction& instruction) {
  const std::string comment = req_text(instruction);
  const std::string code = code_text(instruction);
  return comment.empty() ? code : code + " ; " + comment;
}

std::string disassemble(std::span<const InstructionBits> stream, const CoreConfig& config,
                        size_t first) {
  std::string text;
  for (size_t index = 0; index < stream.size(); ++index) {
    text += stream_line(first + index, stream[index], config);
  }
  return text;
}

}  // namespace vta::isa
