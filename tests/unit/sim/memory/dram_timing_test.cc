// SPDX-License-Identifier: Apache-2.0
//
// Exact cycles of memories without random delays.
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "sim/memory/beat_counts.h"
#include "tests/unit/sim/memory/dram_bench.h"

namespace vta::sim {
namespace {

using enum MemoryMaster;
constexpr MemoryMaster kReaders[] = {kFetch, kLoad, kUop, kAcc};

TEST(DramTiming, FirstBeatComesOneLatencyAfterTheRequestInBothShippedMemories) {
  for (const auto& [name, latency] : {std::pair{"ideal64", 16u}, std::pair{"pynq-z1", 40u}}) {
    for (const MemoryMaster master : kReaders) {
      DramBench bench(load_memory_config(name));
      bench.run(7);
      bench.read(master, 64, 16);
      bench.run_until_quiet();
      ASSERT_EQ(bench.of(master).read_requests, std::vector<uint64_t>{8});
      ASSERT_EQ(bench.of(master).received.size(), 16u);
      for (uint64_t beat = 0; beat < 16; ++beat) {
        const DramBench::Received expected{8 + latency + beat, DramBench::word(8 + beat),
                                           beat == 15, false};
        EXPECT_EQ(bench.of(master).received[beat], expected) << name << ", beat " << beat;
      }
    }
  }
}

TEST(BeatCounts, CountARunAsItsBeats) {
  BeatCounts runs, single;
  for (const auto& [cycle, count] : {std::pair{3u, 1u}, {250u, 6u}, {256u, 256u}, {700u, 1000u}}) {
    runs.add(cycle, count);
    for (uint32_t i = 0; i < count; ++i) single.add(cycle + i);
  }
  EXPECT_EQ(runs.beats(), single.beats());
}

TEST(DramTiming, ALatencyOfOneAnswersInTheNextCycle) {
  MemoryConfig memory = plain_memory();
  memory.read_latency_cycles = memory.write_latency_cycles = 1;
  DramBench bench(memory);
  bench.read(kLoad, 0, 1);
  bench.write(kStore, 64, 1, 5);
  bench.run_until_quiet();
  EXPECT_EQ(bench.of(kLoad).received.at(0).cycle, 2u);
  EXPECT_EQ(bench.of(kStore).write_requests, std::vector<uint64_t>{1});
  EXPECT_EQ(bench.of(kStore).beats_sent, std::vector<uint64_t>{2});
  EXPECT_EQ(bench.of(kStore).answers.at(0).cycle, 3u);
}

TEST(DramTiming, BurstsInFlightGiveOneBeatACycleWithoutGaps) {
  DramBench bench(load_memory_config("ideal64"));
  for (uint32_t burst = 0; burst < 64; ++burst) bench.read(kLoad, burst * 128, 16);
  bench.run_until_quiet();
  const auto& received = bench.of(kLoad).received;
  ASSERT_EQ(received.size(), 1024u);
  for (uint64_t i = 0; i < received.size(); ++i) {
    EXPECT_EQ(received[i].cycle, 17 + i);
    EXPECT_EQ(received[i].data, DramBench::word(i));
    EXPECT_EQ(received[i].last, i % 16 == 15);
  }
}

TEST(DramTiming, AReaderWithOneShortBurstAtATimePaysTheLatencyOfEach) {
  DramBench bench(load_memory_config("ideal64"));
  for (uint32_t burst = 0; burst < 4; ++burst) {
    bench.read(kLoad, 0, 2);
    bench.run_until_quiet();
  }
  // Requested in cycles 1, 19, 37, 55: the cycle after the last beat.
  EXPECT_EQ(bench.of(kLoad).read_requests, (std::vector<uint64_t>{1, 19, 37, 55}));
  EXPECT_EQ(bench.of(kLoad).received.back().cycle, 55u + 17);
}

TEST(DramTiming, RequestsOfOneCycleAreServedInTheOrderOfTheMasters) {
  DramBench bench(load_memory_config("ideal64"));
  for (const MemoryMaster master : kReaders) {
    for (int burst = 0; burst < 2; ++burst) bench.read(master, 0, 4);
  }
  bench.run_until_quiet();
  uint64_t first = 17;  // of the four bursts of cycle 1; the bursts of cycle 2 follow them
  for (const MemoryMaster master : kReaders) {
    const auto& received = bench.of(master).received;
    ASSERT_EQ(received.size(), 8u);
    for (uint64_t beat = 0; beat < 4; ++beat) {
      EXPECT_EQ(received[beat].cycle, first + beat);
      EXPECT_EQ(received[4 + beat].cycle, first + 16 + beat);
    }
    first += 4;
  }
}

TEST(DramTiming, AnEarlierRequestGoesBeforeAHigherPriority) {
  DramBench bench(load_memory_config("ideal64"));
  bench.read(kAcc, 0, 16);
  bench.run(1);
  bench.read(kFetch, 0, 1);
  bench.run_until_quiet();
  EXPECT_EQ(bench.of(kAcc).received.back().cycle, 32u);
  EXPECT_EQ(bench.of(kFetch).received.at(0).cycle, 33u);
}

TEST(DramTiming, WritesAndReadsOfIdeal64DoNotSlowEachOtherDown) {
  DramBench bench(load_memory_config("ideal64"));
  for (uint32_t burst = 0; burst < 8; ++burst) {
    bench.read(kLoad, burst * 128, 16);
    bench.write(kStore, 4096 + burst * 128, 16, burst * 100);
  }
  bench.run_until_quiet();
  EXPECT_EQ(bench.of(kLoad).received.back().cycle, 17u + 127);
  const auto& store = bench.of(kStore);
  ASSERT_EQ(store.beats_sent.size(), 128u);
  for (uint64_t i = 0; i < 128; ++i) EXPECT_EQ(store.beats_sent[i], 2 + i);
  ASSERT_EQ(store.answers.size(), 8u);
  for (uint64_t i = 0; i < 8; ++i) EXPECT_EQ(store.answers[i].cycle, 2 + 15 + 16 * i + 16);
}

TEST(DramTiming, ResponsesComeOneACycleEvenForBurstsOfOneBeat) {
  DramBench bench(plain_memory());
  for (uint32_t burst = 0; burst < 20; ++burst) bench.write(kStore, burst * 8, 1, burst);
  bench.run_until_quiet();
  const auto& answers = bench.of(kStore).answers;
  ASSERT_EQ(answers.size(), 20u);
  for (uint64_t i = 0; i < 20; ++i) EXPECT_EQ(answers[i].cycle, 18 + i);
}

TEST(DramTiming, MastersOnTwoPortsReadAtTheSameTimeAndThoseOfOnePortInTurn) {
  MemoryConfig memory = load_memory_config("pynq-z1");
  memory.port = {1, 0, 1, 1, 1};
  DramBench bench(memory);
  bench.read(kLoad, 0, 4);
  bench.read(kAcc, 0, 4);
  bench.read(kUop, 0, 4);
  bench.run_until_quiet();
  for (uint64_t beat = 0; beat < 4; ++beat) {
    EXPECT_EQ(bench.of(kLoad).received[beat].cycle, 41 + beat);
    EXPECT_EQ(bench.of(kUop).received[beat].cycle, 41 + beat);
    EXPECT_EQ(bench.of(kAcc).received[beat].cycle, 45 + beat);
  }
}

TEST(DramTiming, AResetDropsEverythingInFlight) {
  std::vector<uint64_t> words(64);
  DramModel model(plain_memory());
  for (int again = 0; again < 2; ++again) {
    model.reset(reinterpret_cast<uint8_t*>(words.data()), 512);
    EXPECT_TRUE(model.is_quiet());
    model.begin_cycle();
    EXPECT_EQ(model.cycle(), 1u);
    EXPECT_FALSE(model.read_beat(kLoad).valid);
    EXPECT_FALSE(model.accepts_beat(kStore));
    model.read(kLoad, 0, 16);
    model.write(kStore, 0, 16);
    for (int i = 0; i < 17; ++i) model.begin_cycle();
    EXPECT_TRUE(model.read_beat(kLoad).valid);
    EXPECT_TRUE(model.accepts_beat(kStore));
    EXPECT_FALSE(model.is_quiet());
  }
}

TEST(DramTiming, AfterAResetTheSameRequestsHaveTheSameCycles) {
  for (const char* name : {"ideal64", "pynq-z1", "random"}) {
    DramBench bench(load_memory_config(name));
    const auto ask = [&] {
      for (uint32_t burst = 0; burst < 9; ++burst) {
        bench.read(kLoad, burst * 128, 16);
        bench.read(kAcc, burst * 128, 16);
        bench.write(kStore, 8192 + burst * 128, 16, burst);
      }
    };
    ask();
    bench.run_until_quiet();
    const DramBench::Diary load = bench.of(kLoad), acc = bench.of(kAcc), store = bench.of(kStore);
    for (const uint64_t cycles : {1, 2, 3, 60, 61, 62, 63}) {
      bench.restart();
      ask();
      bench.run(cycles);
      bench.restart();
      ask();
      bench.run_until_quiet();
      EXPECT_EQ(bench.of(kLoad), load) << name << ", reset after " << cycles;
      EXPECT_EQ(bench.of(kAcc), acc) << name << ", reset after " << cycles;
      EXPECT_EQ(bench.of(kStore), store) << name << ", reset after " << cycles;
    }
  }
}

TEST(DramTiming, RefusesBurstsThatAxiDoesNotHave) {
  std::vector<uint64_t> words(1024);
  DramModel model(plain_memory());
  model.reset(reinterpret_cast<uint8_t*>(words.data()), 8192);
  model.begin_cycle();
  EXPECT_THROW(model.read(kLoad, 0, 0), std::logic_error);
  EXPECT_THROW(model.read(kLoad, 0, 17), std::logic_error);
  EXPECT_THROW(model.read(kLoad, 4, 1), std::logic_error);
  EXPECT_THROW(model.write(kStore, 4096 - 64, 9), std::logic_error);
  EXPECT_THROW(model.write_beat(kStore, 0), std::logic_error);
  EXPECT_TRUE(model.is_quiet());
  model.read(kLoad, 4096 - 64, 8);
  EXPECT_THROW(model.read(kLoad, 0, 1), std::logic_error) << "two in one cycle";
  model.begin_cycle();
  EXPECT_NO_THROW(model.read(kLoad, 0, 1));
  model.write(kStore, 0, 2);
  model.begin_cycle();
  model.write_beat(kStore, 1);
  EXPECT_THROW(model.write_beat(kStore, 2), std::logic_error) << "two in one cycle";
}

}  // namespace
}  // namespace vta::sim
