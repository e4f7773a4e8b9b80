// SPDX-License-Identifier: Apache-2.0
//
// The records (sim/timed/run_trace.h) of the Verilated core and of the cycle model are equal, event
// by event: instructions, waits, tokens and beats of DRAM. VTA_TEST_COUNT programs (default 100),
// of vta_1x16 a twentieth of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

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

// `arena`: after the run, if not null.
RunTrace trace_on(TimedCore& core, const support::GeneratedProgram& program,
                  std::vector<uint8_t>* arena = nullptr) {
  std::vector<uint8_t> own_arena;
  RunTrace trace;
  core.record(&trace);
  const NativeRun run = support::run_on(core, program, arena ? *arena : own_arena);
  EXPECT_EQ(run.fault, isa::kNoFault);
  EXPECT_EQ(run.counters.cycles, trace.cycles);
  return trace;
}

class RunTraces : public testing::TestWithParam<CoreAndMemory> {};

TEST_P(RunTraces, AreThoseOfTheVerilatedCoreEventByEvent) {
  const CoreConfig config = load_core_config(GetParam().core);
  const support::Seeds seeds =
      support::test_seeds(0, support::share_of(support::test_count(100), GetParam().share));
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const MemoryConfig memory = memory_of(GetParam().memory, seed);
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    const RunTrace rtl = trace_on(*make_rtl_core(config, memory), program);
    const RunTrace cycle = trace_on(*make_cycle_core(config, memory, seed % 2 == 0), program);
    ASSERT_EQ(support::first_difference(rtl, cycle, program.instructions(), config), "");
    ASSERT_TRUE(rtl == cycle) << "first_difference() overlooks something";
  }
}

// Queues that are full, results of the ALU and shared ports, with a core that is used again and
// memories of all speeds.
TEST(DirectedPrograms, LeaveTheTracesOfTheVerilatedCore) {
  const CoreConfig config = load_core_config("tiny_1x8");
  std::vector<support::GeneratedProgram> programs = support::full_queue_programs(config);
  std::ranges::move(support::alu_result_programs(config), std::back_inserter(programs));
  std::ranges::move(support::shared_port_programs(config), std::back_inserter(programs));
  for (const std::string& name : installed_config_names("memories")) {
    SCOPED_TRACE(name);
    const MemoryConfig memory = memory_of(name, support::test_seed(0));
    const auto rtl_core = make_rtl_core(config, memory);
    const auto cycle_core = make_cycle_core(config, memory, true);
    for (const support::GeneratedProgram& program : programs) {
      std::vector<uint8_t> rtl_arena, arena;
      const RunTrace rtl = trace_on(*rtl_core, program, &rtl_arena);
      const RunTrace cycle = trace_on(*cycle_core, program, &arena);
      EXPECT_TRUE(rtl_arena == arena) << "the arenas differ";
      ASSERT_EQ(support::first_difference(rtl, cycle, program.instructions(), config), "");
    }
  }
}

struct SpaceWait {
  Wait wait;
  const char* name;
};
constexpr SpaceWait kSpaceWaits[] = {
#define VTA_WAIT(process, channel, state, for_space) \
  {for_space ? kWait_##process##_##channel : kNumWaits, #process " waits for " #channel},
#include "hw/core/processes.def"
};

// The directed programs, and random ones with random memories, fill each queue of the core.
TEST(DirectedPrograms, FillEachQueue) {
  constexpr uint32_t kRandomPrograms = 40;
  const CoreConfig config = load_core_config("tiny_1x8");
  std::array<bool, kNumWaits + 1> is_full{};
  const auto note = [&](const MemoryConfig& memory, const support::GeneratedProgram& program) {
    for (const auto& process : trace_on(*make_cycle_core(config, memory, true), program).processes)
      for (const RunTrace::WaitSpan& span : process.waits) is_full[span.wait] = true;
  };
  for (const support::GeneratedProgram& program : support::full_queue_programs(config))
    note(load_memory_config("ideal64"), program);
  for (uint32_t seed = 0; seed < kRandomPrograms; ++seed)
    note(support::random_memory(seed), support::generate_legal_program(config, seed));
  is_full[kNumWaits] = true;
  // Never full: the writer waits for data of its plan, which the reader has taken from the queue by
  // then.
  is_full[kWait_gemm_uop_plan] = is_full[kWait_alu_acc_plan] = true;
  for (const SpaceWait& queue : kSpaceWaits) EXPECT_TRUE(is_full[queue.wait]) << queue.name;
}

INSTANTIATE_TEST_SUITE_P(Cores, RunTraces, testing::ValuesIn(cores_and_memories()),
                         [](const auto& given) { return name_of(given.param); });

}  // namespace
}  // namespace vta::sim
