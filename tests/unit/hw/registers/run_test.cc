// SPDX-License-Identifier: Apache-2.0
//
// Start, the end of a run, faults, cycles and the soft reset.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/hw/registers/axi_lite_bench.h"

namespace vta::hw {
namespace {

constexpr Stage kCountedStages[] = {kStage_load, kStage_gemm, kStage_alu, kStage_store};
constexpr StageState kStates[] = {kStageState_busy,        kStageState_wait_token,
                                  kStageState_wait_memory, kStageState_wait_port,
                                  kStageState_wait_queue,  kStageState_idle};

// The core's side: takes its streams at random times, runs, ends.
struct FakeCore {
  explicit FakeCore(uint64_t seed) : random(seed) {}

  void cycle(Vvta_registers& pins) {
    if (pins.core_reset) {
      ++resets;
      requests.clear();
      fetches.clear();
      worked = 0;
    }
    const bool takes_request = !pins.run_request_empty && random.chance(30);
    const bool takes_fetch = !pins.run_fetch_empty && random.chance(30);
    pins.run_request_pop = takes_request;
    pins.run_fetch_pop = takes_fetch;
    if (takes_request) requests.push_back(pins.run_request_data);
    if (takes_fetch) fetches.push_back(pins.run_fetch_data);
    const bool works = !requests.empty() && !fetches.empty();
    if (works) ++worked;
    pins.run_ended = works && worked == cycles_of_work;
    for (CData* state : {&pins.load_state, &pins.gemm_state, &pins.alu_state, &pins.store_state}) {
      *state = static_cast<CData>(1u << random.between(0, 5));
    }
  }

  Random random;
  int cycles_of_work = 50, worked = 0;
  std::vector<uint64_t> requests, fetches;
  int resets = 0;  // cycles in reset
};

struct Run : testing::Test {
  Run() {
    bench.on_cycle = [this](Vvta_registers& pins) { core.cycle(pins); };
    bench.step(20);
  }
  void command(uint32_t bits) { bench.write(kRegister_control, bits); }
  uint32_t status() { return bench.read(kRegister_status); }
  uint64_t cycles_of(Stage stage, StageState state) {
    return read_register64(bench, stage_cycles_register(stage, state));
  }
  void expect_all_counters_clear() {
    EXPECT_EQ(read_register64(bench, kRegister_cycles), 0u);
    for (Stage stage : kCountedStages) {
      for (StageState state : kStates) EXPECT_EQ(cycles_of(stage, state), 0u) << stage << state;
    }
  }

  FakeCore core{3};
  AxiLiteBench bench;
};

TEST_F(Run, IsIdleAfterTheHardwaresReset) {
  EXPECT_EQ(status(), uint32_t{kBits_status_idle});
  EXPECT_EQ(bench.read(kRegister_control), 0u);
  EXPECT_TRUE(bench.pins().run_request_empty);
  EXPECT_TRUE(bench.pins().run_fetch_empty);
  expect_all_counters_clear();
}

TEST_F(Run, StartGivesTheCoreOneCommandOnEachStream) {
  bench.write(kRegister_program_offset_bytes, 0x40);
  bench.write(kRegister_num_instructions, 12);
  command(kBits_control_start);
  EXPECT_EQ(status(), uint32_t{kBits_status_running});
  bench.step(200);
  const std::vector<uint64_t> expected = {0x0000'000C'0000'0040};
  EXPECT_EQ(core.requests, expected);
  EXPECT_EQ(core.fetches, expected);
  EXPECT_EQ(status(), uint32_t{kBits_status_done});
  EXPECT_EQ(bench.read(kRegister_fault_code), 0u);
}

TEST_F(Run, CyclesOfAStagesStatesSumToTheCyclesOfTheRun) {
  core.cycles_of_work = 3000;
  std::vector<std::vector<uint64_t>> expected(4, std::vector<uint64_t>(6, 0));
  uint64_t running = 0;
  bool started = false;
  bench.on_cycle = [&](Vvta_registers& pins) {
    started |= !pins.run_request_empty;
    const bool ended = core.worked >= core.cycles_of_work;
    core.cycle(pins);
    if (!started || ended) return;
    ++running;
    const CData states[] = {pins.load_state, pins.gemm_state, pins.alu_state, pins.store_state};
    for (int stage = 0; stage < 4; ++stage) ++expected[stage][__builtin_ctz(states[stage])];
  };
  command(kBits_control_start);
  bench.step(4000);
  ASSERT_EQ(status(), uint32_t{kBits_status_done});
  EXPECT_EQ(read_register64(bench, kRegister_cycles), running);
  for (Stage stage : kCountedStages) {
    uint64_t sum = 0;
    for (StageState state : kStates) {
      EXPECT_EQ(cycles_of(stage, state), expected[stage][state]) << stage << " " << state;
      sum += cycles_of(stage, state);
    }
    EXPECT_EQ(sum, running);
  }
}

TEST_F(Run, AFaultIsLatchedAtTheEndOfTheRun) {
  bench.pins().run_fault_code = 6;
  bench.pins().run_fault_index = 0x1234'5678;
  bench.pins().run_fault_value = 0x9ABC'DEF0'1122'3344;
  bench.pins().run_fault_stage = kStage_store;
  EXPECT_EQ(bench.read(kRegister_fault_code), 0u) << "before any run";
  command(kBits_control_start);
  bench.step(300);
  bench.pins().run_fault_code = 0;
  bench.pins().run_fault_index = 0;
  bench.pins().run_fault_value = 0;
  EXPECT_EQ(status(), uint32_t{kBits_status_fault});
  EXPECT_EQ(bench.read(kRegister_fault_code), 6u);
  EXPECT_EQ(bench.read(kRegister_fault_index), 0x1234'5678u);
  EXPECT_EQ(read_register64(bench, kRegister_fault_value), 0x9ABC'DEF0'1122'3344u);
  EXPECT_EQ(bench.read(kRegister_fault_stage), uint32_t{kStage_store});
}

TEST_F(Run, ABusErrorIsAFaultToo) {
  bench.pins().bus_error = kBits_bus_error_load_port;
  command(kBits_control_start);
  bench.step(300);
  EXPECT_EQ(status(), uint32_t{kBits_status_fault});
  EXPECT_EQ(bench.read(kRegister_fault_code), 0u);
}

TEST_F(Run, RaisesItsInterruptFromTheEndToTheNextReset) {
  for (const uint8_t fault : {0, 6}) {
    bench.pins().run_fault_code = fault;
    EXPECT_FALSE(bench.pins().irq);
    command(kBits_control_start);
    bench.step(10);
    EXPECT_FALSE(bench.pins().irq) << "while it runs";
    bench.step(300);
    EXPECT_TRUE(bench.pins().irq);
    command(kBits_control_soft_reset);
    bench.step(20);
  }
  EXPECT_FALSE(bench.pins().irq);
}

// An instruction that a stage executes in these cycles of work.
struct Work {
  Stage stage;
  uint32_t index;
  int begin, end;
};
constexpr Work kWork[] = {{kStage_load, 0, 2, 6},
                          {kStage_load, 3, 10, 14},
                          {kStage_load, 8, 20, 25},
                          {kStage_gemm, 1, 8, 30},
                          {kStage_store, 7, 31, 40}};

struct Snapshots : Run {
  Snapshots() {
    bench.on_cycle = [this](Vvta_registers& pins) {
      core.cycle(pins);
      pins.ending_busy = 0;
      for (const Work& work : kWork) {
        if (core.worked < work.begin || core.worked >= work.end) continue;
        pins.ending_busy |= static_cast<CData>(1u << work.stage);
        pins.ending_index[work.stage] = work.index;
      }
    };
  }
  void run() {
    command(kBits_control_soft_reset | kBits_control_start);
    while ((status() & kBits_status_done) == 0) {
    }
    bench.step(64);
  }
  uint32_t end_of(Stage stage, uint32_t part) {
    bench.write(kRegister_snapshot_select, part);
    return bench.read(kRegister_snapshot_load + 4 * stage);
  }
};

TEST_F(Snapshots, HoldTheLastEndOfEachStageInEachPart) {
  for (const auto& [part, end] :
       std::vector<std::pair<uint32_t, uint32_t>>{{0, 3}, {1, 5}, {2, 9}}) {
    bench.write(kRegister_snapshot_select, part);
    bench.write(kRegister_snapshot_end, end);
  }
  bench.write(kRegister_snapshot_parts, 3);
  for (int i = 0; i < 2; ++i) {
    run();
    const uint32_t first = end_of(kStage_load, 0);
    EXPECT_GT(first, 0u);
    EXPECT_EQ(end_of(kStage_load, 1), first + 8);
    EXPECT_EQ(end_of(kStage_load, 2), first + 19);
    for (uint32_t part : {0, 1, 2}) {
      EXPECT_EQ(end_of(kStage_gemm, part), first + 24) << "its only instruction is in part 0";
      EXPECT_EQ(end_of(kStage_alu, part), 0u);
    }
    EXPECT_EQ(end_of(kStage_store, 0), 0u);
    EXPECT_EQ(end_of(kStage_store, 1), 0u);
    EXPECT_EQ(end_of(kStage_store, 2), first + 34);
  }
}

TEST_F(Snapshots, AreOffAfterAHardwareReset) {
  EXPECT_EQ(bench.read(kRegister_snapshot_parts), 0u);
  EXPECT_EQ(bench.read(kRegister_snapshot_depth), 64u);
  bench.write(kRegister_snapshot_select, 0);
  bench.write(kRegister_snapshot_end, 3);
  bench.write(kRegister_snapshot_parts, 1);
  run();
  const uint32_t recorded = end_of(kStage_load, 0);
  EXPECT_GT(recorded, 0u);
  bench.write(kRegister_snapshot_parts, 0);
  bench.write(kRegister_snapshot_end, 9);
  run();
  EXPECT_EQ(end_of(kStage_load, 0), recorded) << "the table is as it was";
}

TEST_F(Run, SoftResetClearsAllExceptTheSettings) {
  bench.write(kRegister_dram_base_bytes, 0x1000);
  bench.pins().run_fault_code = 9;
  bench.pins().run_fault_index = 1;
  bench.pins().run_fault_value = 2;
  bench.pins().run_fault_stage = 3;
  command(kBits_control_start);
  bench.step(300);
  core.resets = 0;
  command(kBits_control_soft_reset);
  bench.step(20);
  EXPECT_EQ(core.resets, 8);
  EXPECT_EQ(status(), uint32_t{kBits_status_idle});
  for (uint32_t offset : {uint32_t{kRegister_fault_code}, uint32_t{kRegister_fault_index},
                          uint32_t{kRegister_fault_value}, uint32_t{kRegister_fault_stage}}) {
    EXPECT_EQ(bench.read(offset), 0u) << std::hex << offset;
  }
  expect_all_counters_clear();
  EXPECT_EQ(bench.read(kRegister_dram_base_bytes), 0x1000u);
}

TEST_F(Run, SoftResetAbortsARunAndItsCommand) {
  bench.on_cycle = [this](Vvta_registers& pins) {
    core.resets += pins.core_reset;
    pins.run_request_pop = pins.run_fetch_pop = 0;  // a core that never takes it
  };
  command(kBits_control_start);
  bench.step(50);
  EXPECT_EQ(status(), uint32_t{kBits_status_running});
  EXPECT_FALSE(bench.pins().run_request_empty);
  command(kBits_control_soft_reset);
  bench.step(20);
  EXPECT_EQ(status(), uint32_t{kBits_status_idle});
  EXPECT_TRUE(bench.pins().run_request_empty);
  EXPECT_TRUE(bench.pins().run_fetch_empty);
}

TEST_F(Run, AResetLastsUntilNoBurstIsInFlight) {
  command(kBits_control_start);
  bench.step(10);
  bench.pins().bus_idle = 0;
  command(kBits_control_soft_reset | kBits_control_start);
  for (int i = 0; i < 100; ++i) {
    bench.step();
    EXPECT_TRUE(bench.pins().core_reset);
    EXPECT_TRUE(bench.pins().run_request_empty);
  }
  EXPECT_EQ(status(), 0u);
  expect_all_counters_clear();
  bench.pins().bus_idle = 1;
  bench.step(400);
  EXPECT_EQ(status(), uint32_t{kBits_status_done});
  EXPECT_EQ(core.requests.size(), 1u);
}

TEST_F(Run, StartIsIgnoredUnlessIdle) {
  command(kBits_control_start);
  command(kBits_control_start);
  bench.step(300);
  EXPECT_EQ(core.requests.size(), 1u);
  command(kBits_control_start);
  bench.step(300);
  EXPECT_EQ(core.requests.size(), 1u);
  EXPECT_EQ(status(), uint32_t{kBits_status_done});
}

TEST_F(Run, StartWrittenWithTheResetWaitsForItsEnd) {
  command(kBits_control_start);
  bench.step(300);
  const uint64_t first = read_register64(bench, kRegister_cycles);
  core.cycles_of_work = 1000;
  command(kBits_control_soft_reset | kBits_control_start);
  bench.step(2000);
  EXPECT_EQ(status(), uint32_t{kBits_status_done});
  EXPECT_EQ(core.requests.size(), 1u);
  EXPECT_GT(read_register64(bench, kRegister_cycles), first);
}

TEST_F(Run, StartAtAnyTimeAfterTheResetStartsOnce) {
  for (int delay = 0; delay < 16; ++delay) {
    command(kBits_control_soft_reset);
    bench.step(delay);
    command(kBits_control_start);
    bench.step(400);
    ASSERT_EQ(status(), uint32_t{kBits_status_done}) << delay;
    ASSERT_EQ(core.requests.size(), 1u) << delay;
  }
}

TEST_F(Run, ControlActsOnlyOnBitsOfAStrobedByte) {
  EXPECT_EQ(bench.write_strobed(kRegister_control, kBits_control_start, 0xE), kOkay);
  command(0xFFFF'FFFC);
  EXPECT_EQ(status(), uint32_t{kBits_status_idle});
}

TEST_F(Run, SettingsCannotChangeDuringARun) {
  core.cycles_of_work = 100'000;
  bench.write(kRegister_dram_base_bytes, 0x1000);
  command(kBits_control_start);
  for (const RegisterInfo& info : kRegisters) {
    if (info.access != RegisterAccess::kReadWrite) continue;
    const uint32_t before = bench.read(info.offset);
    bench.write(info.offset, ~before);
    EXPECT_EQ(bench.read(info.offset), before) << info.name;
  }
  ASSERT_EQ(status(), uint32_t{kBits_status_running});
  command(kBits_control_soft_reset);
  bench.step(20);
  bench.write(kRegister_dram_base_bytes, 0x2000);
  EXPECT_EQ(bench.read(kRegister_dram_base_bytes), 0x2000u);
}

}  // namespace
}  // namespace vta::hw
