// SPDX-License-Identifier: Apache-2.0
//
// The records (sim/timed/run_trace.h) of the Verilated core and of the cycle model are equal, event
// by event: instructions, waits, tokens and beats of DRAM. VTA_TEST_COUNT programs of tiny_1x8
// (default 100), and a twentieth of that of each other core.
#include <gtest/gtest.h>

#include <string>

#include "configs/core_config.h"
#include "sim/cycle/cycle_core.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"
#include "tests/support/timed_run.h"
#include "tests/support/trace_difference.h"
#include "tests/unit/sim/cycle/cores_and_memories.h"

namespace vta::sim {
namespace {

RunTrace trace_on(TimedCore& core, const support::GeneratedProgram& program) {
  std::vector<uint8_t> arena;
  RunTrace trace;
  core.record(&trace);
  const NativeRun run = support::run_on(core, program, arena);
  EXPECT_EQ(run.counters.cycles, trace.cycles);
  return trace;
}

class RunTraces : public testing::TestWithParam<CoreAndMemory> {};

TEST_P(RunTraces, AreThoseOfTheVerilatedCoreEventByEvent) {
  const CoreConfig config = load_core_config(GetParam().core);
  const uint64_t start = support::test_seed(0);
  const uint64_t programs = support::test_count(100) / GetParam().share;
  for (uint64_t seed = start; seed < start + programs; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    MemoryConfig memory = load_memory_config(GetParam().memory);
    memory.seed = static_cast<uint32_t>(seed);
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    const RunTrace rtl = trace_on(*make_rtl_core(config, memory), program);
    const RunTrace cycle = trace_on(*make_cycle_core(config, memory, seed % 2 == 0), program);
    ASSERT_EQ(support::first_difference(rtl, cycle, program.instructions(), config), "");
    ASSERT_TRUE(rtl == cycle) << "first_difference() overlooks something";
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, RunTraces, testing::ValuesIn(cores_and_memories()),
                         [](const auto& given) { return name_of(given.param); });

}  // namespace
}  // namespace vta::sim
