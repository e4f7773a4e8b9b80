// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/judge.h"

#include "sim/analysis/tune/program_cycles.h"

namespace vta::sim {

lower::LoweredGraph Judge::lower(const lower::ScheduleBook& book, lower::LayerRange window) {
  return lower::lower(graph_, core_, lower::Mode::kFused,
                      {.schedules = &book, .tilings = &tilings_, .window = window});
}

uint64_t Judge::cycles(const Program& program) { return program_cycles(program, device_); }

}  // namespace vta::sim
