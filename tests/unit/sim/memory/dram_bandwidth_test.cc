// SPDX-License-Identifier: Apache-2.0
//
// The total bandwidth of the ports of pynq-z1: 15.75 bytes per cycle.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sim/memory/dram_bench.h"

namespace vta::sim {
namespace {

using enum MemoryMaster;

constexpr uint64_t kBursts = 10000 / 16;

// Every beat of the bench: received or sent, by cycle.
std::vector<uint64_t> beat_cycles(const DramBench& bench) {
  std::vector<uint64_t> cycles;
  for (size_t i = 0; i < kNumMemoryMasters; ++i) {
    const DramBench::Diary& diary = bench.of(static_cast<MemoryMaster>(i));
    for (const auto& beat : diary.received) cycles.push_back(beat.cycle);
    cycles.insert(cycles.end(), diary.beats_sent.begin(), diary.beats_sent.end());
  }
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

// The cycles for the first `beats` beats, from the first to the last of them.
uint64_t cycles_of(const std::vector<uint64_t>& cycles, size_t beats) {
  return cycles.at(beats - 1) - cycles.at(0) + 1;
}

DramBench busy_bench(uint64_t load_bursts, uint64_t acc_bursts, uint64_t store_bursts) {
  DramBench bench(load_memory_config("pynq-z1"));
  for (uint64_t i = 0; i < load_bursts; ++i) bench.read(kLoad, i * 128 % 65536, 16);
  for (uint64_t i = 0; i < acc_bursts; ++i) bench.read(kAcc, i * 128 % 65536, 16);
  for (uint64_t i = 0; i < store_bursts; ++i) bench.write(kStore, i * 128 % 65536, 16, i);
  bench.run_until_quiet();
  return bench;
}

TEST(DramBandwidth, OnePortAloneMovesABeatEveryCycle) {
  const DramBench bench = busy_bench(kBursts, 0, 0);
  EXPECT_EQ(cycles_of(beat_cycles(bench), 10000), 10000u);
}

TEST(DramBandwidth, TwoReadersOnTwoPortsOfPynqZ1ShareItsBandwidth) {
  const DramBench bench = busy_bench(kBursts / 2 + 1, kBursts / 2 + 1, 0);
  const uint64_t cycles = cycles_of(beat_cycles(bench), 10000);
  // 80,000 bytes at 15.75 per cycle, plus the saved bandwidth of one burst.
  EXPECT_LE(cycles, 80000 * 100 / 1575 + 1);
  EXPECT_GE(cycles, (80000 - 128) * 100 / 1575);
}

TEST(DramBandwidth, NoWindowOfCyclesHasMoreThanTheBandwidthAndOneSavedBurst) {
  const std::vector<uint64_t> cycles = beat_cycles(busy_bench(kBursts, kBursts, kBursts));
  for (size_t begin = 0; begin < cycles.size(); begin += 97) {
    for (size_t end = begin + 1; end <= cycles.size(); end += 251) {
      const uint64_t window = cycles[end - 1] - cycles[begin] + 1;
      ASSERT_LE((end - begin) * 8 * 100, window * 1575 + 128 * 100) << begin << " to " << end;
    }
  }
}

TEST(DramBandwidth, ReadersAndTheWriterGetEqualSharesOfWhatIsShort) {
  const DramBench bench = busy_bench(kBursts, kBursts, kBursts);
  // Up to cycle 5000 all three channels need a beat in every cycle.
  const auto before = [](uint64_t cycle) { return cycle > 100 && cycle <= 5000; };
  const auto received = [&](const auto& beat) { return before(beat.cycle); };
  const auto& load = bench.of(kLoad).received;
  const auto& acc = bench.of(kAcc).received;
  const auto& sent = bench.of(kStore).beats_sent;
  const double share = 4900 * 15.75 / 8 / 3;
  EXPECT_NEAR(std::count_if(load.begin(), load.end(), received), share, 16);
  EXPECT_NEAR(std::count_if(acc.begin(), acc.end(), received), share, 16);
  EXPECT_NEAR(std::count_if(sent.begin(), sent.end(), before), share, 16);
}

TEST(DramBandwidth, AWriterThatBringsNoDataCostsReadersNothing) {
  std::vector<uint64_t> words(8192);
  DramModel model(load_memory_config("pynq-z1"));
  model.reset(reinterpret_cast<uint8_t*>(words.data()), words.size() * 8);
  uint64_t beats = 0;
  constexpr uint64_t kCycles = 5000;
  for (uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    model.begin_cycle();
    beats += (model.read_beat(kLoad).valid ? 1 : 0) + (model.read_beat(kAcc).valid ? 1 : 0);
    if (cycle == 0) model.write(kStore, 0, 16);
    if (cycle % 16 == 0) model.read(kLoad, 0, 16);
    if (cycle % 16 == 0) model.read(kAcc, 0, 16);
  }
  EXPECT_NEAR(static_cast<double>(beats), (kCycles - 40) * 15.75 / 8, 16);
}

TEST(DramBandwidth, HalfAPortGivesABeatEverySecondCycle) {
  MemoryConfig memory = plain_memory();
  memory.bytes_per_100_cycles = 400;
  DramBench bench(memory);
  for (uint32_t burst = 0; burst < 32; ++burst) bench.read(kLoad, burst * 128, 16);
  bench.run_until_quiet();
  const std::vector<uint64_t> cycles = beat_cycles(bench);
  for (size_t i = 64; i < cycles.size(); ++i) EXPECT_EQ(cycles[i] - cycles[i - 1], 2u);
}

}  // namespace
}  // namespace vta::sim
