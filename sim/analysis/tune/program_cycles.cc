// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/program_cycles.h"

#include "driver/device_allocation.h"
#include "runtime/session/stream_run.h"

namespace vta::sim {

uint64_t program_cycles(const Program& program, driver::Device& device,
                        std::chrono::milliseconds timeout) {
  if (program.arena_bytes == 0) return 0;  // no layer is on the core
  const driver::DeviceAllocation arena(device, program.arena_bytes);
  device.copy_in(arena.address(), program.arena_image);
  uint64_t cycles = 0;
  for (const StreamSteps steps : streams_of(program)) {
    driver::RunRequest request = StreamRun(program, steps).request();
    request.arena = arena.address();
    request.arena_bytes = program.arena_bytes;
    request.parts.clear();
    request.timeout = timeout;
    cycles += device.run(request).cycles.value();
  }
  return cycles;
}

}  // namespace vta::sim
