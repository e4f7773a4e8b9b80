// SPDX-License-Identifier: Apache-2.0
#include "sim/tune/judge.h"

#include "runtime/session/stream_run.h"

namespace vta::sim {
namespace {

// Device memory for as long as the object exists.
class Arena {
 public:
  Arena(driver::Device& device, const Program& program)
      : device_(device), address_(device.allocate(program.arena_bytes)) {
    device.copy_in(address_, program.arena_image);
  }
  ~Arena() { device_.free(address_); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  driver::DeviceAddress address() const { return address_; }

 private:
  driver::Device& device_;
  const driver::DeviceAddress address_;
};

}  // namespace

lower::LoweredGraph Judge::lower(const lower::ScheduleBook& book, lower::LayerRange window) {
  return lower::lower(graph_, core_, lower::Mode::kFused,
                      {.schedules = &book, .tilings = &tilings_, .window = window});
}

uint64_t Judge::cycles(const Program& program) {
  const Arena arena(device_, program);
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
    cycles += device_.run(request).cycles.value();
    i = run.end();
  }
  return cycles;
}

}  // namespace vta::sim
