// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/fault_message.h"

namespace vta::sim {
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

std::string reason(const NativeRun& run, const isa::Instruction& instruction,
                   const CoreConfig& config, uint64_t arena_bytes) {
  const uint64_t value = run.value;
  switch (run.fault) {
    case isa::kIllegalOpcode:
      return fmt::format("opcode {} does not exist", value);
    case isa::kReservedBits:
      return fmt::format("bit {} must be zero", value);
    case isa::kIllegalMemory:
      return fmt::format("memory {} cannot be used here", value);
    case isa::kIllegalPadding:
      return fmt::format("pads {:#06x} where none are allowed", value);
    case isa::kScratchpadRange:
      return fmt::format("ends at element {} of a memory of {}", value,
                         depth_of(instruction.memory, config));
    case isa::kDramRange:
      return fmt::format("ends at byte {} of an arena of {}", value, arena_bytes);
    case isa::kIllegalAluOpcode:
      return fmt::format("ALU opcode {} does not exist on this core", value);
    case isa::kIllegalReq:
      return fmt::format("immediate {:#06x} has a reserved upper limit", value);
    case isa::kUopRange:
      return fmt::format("micro-op range [{}, {}) with {} micro-ops", instruction.uop_bgn,
                         instruction.uop_end, config.uop_depth());
    case isa::kDstIndex:
      return fmt::format("dst index {} of {} ACC elements", value, config.acc_depth());
    case isa::kSrcIndex:
      return fmt::format(
          "src index {} of {} elements", value,
          instruction.opcode == isa::kGemm ? config.inp_depth() : config.acc_depth());
    case isa::kWgtIndex:
      return fmt::format("wgt index {} of {} WGT elements", value, config.wgt_depth());
    case isa::kTokensAtChange:
      return fmt::format(
          "{} tokens too many or too few between gemm and alu where a plain instruction follows",
          value);
    case isa::kAfterFinish:
      return "an instruction after FINISH";
    case isa::kTokensLeft:
      return fmt::format("{} tokens left after FINISH", value);
    default:
      return isa::to_string(run.fault);
  }
}

std::string at(uint32_t index, std::span<const isa::InstructionBits> stream,
               const CoreConfig& config) {
  if (index >= stream.size()) return fmt::format("instruction {}", index);
  return fmt::format("instruction {} ({})", index,
                     isa::disassemble(isa::decode(stream[index], config)));
}

// "gemm_to_load" -> "a token from gemm", "room for a token to gemm".
std::string awaited(const WaitingStage& waiting) {
  const size_t middle = waiting.channel.find("_to_");
  if (middle == std::string::npos) {
    return fmt::format("{} {}", waiting.for_room ? "room in" : "data from", waiting.channel);
  }
  if (waiting.for_room) return "room for a token to " + waiting.channel.substr(middle + 4);
  return "a token from " + waiting.channel.substr(0, middle);
}

}  // namespace

std::string fault_message(const NativeRun& run, std::span<const isa::InstructionBits> stream,
                          const CoreConfig& config, uint64_t arena_bytes) {
  if (run.fault == isa::kNoFinish)
    return fmt::format("no FINISH among {} instructions", stream.size());
  if (run.fault == isa::kDeadlock) {
    std::string text = "deadlock:";
    for (const WaitingStage& waiting : run.waiting) {
      text += fmt::format("{} {} waits at {} for {}", &waiting == run.waiting.data() ? "" : ";",
                          waiting.stage, at(waiting.index, stream, config), awaited(waiting));
    }
    return text;
  }
  const isa::Instruction instruction =
      run.index < stream.size() ? isa::decode(stream[run.index], config) : isa::Instruction{};
  return fmt::format("{}: {}: {}", at(run.index, stream, config), isa::to_string(run.fault),
                     reason(run, instruction, config, arena_bytes));
}

}  // namespace vta::sim
