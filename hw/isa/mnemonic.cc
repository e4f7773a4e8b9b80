// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/mnemonic.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vta::isa {
namespace {

// Indexed by opcode, memory id and ALU opcode. Illegal codes have names too, so that every
// instruction can be written.
constexpr std::array<std::string_view, 8> kOpcodes = {"load", "store", "gemm", "finish",
                                                      "alu",  "op5",   "op6",  "op7"};
constexpr std::array<std::string_view, 8> kMemories = {"uop", "wgt",  "inp",  "acc",
                                                       "out", "acc8", "mem6", "mem7"};
constexpr std::array<std::string_view, 8> alu_opcode_names() {
  std::array<std::string_view, 8> names = {"op0", "op1", "op2", "op3", "op4", "op5", "op6", "op7"};
#define VTA_ALU_OPCODE(enumerator, code, name, needs_extension, result) names[code] = #name;
#include "hw/isa/alu_opcodes.def"
  return names;
}
constexpr std::array<std::string_view, 8> kAluOpcodes = alu_opcode_names();

constexpr Operand kMemoryOperands[] = {
    {"sram", kMemory_sram_base, 1, false, true}, {"dram", kMemory_dram_base, 1, false, true},
    {"size", kMemory_y_size, 2, false, true},    {"stride", kMemory_x_stride, 1, false, true},
    {"pad", kMemory_y_pad_0, 4, false, false},
};
constexpr Operand kGemmOperands[] = {
    {"uop", kGemm_uop_bgn, 2, true, true},         {"iter", kGemm_iter_out, 2, false, true},
    {"dst", kGemm_dst_factor_out, 2, false, true}, {"src", kGemm_src_factor_out, 2, false, true},
    {"wgt", kGemm_wgt_factor_out, 2, false, true},
};
constexpr Operand kAluOperands[] = {
    {"uop", kAlu_uop_bgn, 2, true, true},         {"iter", kAlu_iter_out, 2, false, true},
    {"dst", kAlu_dst_factor_out, 2, false, true}, {"src", kAlu_src_factor_out, 2, false, false},
    {"imm", kAlu_imm, 1, false, false},
};
constexpr int kFlagFields[] = {kMemory_pop_prev, kMemory_pop_next, kMemory_push_prev,
                               kMemory_push_next};

std::string_view name_at(std::span<const std::string_view> names, uint32_t index) {
  return index < names.size() ? names[index] : "?";
}

bool find_name(std::span<const std::string_view> names, std::string_view name, uint32_t& index) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  index = static_cast<uint32_t>(found - names.begin());
  return true;
}

std::vector<std::string_view> split_at_dots(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
    parts.push_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

std::string mnemonic(const Instruction& instruction) {
  std::string text(name_at(kOpcodes, instruction.opcode));
  if (is_memory_access(instruction.opcode)) {
    text.append(".").append(name_at(kMemories, instruction.memory));
  }
  if (instruction.opcode == kAlu) {
    text.append(".").append(name_at(kAluOpcodes, instruction.alu_opcode));
  }
  if (instruction.reset != 0) text += ".reset";
  if (instruction.split) text += ".split";
  return text;
}

std::optional<Instruction> parse_mnemonic(std::string_view text) {
  const std::vector<std::string_view> parts = split_at_dots(text);
  Instruction instruction;
  size_t next = 0;
  const auto take_name = [&](std::span<const std::string_view> names, uint32_t& index) {
    return next < parts.size() && find_name(names, parts[next++], index);
  };
  if (!take_name(kOpcodes, instruction.opcode)) return std::nullopt;
  const bool is_memory = is_memory_access(instruction.opcode);
  if (is_memory && !take_name(kMemories, instruction.memory)) return std::nullopt;
  if (instruction.opcode == kAlu && !take_name(kAluOpcodes, instruction.alu_opcode)) {
    return std::nullopt;
  }
  const auto take_suffix = [&](std::string_view suffix) {
    if (next == parts.size() || parts[next] != suffix) return false;
    ++next;
    return true;
  };
  if (!is_memory) instruction.reset = take_suffix("reset") ? 1 : 0;
  instruction.split = take_suffix("split");
  if (next != parts.size()) return std::nullopt;
  return instruction;
}

std::span<const Operand> operands_of(uint32_t opcode) {
  if (is_memory_access(opcode)) return kMemoryOperands;
  if (opcode == kAlu) return kAluOperands;
  return kGemmOperands;
}

std::span<const int> flag_fields() { return kFlagFields; }

}  // namespace vta::isa
