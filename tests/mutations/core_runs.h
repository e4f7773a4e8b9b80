// SPDX-License-Identifier: Apache-2.0
//
// The runs that a mutant must change: random programs, legal and illegal, on tiny_1x8 with every
// memory, and what the cycle model says about each.
#ifndef VTA_TESTS_MUTATIONS_CORE_RUNS_H_
#define VTA_TESTS_MUTATIONS_CORE_RUNS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/timed/run_trace.h"
#include "sim/timed/timed_core.h"
#include "tests/support/program_generator.h"

namespace vta::mutations {

constexpr const char* kCoreName = "tiny_1x8";

// A core that executes some of the runs, one after the other, so that each starts in the state that
// the one before has left.
struct CoreSetting {
  CoreConfig config;
  MemoryConfig memory;
};

struct CoreRun {
  size_t setting = 0;  // index
  std::string name;    // of the program, for messages
  support::GeneratedProgram program;
  sim::NativeRun expected;
  std::vector<uint8_t> expected_arena;
  sim::RunTrace expected_trace;
};

struct CoreRuns {
  std::vector<CoreSetting> settings;
  std::vector<CoreRun> runs;
};

// `programs` legal programs from `seed` on, and some illegal ones of each fault.
CoreRuns make_core_runs(uint64_t seed, uint64_t programs);

using MakeCore = std::function<std::unique_ptr<sim::TimedCore>(const CoreSetting&)>;

// Called before each run, with its core and its index.
using BeforeRun = std::function<void(sim::TimedCore&, size_t run)>;

// The first difference between what the cores of `make` do and what is expected. `compute`: whether
// they leave the bytes of the arena.
struct Difference {
  std::string in;  // "endless", "arena", "fault", "counters", "cycles", "stages", "trace"; "": none
  size_t run = 0;  // of CoreRuns::runs
};
Difference first_difference(const CoreRuns& all, const MakeCore& make, bool compute,
                            const BeforeRun& before);

}  // namespace vta::mutations

#endif  // VTA_TESTS_MUTATIONS_CORE_RUNS_H_
