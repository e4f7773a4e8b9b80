// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/portability.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/numbers/round_up.h"
#include "hw/isa/field_table.h"
#include "hw/isa/layout.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/dram_address.h"

namespace vta::sim {
namespace {

// Depth of the Chisel core's UOP, whatever its configuration says.
constexpr uint32_t kChiselUops = 2048;

bool accesses_dram(const isa::Instruction& instruction) {
  return isa::is_memory_access(instruction.opcode) && instruction.y_size > 0 &&
         instruction.x_size > 0;
}

uint32_t largest_elem_bytes(const CoreConfig& core) {
  uint32_t bytes = 0;
  for (const uint32_t memory : {isa::kUop, isa::kWgt, isa::kInp, isa::kAcc, isa::kOut})
    bytes = std::max(bytes, dram_elem_bytes(memory, core));
  return bytes;
}

// Numbers of instructions.
struct Needs {
  uint64_t instructions = 0, extension = 0, low_bytes = 0, mul = 0, acc_8bit = 0, high_uops = 0;
};

void count(const isa::Instruction& i, const CoreConfig& core, uint64_t base_bytes, Needs& needs) {
  ++needs.instructions;
  const bool is_alu = i.opcode == isa::kAlu;
  const bool takes_uops = is_alu || i.opcode == isa::kGemm;
  if (i.split || (is_alu && isa::alu_opcode_needs_extension(i.alu_opcode))) ++needs.extension;
  if (is_alu && i.alu_opcode == isa::kMul) ++needs.mul;
  if (i.opcode == isa::kLoad && i.memory == isa::kAcc8Bit && !isa::is_carrier(i)) ++needs.acc_8bit;
  if (takes_uops && i.uop_end > kChiselUops) ++needs.high_uops;
  if (accesses_dram(i) &&
      base_bytes + uint64_t{i.dram_base} * dram_elem_bytes(i.memory, core) < kUnmappedBytes)
    ++needs.low_bytes;
}

Needs needs_of(const Program& program, uint64_t base_bytes) {
  Needs needs;
  for (const StreamSteps stream : streams_of(program)) {
    for (const isa::InstructionBits& bits : isa::instructions_in(stream_bytes(program, stream)))
      count(isa::decode(bits, program.core), program.core, base_bytes, needs);
  }
  return needs;
}

}  // namespace

std::vector<isa::InstructionBits> moved(const std::vector<isa::InstructionBits>& stream,
                                        uint64_t base_bytes, const CoreConfig& core) {
  const uint32_t largest = largest_elem_bytes(core);
  if (base_bytes % largest != 0) {
    fail(ErrorCode::kInvalidArgument,
         "base {} is not a multiple of {}, the bytes of core {}'s largest element", base_bytes,
         largest, core.name);
  }
  std::vector<isa::InstructionBits> result = stream;
  for (isa::InstructionBits& bits : result) {
    isa::Instruction instruction = isa::decode(bits, core);
    if (base_bytes == 0 || !accesses_dram(instruction)) continue;
    const uint64_t first =
        instruction.dram_base + base_bytes / dram_elem_bytes(instruction.memory, core);
    if (first > std::numeric_limits<uint32_t>::max()) {
      fail(ErrorCode::kInvalidArgument,
           "base {}: element {} of an instruction does not fit the 32 bits of dram_base",
           base_bytes, first);
    }
    instruction.dram_base = static_cast<uint32_t>(first);
    bits = isa::encode(instruction, core);
  }
  return result;
}

std::vector<std::string> portability_notes(const Program& program, uint64_t base_bytes) {
  const Needs needs = needs_of(program, base_bytes);
  std::vector<std::string> notes;
  const auto add = [&](uint64_t instructions, const std::string& what) {
    if (instructions > 0)
      notes.push_back(fmt::format("{} of {} {}", instructions,
                                  counted(needs.instructions, "instruction"), what));
  };
  add(needs.extension,
      "need this core's extension (split, REQ), which no other implementation of VTA has; compile "
      "the network with --mode compatible");
  if (needs.extension > 0) return notes;
  add(needs.low_bytes,
      fmt::format("access bytes below {}, which VTA's virtual memory does not map; --base {} moves "
                  "the arena",
                  kUnmappedBytes, round_up(kUnmappedBytes, largest_elem_bytes(program.core))));
  add(needs.mul, "are MUL, which VTA's Chisel core does not have (4 shifts left there)");
  add(needs.acc_8bit, "load ACC_8BIT, which VTA's Chisel core does not have");
  add(needs.high_uops, fmt::format("use micro-ops from {} on; UOP of VTA's Chisel core has {}",
                                   kChiselUops, kChiselUops));
  return notes;
}

}  // namespace vta::sim
