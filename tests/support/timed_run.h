// SPDX-License-Identifier: Apache-2.0
//
// One run of a generated program on a simulator's core.
#ifndef VTA_TESTS_SUPPORT_TIMED_RUN_H_
#define VTA_TESTS_SUPPORT_TIMED_RUN_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "sim/timed/timed_core.h"
#include "tests/support/program_generator.h"

namespace vta::support {

// `arena`: the program's arena after the run. A run times out after 20 s.
inline sim::NativeRun run_on(sim::TimedCore& core, const GeneratedProgram& program,
                             std::vector<uint8_t>& arena) {
  arena = program.arena;
  return core.run(arena.data(), arena.size(), static_cast<uint32_t>(program.program_offset_bytes),
                  program.num_instructions,
                  std::chrono::steady_clock::now() + std::chrono::seconds(20), nullptr);
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_TIMED_RUN_H_
