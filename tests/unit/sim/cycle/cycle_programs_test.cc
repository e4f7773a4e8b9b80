// SPDX-License-Identifier: Apache-2.0
//
// The cycle model equals the Verilated core: arena, counters, cycles and states of every stage,
// with each memory. VTA_TEST_COUNT programs of tiny_1x8 (default 200), and a twentieth of that
// of each other core. With VTA_TEST_SEED, VTA_TEST_COUNT programs (default 1) of each core from
// that seed on.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "configs/core_config.h"
#include "sim/cycle/cycle_core.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"
#include "tests/support/timed_run.h"
#include "tests/support/trace_difference.h"
#include "tests/unit/sim/cycle/core_at_8_ns.h"
#include "tests/unit/sim/cycle/cores_and_memories.h"

namespace vta::sim {
namespace {

class CyclePrograms : public testing::TestWithParam<CoreAndMemory> {};

using support::run_on;

RunTrace trace_on(TimedCore& core, const support::GeneratedProgram& program) {
  std::vector<uint8_t> arena;
  RunTrace trace;
  core.record(&trace);
  run_on(core, program, arena);
  return trace;
}

// One core as both simulators make it.
struct Makers {
  std::unique_ptr<TimedCore> (*rtl)(const CoreConfig&, const MemoryConfig&);
  std::unique_ptr<TimedCore> (*cycle)(const CoreConfig&, const MemoryConfig&, bool computes);
};
constexpr Makers kOfTheBuild = {[](const CoreConfig& config, const MemoryConfig& memory) {
                                  return make_rtl_core(config, memory);
                                },
                                make_cycle_core};
constexpr Makers kAt8Ns = {make_rtl_core_at_8_ns, make_cycle_core_at_8_ns};

// Reports the first difference of a program with other cycles.
std::string parting(const Makers& make, const CoreConfig& config, const MemoryConfig& memory,
                    const support::GeneratedProgram& program) {
  return support::first_difference(trace_on(*make.rtl(config, memory), program),
                                   trace_on(*make.cycle(config, memory, true), program),
                                   program.instructions(), config);
}

std::string text_of(const hw::StageCycles& stages) {
  std::string text;
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    text += std::string("\n") + hw::kStageNames[stage + 0];
    for (uint64_t cycles : stages.of[stage]) text += " " + std::to_string(cycles);
  }
  return text;
}

void expect_the_cycles_of_the_verilated_core(const Makers& make, const CoreConfig& config,
                                             const MemoryConfig& memory,
                                             const support::GeneratedProgram& program) {
  std::vector<uint8_t> rtl_arena, arena, untouched;
  const NativeRun rtl = run_on(*make.rtl(config, memory), program, rtl_arena);
  const NativeRun run = run_on(*make.cycle(config, memory, true), program, arena);
  ASSERT_FALSE(rtl.timed_out);
  ASSERT_FALSE(run.timed_out);
  EXPECT_EQ(run.fault, rtl.fault);
  EXPECT_TRUE(arena == rtl_arena) << "the arenas differ";
  ASSERT_EQ(run.counters.cycles, rtl.counters.cycles) << parting(make, config, memory, program);
  ASSERT_TRUE(run.counters == rtl.counters)
      << text_of(*rtl.counters.stages) << text_of(*run.counters.stages) << "\n"
      << parting(make, config, memory, program);
  const NativeRun timed = run_on(*make.cycle(config, memory, false), program, untouched);
  EXPECT_EQ(timed.fault, rtl.fault);
  EXPECT_TRUE(timed.counters == rtl.counters) << "without the results";
  EXPECT_TRUE(untouched == program.arena) << "nothing is to be computed";
}

void expect_for_random_programs(const Makers& make, const CoreAndMemory& given) {
  const CoreConfig config = load_core_config(given.core);
  const support::Seeds seeds =
      support::test_seeds(0, support::share_of(support::test_count(200), given.share));
  for (uint64_t seed = seeds.begin; seed < seeds.end && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    expect_the_cycles_of_the_verilated_core(make, config, memory_of(given.memory, seed),
                                            support::generate_legal_program(config, seed));
  }
}

TEST_P(CyclePrograms, TakeTheCyclesOfTheVerilatedCore) {
  expect_for_random_programs(kOfTheBuild, GetParam());
}

// Recurrences of gemm are shortened for this clock, and the stages are others.
TEST(CycleProgramsOfAFasterClock, TakeTheCyclesOfTheVerilatedCore) {
  for (const std::string& memory : installed_config_names("memories")) {
    SCOPED_TRACE(memory);
    expect_for_random_programs(kAt8Ns, {"tiny_1x8", memory, 2});
  }
}

// A program with a fault stops at its instruction, with and without results, and the cycles of its
// stages up to then equal the Verilated core's.
void expect_the_faults_of_the_verilated_core(const Makers& make) {
  const CoreConfig config = load_core_config("tiny_1x8");
  MemoryConfig memory = load_memory_config("random");
  const std::vector<support::IllegalProgram> programs = support::illegal_programs(config, 4);
  for (const auto& [fault, seed, program] : programs) {
    SCOPED_TRACE("fault " + std::to_string(fault) + ", seed " + std::to_string(seed));
    memory.seed = static_cast<uint32_t>(seed);
    std::vector<uint8_t> rtl_arena, arena, untouched;
    const NativeRun rtl = run_on(*make.rtl(config, memory), program, rtl_arena);
    const NativeRun run = run_on(*make.cycle(config, memory, true), program, arena);
    const NativeRun timed = run_on(*make.cycle(config, memory, false), program, untouched);
    EXPECT_TRUE(arena == rtl_arena) << "the arenas differ";
    for (const NativeRun* own : {&run, &timed}) {
      EXPECT_EQ(own->fault, rtl.fault);
      EXPECT_EQ(own->index, rtl.index);
      EXPECT_EQ(own->value, rtl.value);
      EXPECT_EQ(own->waiting.size(), rtl.waiting.size());
      EXPECT_EQ(own->counters.cycles, rtl.counters.cycles);
      EXPECT_EQ(own->counters.stages, rtl.counters.stages);
    }
  }
  EXPECT_GT(programs.size(), 40u);
}

TEST(CycleFaults, AreThoseOfTheVerilatedCore) {
  expect_the_faults_of_the_verilated_core(kOfTheBuild);
}

TEST(CycleFaults, OfAFasterClockAreThoseOfTheVerilatedCore) {
  expect_the_faults_of_the_verilated_core(kAt8Ns);
}

// All stages that wait are named, fetch with the instruction that has no space.
TEST(CycleFaults, NameTheWaitsOfADeadlock) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const MemoryConfig memory = load_memory_config("ideal64");
  for (const support::GeneratedProgram& program : support::blocked_queue_programs(config)) {
    std::vector<uint8_t> arena;
    const NativeRun rtl = run_on(*make_rtl_core(config, memory), program, arena);
    const NativeRun run = run_on(*make_cycle_core(config, memory, true), program, arena);
    EXPECT_EQ(rtl.fault, isa::kDeadlock);
    EXPECT_EQ(rtl.index, 0u);
    ASSERT_EQ(rtl.waiting.size(), 2u);
    ASSERT_EQ(run.waiting.size(), 2u);
    for (size_t i = 0; i < rtl.waiting.size(); ++i) {
      SCOPED_TRACE(rtl.waiting[i].stage);
      const uint32_t index = rtl.waiting[i].stage == "fetch" ? config.command_queue_depth + 1 : 0;
      EXPECT_EQ(rtl.waiting[i].index, index);
      EXPECT_EQ(rtl.waiting[i].for_space, rtl.waiting[i].stage == "fetch");
      EXPECT_EQ(run.waiting[i].stage, rtl.waiting[i].stage);
      EXPECT_EQ(run.waiting[i].index, index);
      EXPECT_EQ(run.waiting[i].channel, rtl.waiting[i].channel);
      EXPECT_EQ(run.waiting[i].for_space, rtl.waiting[i].for_space);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, CyclePrograms, testing::ValuesIn(cores_and_memories()),
                         [](const auto& given) { return name_of(given.param); });

}  // namespace
}  // namespace vta::sim
