// SPDX-License-Identifier: Apache-2.0
#include "driver/fault_message.h"

#include <fmt/format.h>

#include "base/errors/counted.h"

namespace vta::driver {
namespace {

uint32_t depth_of(uint32_t memory, const CoreConfig& config) {
  switch (memory) {
    case isa::kUop:
      return config.uop_depth();
    case isa::kWgt:
      return config.wgt_depth();
    case isa::kInp:
      return config.inp_depth();
    default:
      return config.acc_depth();
  }
}

std::string reason(const Fault& fault, const isa::Instruction& instruction,
                   const CoreConfig& config, uint64_t arena_bytes) {
  const uint64_t value = fault.value;
  switch (fault.code) {
    case isa::kIllegalOpcode:
      return fmt::format("opcode {} does not exist", value);
    case isa::kReservedBits:
      return fmt::format("bit {} must be zero", value);
    case isa::kIllegalMemory:
      return fmt::format("memory {} is not allowed here", value);
    case isa::kIllegalPadding:
      return fmt::format("pads {:#06x} where none are allowed", value);
    case isa::kScratchpadRange:
      return fmt::format("ends at element {}; the memory has {}", value,
                         depth_of(instruction.memory, config));
    case isa::kDramRange:
      return fmt::format("ends at byte {}; the arena has {}", value, arena_bytes);
    case isa::kIllegalAluOpcode:
      return fmt::format("ALU opcode {} does not exist on this core", value);
    case isa::kIllegalReq:
      return fmt::format("immediate {:#06x} has a reserved upper limit", value);
    case isa::kUopRange:
      return fmt::format("[{}, {}) of {} micro-ops", instruction.uop_bgn, instruction.uop_end,
                         config.uop_depth());
    case isa::kDstIndex:
      return fmt::format("{} of {} ACC elements", value, config.acc_depth());
    case isa::kSrcIndex:
      return instruction.opcode == isa::kGemm
                 ? fmt::format("{} of {} INP elements", value, config.inp_depth())
                 : fmt::format("{} of {} ACC elements", value, config.acc_depth());
    case isa::kWgtIndex:
      return fmt::format("{} of {} WGT elements", value, config.wgt_depth());
    case isa::kTokensAtChange:
      return fmt::format(
          "{} too many or too few between gemm and alu where a plain instruction follows",
          counted(value, "token"));
    case isa::kTokensLeft:
      return fmt::format("{} after FINISH", value);
    default:  // the fault's name says it all
      return "";
  }
}

std::string at(uint32_t index, std::span<const isa::InstructionBits> stream,
               const CoreConfig& config) {
  if (index >= stream.size()) return fmt::format("instruction {}", index);
  return fmt::format("instruction {} ({})", index,
                     isa::disassemble(isa::decode(stream[index], config)));
}

// "gemm_to_load" -> "a token from gemm", "space for a token to load".
std::string awaited(const WaitingStage& waiting) {
  const size_t middle = waiting.channel.find("_to_");
  if (middle == std::string::npos) {
    return fmt::format("{} {}", waiting.for_space ? "space in" : "data from", waiting.channel);
  }
  if (waiting.for_space) return "space for a token to " + waiting.channel.substr(middle + 4);
  return "a token from " + waiting.channel.substr(0, middle);
}

std::string deadlock_message(const Fault& fault, std::span<const isa::InstructionBits> stream,
                             const CoreConfig& config) {
  std::string text = "deadlock:";
  for (const WaitingStage& waiting : fault.waiting) {
    text += fmt::format("{} {} waits", &waiting == fault.waiting.data() ? "" : ";", waiting.stage);
    if (waiting.index != UINT32_MAX) text += " at " + at(waiting.index, stream, config);
    if (!waiting.channel.empty()) text += " for " + awaited(waiting);
  }
  return text;
}

}  // namespace

std::string fault_message(const Fault& fault, std::span<const isa::InstructionBits> stream,
                          const CoreConfig& config, uint64_t arena_bytes) {
  if (fault.code == isa::kNoFinish)
    return fmt::format("no FINISH in {}", counted(stream.size(), "instruction"));
  if (fault.code == isa::kDeadlock) return deadlock_message(fault, stream, config);
  const isa::Instruction instruction =
      fault.index < stream.size() ? isa::decode(stream[fault.index], config) : isa::Instruction{};
  const std::string why = reason(fault, instruction, config, arena_bytes);
  return fmt::format("{}: {}{}{}", at(fault.index, stream, config), isa::to_string(fault.code),
                     why.empty() ? "" : ": ", why);
}

}  // namespace vta::driver
