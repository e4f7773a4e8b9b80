// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/raw_run.h"

#include "driver/device_allocation.h"
#include "hw/isa/instruction.h"
#include "runtime/base/round_up.h"
#include "sim/tool/stopwatch.h"

namespace vta::sim {

uint64_t RawProgram::program_offset_bytes() const {
  return round_up(arena.size(), driver::kArenaAlignmentBytes);
}

void check(const RawProgram& program) {
  const size_t size = program.instructions.size();
  if (size != 0 && size % isa::kInstructionBytes == 0) return;
  fail(ErrorCode::kInvalidArgument,
       "the instruction stream has {} bytes; expected one or more instructions of {} bytes", size,
       isa::kInstructionBytes);
}

RawRunResult run_raw(const RawProgram& program, driver::Device& device,
                     const RawRunRepetition& repetition) {
  check(program);
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
