// SPDX-License-Identifier: Apache-2.0
//
// Waveforms of the Verilated core show its signals in the requested cycles.
#include "sim/timed/waveform.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/scratch_folder.h"
#include "tests/unit/sim/rtl/fst_file.h"
#include "tests/unit/sim/rtl/machine.h"

namespace vta::sim {
namespace {

constexpr uint64_t kCycleTime = 10;

const std::string kProgram =
    "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
    "load.inp push_next sram=0 dram=0 size=[4,4] stride=4\n"
    "gemm.reset pop_prev uop=[0,1) iter=[1,8] dst=[0,1] src=[0,0] wgt=[0,0]\n"
    "alu.add push_next uop=[0,1) iter=[1,8] dst=[0,1] imm=5\n"
    "store.out pop_prev push_prev sram=0 dram=128 size=[1,8] stride=8\n"
    "finish pop_next\n";

// Two runs of a program on one device.
struct Recording {
  std::vector<hw::Counters> runs;
  uint64_t cycles = 0;  // numbered cycles
};

Recording record(const WaveformRequest& request) {
  Machine machine("rtl");
  auto& device = dynamic_cast<WaveformDevice&>(machine.device());
  device.record(request);
  Recording recording;
  for (int run = 0; run < 2; ++run) recording.runs.push_back(machine.run(kProgram));
  recording.cycles = device.end_recording();
  return recording;
}

uint64_t count_cycles(const FstFile& file, const std::vector<std::string>& all_of) {
  uint64_t count = 0;
  for (uint64_t time = file.first_time; time <= file.last_time; time += kCycleTime) {
    bool all = true;
    for (const std::string& signal : all_of) all &= file.bit("TOP.Core." + signal, time);
    count += all ? 1 : 0;
  }
  return count;
}

TEST(Waveform, ShowsWhatTheCoreDid) {
  const ScratchFolder folder;
  const Recording recording = record({folder / "all.fst"});
  Machine plain("rtl");
  for (const hw::Counters& run : recording.runs) EXPECT_EQ(run, plain.run(kProgram));

  const FstFile file(folder / "all.fst");
  const uint64_t beats = 2 * recording.runs[0].out_store_nbytes / 8;
  EXPECT_EQ(count_cycles(file, {"store_port_wvalid", "store_port_wready"}), beats);
  EXPECT_EQ(count_cycles(file, {"run_request_pop"}), 2u);
  EXPECT_GT(file.signals.count("TOP.Core.i_gemm.gemm_queue_data"), 0u) << "inside of processes";
  EXPECT_EQ(file.signals.at("TOP.Core.gemm_inp_rq").begin()->second.size(), 64u) << "a whole word";
}

TEST(Waveform, NumbersCyclesOverAllRuns) {
  const ScratchFolder folder;
  const Recording recording = record({folder / "all.fst"});
  const uint64_t second_run = numbered_cycles(recording.runs[0]);
  EXPECT_EQ(recording.cycles, second_run + numbered_cycles(recording.runs[1]));
  const FstFile file(folder / "all.fst");
  EXPECT_EQ(file.first_time, 0u);
  EXPECT_EQ(file.last_time, (recording.cycles - 1) * kCycleTime + kCycleTime / 2);
  for (const uint64_t start : {uint64_t{0}, second_run}) {
    EXPECT_FALSE(file.bit("TOP.Core.run_request_empty", start * kCycleTime));
    EXPECT_TRUE(file.bit("TOP.Core.run_request_empty", (start + 8) * kCycleTime));
  }
  EXPECT_TRUE(file.bit("TOP.Core.run_request_empty", (second_run - 1) * kCycleTime));
  for (uint64_t cycle = 0; cycle < recording.cycles; ++cycle) {
    EXPECT_TRUE(file.bit("TOP.clk", cycle * kCycleTime)) << cycle;
    EXPECT_FALSE(file.bit("TOP.clk", cycle * kCycleTime + kCycleTime / 2)) << cycle;
  }
}

TEST(Waveform, OfAWindowHasItsCyclesAndNoOthers) {
  const ScratchFolder folder;
  const Recording recording = record({folder / "all.fst"});
  const uint64_t second_run = numbered_cycles(recording.runs[0]);
  const FstFile all(folder / "all.fst");
  for (const auto& [first, end] : {std::pair(uint64_t{0}, uint64_t{1}),
                                   {30, 75},
                                   {second_run - 20, second_run + 40},
                                   {recording.cycles - 1, recording.cycles}}) {
    SCOPED_TRACE(testing::Message() << first << ":" << end);
    record({folder / "window.fst", first, end});
    const FstFile window(folder / "window.fst");
    EXPECT_EQ(window.first_time, first * kCycleTime);
    EXPECT_EQ(window.last_time, (end - 1) * kCycleTime + kCycleTime / 2);
    EXPECT_EQ(*window.times.begin(), window.first_time);
    EXPECT_EQ(*window.times.rbegin(), window.last_time);
    ASSERT_EQ(window.signals.size(), all.signals.size());
    for (const auto& [name, changes] : window.signals) {
      for (uint64_t time = first * kCycleTime; time <= window.last_time; time += kCycleTime / 2)
        ASSERT_EQ(window.value(name, time), all.value(name, time)) << name << " at " << time;
    }
  }
}

TEST(Waveform, OfARunThatFailsEndsThere) {
  const ScratchFolder folder;
  {
    Machine machine("rtl");
    dynamic_cast<WaveformDevice&>(machine.device()).record({folder / "fault.fst", 3});
    EXPECT_TRUE(machine.fault_of("load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n")
                    .starts_with("deadlock: "));
  }
  const FstFile file(folder / "fault.fst");
  EXPECT_EQ(file.first_time, 3 * kCycleTime);
  EXPECT_TRUE(file.bit("TOP.Core.load_request_waits_gemm_to_load", file.last_time));
}

TEST(Waveform, IsNotThereIfItsCyclesWereNotReached) {
  const ScratchFolder folder;
  record({folder / "late.fst", 1'000'000});
  EXPECT_FALSE(std::filesystem::exists(folder / "late.fst"));
}

}  // namespace
}  // namespace vta::sim
