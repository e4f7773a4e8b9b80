// SPDX-License-Identifier: Apache-2.0
//
// The synthesis view of every process of the core is equal to its simulation view, cycle by cycle:
// the core of view_miter.py, which contains both and ends the test where an output differs, runs
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

namespace vta::sim {
namespace {

using MiterCore = RtlCoreOf<Vmiter_vta_1x16, NoWaveform>;

MemoryConfig random_memory(uint64_t seed) {
  MemoryConfig memory = load_memory_config("random");
  memory.seed = static_cast<uint32_t>(seed);
  return memory;
}

NativeRun run(const CoreConfig& config, const support::GeneratedProgram& program, uint64_t seed,
              std::vector<uint8_t>& arena) {
  MiterCore core(config.extension, random_memory(seed));
  return core.run(arena.data(), arena.size(), static_cast<uint32_t>(program.program_offset_bytes),
                  program.num_instructions,
                  std::chrono::steady_clock::now() + std::chrono::seconds(60), nullptr);
}

TEST(ViewMiter, ViewsAreEqualInLegalPrograms) {
  const CoreConfig config = load_core_config("vta_1x16");
  for (uint64_t seed = 0; seed < support::test_count(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> expected = program.arena, arena = program.arena;
    support::run_golden(config, expected, program.program_offset_bytes, program.num_instructions);
    const NativeRun result = run(config, program, seed, arena);
    ASSERT_FALSE(result.timed_out);
    EXPECT_EQ(result.fault, isa::kNoFault);
    EXPECT_TRUE(arena == expected) << "the arenas differ";
  }
}

TEST(ViewMiter, ViewsAreEqualInProgramsWithFaults) {
  const CoreConfig config = load_core_config("vta_1x16");
  int found = 0;
  for (int code = 1; code <= isa::kDeadlock; ++code) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE("fault " + std::to_string(code) + ", seed " + std::to_string(seed));
      const auto program =
          support::find_illegal_program(config, static_cast<isa::FaultCode>(code), seed * 1000);
      if (!program.has_value()) continue;
      ++found;
      std::vector<uint8_t> arena = program->arena;
      const NativeRun result = run(config, *program, seed, arena);
      ASSERT_FALSE(result.timed_out);
      EXPECT_EQ(result.fault, code);
    }
  }
  EXPECT_GT(found, 40);
}

}  // namespace
}  // namespace vta::sim
