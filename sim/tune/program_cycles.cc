// SPDX-License-Identifier: Apache-2.0
#include "sim/tune/program_cycles.h"

#include "driver/device_allocation.h"
#include "runtime/session/stream_run.h"

namespace vta::sim {

uint64_t program_cycles(const Program& program, driver::Device& device,
                        std::chrono::milliseconds timeout) {
  if (program.arena_bytes == 0) return 0;  // no layer is on the core
  const driver::DeviceAllocation arena(device, program.arena_bytes);
  device.copy_in(arena.address(), program.arena_image);
  uint64_t cycles = 0;
  for (size_t i = 0; i < program.steps.size();) {
    const ProgramStep& step = program.steps[i];
    if (step.kind != ProgramStep::Kind::kCore || step.num_instructions == 0) {
      ++i;
      continue;
    }
    const StreamRun run(program, i);
    driver::RunRequest request = run.request();
    request.arena = arena.address();
    request.arena_bytes = program.arena_bytes;
    request.parts.clear();
    request.timeout = timeout;
    cycles += device.run(request).cycles.value();
    i = run.end();
  }
  return cycles;
}

}  // namespace vta::sim
