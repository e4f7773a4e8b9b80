// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/raw_run.h"

#include "base/errors/counted.h"
#include "base/numbers/round_up.h"
#include "driver/device_allocation.h"
#include "hw/isa/field_table.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/dram_address.h"
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {

bool accesses_dram(const isa::Instruction& instruction) {
  return isa::is_memory_access(instruction.opcode) && instruction.y_size > 0 &&
         instruction.x_size > 0;
}

// For the device, the instructions belong to the arena; what a program stores there is lost.
void check_ends(const RawProgram& program, const CoreConfig& core) {
  const uint64_t arena_bytes = program.arena.size();
  const uint64_t accessible_bytes = program.program_offset_bytes() + program.instructions.size();
  const std::vector<isa::InstructionBits> stream = isa::instructions_in(program.instructions);
  for (size_t i = 0; i < stream.size(); ++i) {
    const isa::Instruction instruction = isa::decode(stream[i], core);
    if (instruction.opcode == isa::kFinish) return;  // the device runs none after it
    if (!accesses_dram(instruction)) continue;
    const uint64_t end = dram_end_bytes(instruction, core);
    if (end <= arena_bytes || end > accessible_bytes) continue;  // the device refuses the latter
    fail(ErrorCode::kInvalidArgument,
         "instruction {} accesses DRAM up to byte {}; the arena ends at byte {}, where the "
         "instructions follow",
         i, end, arena_bytes);
  }
}

}  // namespace

uint64_t RawProgram::program_offset_bytes() const {
  return round_up(arena.size(), driver::kArenaAlignmentBytes);
}

void check(const RawProgram& program, const CoreConfig& core) {
  const size_t size = program.instructions.size();
  if (size == 0 || size % isa::kInstructionBytes != 0) {
    fail(ErrorCode::kInvalidArgument,
         "the instruction stream has {}; expected one or more instructions of {} bytes",
         counted(size, "byte"), isa::kInstructionBytes);
  }
  check_ends(program, core);
}

RawRunResult run_raw(const RawProgram& program, driver::Device& device,
                     const RawRunRepetition& repetition) {
  const auto [instructions, arena] = program;
  driver::RunRequest request;
  request.program_offset_bytes = program.program_offset_bytes();
  request.arena_bytes = request.program_offset_bytes + instructions.size();
  request.num_instructions = static_cast<uint32_t>(instructions.size() / isa::kInstructionBytes);

  const driver::DeviceAllocation memory(device, request.arena_bytes);
  request.arena = memory.address();
  device.copy_in(request.arena, arena);
  device.copy_in(memory.at(request.program_offset_bytes), instructions);

  RawRunResult result;
  const Stopwatch stopwatch;
  driver::Evaluation evaluation =
      driver::evaluate(device, request, repetition.number, repetition.repeat);
  result.device_seconds = stopwatch.seconds();
  result.counters = evaluation.counters;
  result.sample_seconds = std::move(evaluation.seconds);
  result.arena.resize(arena.size());
  device.copy_out(result.arena, request.arena);
  return result;
}

}  // namespace vta::sim
