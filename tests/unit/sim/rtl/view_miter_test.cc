// SPDX-License-Identifier: Apache-2.0
//
// The synthesis view of every process of the core is equal to its simulation view, cycle by cycle.
// The core of view_miter.py, which contains both and ends the test where an output differs, runs
// random programs, legal ones and ones with each fault. VTA_TEST_COUNT: legal programs, default
// 200.
#include <Vmiter_vta_1x16.h>
#include <Vmiter_vta_1x16___024root.h>
#include <gtest/gtest.h>

#include "configs/core_config.h"
#include "sim/rtl/fst_waveform.h"
#include "sim/rtl/rtl_core_of.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"
#include "tests/support/timed_run.h"

namespace vta::sim {
namespace {

using MiterCore = RtlCoreOf<Vmiter_vta_1x16, NoWaveform>;

NativeRun run(const CoreConfig& config, const support::GeneratedProgram& program, uint64_t seed,
              std::vector<uint8_t>& arena) {
  MemoryConfig memory = load_memory_config("random");
  memory.seed = static_cast<uint32_t>(seed);
  MiterCore core(config.extension, memory);
  return support::run_on(core, program, arena);
}

TEST(ViewMiter, ViewsAreEqualInLegalPrograms) {
  const CoreConfig config = load_core_config("vta_1x16");
  for (uint64_t seed = 0; seed < support::test_count(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> expected = program.arena, arena;
    support::run_golden(config, expected, program.program_offset_bytes, program.num_instructions);
    const NativeRun result = run(config, program, seed, arena);
    ASSERT_FALSE(result.timed_out);
    EXPECT_EQ(result.fault, isa::kNoFault);
    EXPECT_TRUE(arena == expected) << "the arenas differ";
  }
}

TEST(ViewMiter, ViewsAreEqualInProgramsWithFaults) {
  const CoreConfig config = load_core_config("vta_1x16");
  const std::vector<support::IllegalProgram> programs = support::illegal_programs(config, 4);
  for (const auto& [fault, seed, program] : programs) {
    SCOPED_TRACE("fault " + std::to_string(fault) + ", seed " + std::to_string(seed));
    std::vector<uint8_t> arena;
    const NativeRun result = run(config, program, seed, arena);
    ASSERT_FALSE(result.timed_out);
    EXPECT_EQ(result.fault, fault);
  }
  EXPECT_GT(programs.size(), 40u);
}

}  // namespace
}  // namespace vta::sim
