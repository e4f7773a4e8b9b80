// SPDX-License-Identifier: Apache-2.0
//
// Random programs under the golden interpreter alone: what the generators promise.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "hw/isa/instruction.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

class RandomPrograms : public ::testing::TestWithParam<const char*> {
 protected:
  const CoreConfig config_ = load_core_config(GetParam());
};

GoldenResult run(const CoreConfig& config, const GeneratedProgram& program,
                 std::vector<uint8_t>& arena, uint64_t schedule_seed) {
  arena = program.arena;
  return run_golden(config, arena, program.program_offset_bytes, program.num_instructions,
                    {schedule_seed});
}

TEST_P(RandomPrograms, LegalOnesHaveNeitherFaultNorRaceAndDoNotNoticeTheOrderOfTheStages) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const GeneratedProgram program = generate_legal_program(config_, seed);
    std::vector<uint8_t> first;
    const GoldenResult expected = run(config_, program, first, 0);
    const std::string text = fmt::format("{} seed {}\n{}", GetParam(), seed,
                                         isa::disassemble(program.instructions(), config_));
    ASSERT_FALSE(expected.fault) << "fault " << expected.fault->code << " at "
                                 << expected.fault->index << "\n"
                                 << text;
    ASSERT_FALSE(expected.unwritten_read)
        << expected.unwritten_read->index << " reads " << to_string(expected.unwritten_read->place)
        << " " << expected.unwritten_read->element << "\n"
        << text;
    ASSERT_FALSE(expected.race) << expected.race->first_index << " and "
                                << expected.race->second_index << " at "
                                << to_string(expected.race->place) << " " << expected.race->element
                                << "\n"
                                << text;
    for (uint64_t schedule_seed = 1; schedule_seed <= 4; ++schedule_seed) {
      std::vector<uint8_t> arena;
      const GoldenResult result = run(config_, program, arena, schedule_seed);
      ASSERT_FALSE(result.fault) << text;
      ASSERT_FALSE(result.race) << text;
      ASSERT_EQ(result.counters, expected.counters) << text;
      ASSERT_TRUE(arena == first) << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, RandomPrograms,
                         ::testing::Values("tiny_1x8", "vta_1x16", "vta_4x8"));

}  // namespace
}  // namespace vta::support
