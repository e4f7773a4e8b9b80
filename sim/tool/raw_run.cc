// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/raw_run.h"

#include "driver/device_allocation.h"
#include "hw/isa/instruction.h"
#include "runtime/base/round_up.h"
#include "sim/tool/stopwatch.h"

namespace vta::sim {

RawRunResult run_raw(std::span<const uint8_t> instructions, std::span<const uint8_t> arena,
                     driver::Device& device, const RawRunRepetition& repetition) {
  if (instructions.empty() || instructions.size() % isa::kInstructionBytes != 0) {
    fail(ErrorCode::kInvalidArgument,
         "the instruction stream has {} bytes; expected one or more instructions of {} bytes",
         instructions.size(), isa::kInstructionBytes);
  }
  driver::RunRequest request;
  request.program_offset_bytes = round_up(arena.size(), driver::kArenaAlignmentBytes);
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
