// SPDX-License-Identifier: Apache-2.0
//
// The stage states of the Verilated core.
#include "hw/registers/stage_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "hw/isa/program_bytes.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/program_generator.h"
#include "tests/support/timed_run.h"
#include "tests/unit/sim/rtl/machine.h"

namespace vta::sim {
namespace {

using namespace hw;

void expect_sums(const Counters& counters) {
  ASSERT_TRUE(counters.cycles && counters.stages);
  for (size_t stage = 0; stage < kNumCycleStages; ++stage) {
    const auto& states = counters.stages->of[stage];
    EXPECT_EQ(std::accumulate(states.begin(), states.end(), uint64_t{0}), *counters.cycles)
        << kStageNames[stage];
  }
}

uint64_t cycles_of(const Counters& counters, Stage stage, StageState state) {
  return counters.stages.value().of[stage][state];
}

TEST(StageCycles, OfEachStageSumToTheCyclesOfTheRun) {
  const CoreConfig config = load_core_config("tiny_1x8");
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const auto memory = load_memory_config(seed % 2 == 0 ? "ideal64" : "random");
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> arena;
    const NativeRun run = support::run_on(*make_rtl_core(config, memory), program, arena);
    ASSERT_FALSE(run.timed_out);
    expect_sums(run.counters);
  }
}

// Store waits for alu, which takes one cycle per micro-op if consecutive micro-ops have different
// destinations.
TEST(StageCycles, TellHowLongStoreWaitsForAlusToken) {
  Machine machine("rtl");
  machine.write_uops(0, {{0, 0, 0}});
  const auto with_rows = [&](int rows) {
    const Counters counters =
        machine.run(fmt::format("load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                                "alu.add push_next uop=[0,1) iter=[{},32] dst=[0,1] imm=1\n"
                                "store.out pop_prev push_prev sram=0 dram=128 size=[1,1] stride=1\n"
                                "finish pop_next\n",
                                rows));
    expect_sums(counters);
    return counters;
  };
  const Counters few = with_rows(10), many = with_rows(60);
  EXPECT_EQ(*many.cycles - *few.cycles, 1600u);
  const auto grows = [&](Stage stage, StageState state) {
    return cycles_of(many, stage, state) - cycles_of(few, stage, state);
  };
  EXPECT_EQ(grows(kStage_alu, kStageState_busy), 1600u);
  EXPECT_EQ(grows(kStage_store, kStageState_wait_token), 1600u);
  EXPECT_EQ(grows(kStage_load, kStageState_idle), 1600u);
}

TEST(StageCycles, TellHowLongLoadAndStoreWaitForDram) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const auto stream = isa::assemble(
      "load.inp push_next sram=0 dram=0 size=[1,1] stride=1\n"
      "gemm.reset pop_prev push_next\n"
      "store.out pop_prev push_prev sram=0 dram=128 size=[1,1] stride=1\n"
      "finish pop_next\n",
      "test", config);
  const auto with_latency = [&](uint32_t cycles) {
    MemoryConfig memory = load_memory_config("ideal64");
    memory.read_latency_cycles = memory.write_latency_cycles = cycles;
    std::vector<uint8_t> arena(8192);
    std::ranges::copy(isa::bytes_of(stream), &arena[4096]);
    const NativeRun run =
        make_rtl_core(config, memory)
            ->run(arena.data(), arena.size(), 4096, static_cast<uint32_t>(stream.size()),
                  std::chrono::steady_clock::time_point::max(), nullptr);
    EXPECT_EQ(run.fault, isa::kNoFault);
    expect_sums(run.counters);
    return run.counters;
  };
  const Counters near = with_latency(20), far = with_latency(120);
  EXPECT_EQ(*far.cycles - *near.cycles, 300u) << "of the instructions, the load and the store";
  for (const Stage stage : {kStage_load, kStage_store}) {
    EXPECT_EQ(cycles_of(far, stage, kStageState_wait_memory) -
                  cycles_of(near, stage, kStageState_wait_memory),
              100u)
        << kStageNames[stage];
  }
}

}  // namespace
}  // namespace vta::sim
