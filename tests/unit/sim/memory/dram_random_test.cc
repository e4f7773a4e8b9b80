// SPDX-License-Identifier: Apache-2.0
//
// Random delays depend only on the seed, the master and the number of its burst.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/numbers/random.h"
#include "tests/unit/sim/memory/dram_bench.h"

namespace vta::sim {
namespace {

using enum MemoryMaster;

// The shipped configuration, and one with delayed requests.
MemoryConfig random_memory(uint32_t seed) {
  MemoryConfig memory = load_memory_config("random");
  memory.seed = seed;
  memory.max_request_gap_cycles = 5;
  return memory;
}

void ask(DramBench& bench, MemoryMaster master, uint64_t bursts) {
  for (uint64_t i = 0; i < bursts; ++i) {
    const uint32_t address = static_cast<uint32_t>(i) * 128 % 65536;
    const uint32_t beats = 1 + i * 7 % 16;
    if (master == kStore) {
      bench.write(master, address, beats, i);
    } else {
      bench.read(master, address, beats);
    }
  }
}

DramBench::Diary diary_alone(uint32_t seed, MemoryMaster master) {
  DramBench bench(random_memory(seed));
  ask(bench, master, 200);
  bench.run_until_quiet();
  return bench.of(master);
}

TEST(DramRandom, TheSameSeedGivesTheSameCycles) {
  for (const MemoryMaster master : {kFetch, kStore}) {
    EXPECT_EQ(diary_alone(3, master), diary_alone(3, master));
    EXPECT_NE(diary_alone(3, master), diary_alone(4, master));
  }
}

// The cycles of the beats of successive bursts.
std::vector<uint64_t> beat_cycles(const RandomDelays& delays, MemoryMaster master,
                                  Direction direction, const std::vector<uint64_t>& earliest,
                                  const std::vector<uint32_t>& beats) {
  std::vector<uint64_t> cycles;
  for (uint64_t number = 0; number < beats.size(); ++number) {
    uint64_t cycle = earliest[number];
    for (uint32_t beat = 0; beat < beats[number]; ++beat) {
      if (!cycles.empty()) cycle = std::max(cycle, cycles.back() + 1);
      cycles.push_back(cycle);
      cycle += 1 + delays.pause({master, direction, number}, beat);
    }
  }
  return cycles;
}

TEST(DramRandom, EveryReadBeatComesAfterLatencyAndPausesOfItsBurst) {
  const MemoryConfig memory = random_memory(5);
  const RandomDelays delays(memory);
  const DramBench::Diary diary = diary_alone(5, kAcc);
  std::vector<uint64_t> earliest, received;
  std::vector<uint32_t> beats;
  uint64_t requested = 1;
  for (uint64_t i = 0; i < 200; ++i) {
    const BurstId burst{kAcc, Direction::kRead, i};
    EXPECT_EQ(diary.read_requests[i], requested);
    earliest.push_back(requested + memory.read_latency_cycles + delays.latency(burst));
    beats.push_back(1 + i * 7 % 16);
    requested += 1 + delays.request_gap(burst);
  }
  for (const auto& beat : diary.received) received.push_back(beat.cycle);
  EXPECT_EQ(received, beat_cycles(delays, kAcc, Direction::kRead, earliest, beats));
}

TEST(DramRandom, EveryWriteIsTakenWithPausesAndAnsweredAfterLatency) {
  const MemoryConfig memory = random_memory(6);
  const RandomDelays delays(memory);
  const DramBench::Diary diary = diary_alone(6, kStore);
  std::vector<uint64_t> earliest;
  std::vector<uint32_t> beats;
  for (uint64_t i = 0; i < 200; ++i) {
    earliest.push_back(diary.write_requests[i] + 1);
    beats.push_back(1 + i * 7 % 16);
  }
  EXPECT_EQ(diary.beats_sent, beat_cycles(delays, kStore, Direction::kWrite, earliest, beats));
  uint64_t sent = 0, answered = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    sent += beats[i];
    const uint64_t latency = delays.latency({kStore, Direction::kWrite, i});
    answered =
        std::max(answered + 1, diary.beats_sent[sent - 1] + memory.write_latency_cycles + latency);
    EXPECT_EQ(diary.answers[i].cycle, answered) << i;
  }
}

// The numbers are the same on every machine and in every version: golden files contain cycle
// counts.
TEST(DramRandom, DrawsAreTheseNumbers) {
  const RandomDelays delays(load_memory_config("random"));
  std::vector<uint64_t> latencies, pauses;
  for (uint64_t number = 0; number < 8; ++number) {
    latencies.push_back(delays.latency({kLoad, Direction::kRead, number}));
    pauses.push_back(delays.pause({kStore, Direction::kWrite, 2}, static_cast<uint32_t>(number)));
  }
  EXPECT_EQ(latencies, (std::vector<uint64_t>{42, 37, 57, 42, 25, 47, 21, 48}));
  EXPECT_EQ(pauses, (std::vector<uint64_t>{0, 2, 0, 0, 0, 2, 0, 0}));
}

TEST(DramRandom, MastersWithTheSameRequestsDrawDifferentDelays) {
  const MemoryMaster readers[] = {kFetch, kLoad, kUop, kAcc};
  for (const MemoryMaster a : readers) {
    for (const MemoryMaster b : readers) {
      if (a != b) EXPECT_NE(diary_alone(3, a).received, diary_alone(3, b).received);
    }
  }
}

TEST(DramRandom, AMasterOnItsOwnPortGetsTheSameCyclesWhateverTheOthersDo) {
  DramBench bench(random_memory(3));
  for (size_t i = 0; i < kNumMemoryMasters; ++i) ask(bench, static_cast<MemoryMaster>(i), 200);
  bench.run_until_quiet();
  for (const MemoryMaster master : {kFetch, kLoad, kUop, kAcc}) {
    EXPECT_EQ(bench.of(master), diary_alone(3, master)) << kMemoryMasterNames[size_t(master)];
  }
  const DramBench::Diary alone = diary_alone(3, kStore);
  EXPECT_EQ(bench.of(kStore), alone);
}

// The delays of masters that share a port do not depend on the order in which their bursts
// interleave.
TEST(DramRandom, DelaysDoNotDependOnHowBurstsOfSeveralMastersInterleave) {
  MemoryConfig memory = random_memory(9);
  memory.port = {};
  const RandomDelays delays(memory);
  const auto latencies = [&](bool with_others) {
    std::vector<uint64_t> latencies;
    DramBench bench(memory);
    for (int burst = 0; burst < 50; ++burst) {
      if (with_others && burst % 3 == 0) {
        bench.read(kFetch, 0, 2);
        bench.run_until_quiet();
      }
      bench.read(kLoad, 0, 1);
      bench.run_until_quiet();
      const DramBench::Diary& diary = bench.of(kLoad);
      latencies.push_back(diary.received.back().cycle - diary.read_requests.back());
    }
    return latencies;
  };
  const std::vector<uint64_t> alone = latencies(false);
  EXPECT_EQ(alone, latencies(true));
  for (uint64_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i], memory.read_latency_cycles + delays.latency({kLoad, Direction::kRead, i}));
  }
}

TEST(DramRandom, DelaysReachTheirLimitsAndNoFurther) {
  const MemoryConfig memory = random_memory(1);
  const RandomDelays delays(memory);
  std::set<uint64_t> latencies, gaps, pauses;
  uint64_t num_pauses = 0, bursts_of_one_pause = 0;
  for (uint64_t number = 0; number < 2000; ++number) {
    const BurstId burst{kAcc, Direction::kRead, number};
    latencies.insert(delays.latency(burst));
    gaps.insert(delays.request_gap(burst));
    for (uint32_t beat = 0; beat < 16; ++beat) {
      pauses.insert(delays.pause(burst, beat));
      num_pauses += delays.pause(burst, beat) > 0 ? 1 : 0;
    }
    const auto pause_of = [&](uint32_t beat) { return delays.pause(burst, beat); };
    bursts_of_one_pause += pause_of(0) == pause_of(1) && pause_of(1) == pause_of(2) ? 1 : 0;
  }
  EXPECT_EQ(latencies.size(), memory.max_extra_latency_cycles + 1);
  EXPECT_EQ(*latencies.rbegin(), memory.max_extra_latency_cycles);
  EXPECT_EQ(gaps, (std::set<uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(pauses, (std::set<uint64_t>{0, 1, 2, 3}));
  EXPECT_NEAR(static_cast<double>(num_pauses) / 32000, memory.pause_percent / 100.0, 0.02);
  EXPECT_LT(bursts_of_one_pause, 1000u);
}

TEST(DramRandom, ReadsAndWritesOfOneMasterDrawApart) {
  const RandomDelays delays(random_memory(1));
  int equal = 0;
  for (uint64_t number = 0; number < 100; ++number) {
    equal += delays.latency({kAcc, Direction::kRead, number}) ==
                     delays.latency({kAcc, Direction::kWrite, number})
                 ? 1
                 : 0;
  }
  EXPECT_LT(equal, 20);
}

// Any mixture of requests: each burst arrives complete, in order, with the correct data, once.
TEST(DramRandom, EveryBurstComesWholeAndInOrder) {
  const uint64_t seed = 20260101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (uint32_t round = 0; round < 30; ++round) {
    MemoryConfig memory = random_memory(round);
    for (uint32_t& port : memory.port) port = static_cast<uint32_t>(random.between(0, 4));
    memory.bytes_per_100_cycles = static_cast<uint32_t>(random.between(100, 4000));
    DramBench bench(memory);
    std::array<std::vector<uint64_t>, kNumMemoryMasters> expected;
    for (int i = 0; i < 100; ++i) {
      const auto master = static_cast<MemoryMaster>(random.between(0, 3));
      const auto word = static_cast<uint32_t>(random.between(0, 255) * 16 + random.between(0, 7));
      const auto beats = static_cast<uint32_t>(random.between(1, 16 - word % 16));
      bench.read(master, word * 8, beats);
      for (uint32_t b = 0; b < beats; ++b) {
        expected[size_t(master)].push_back(DramBench::word(word + b));
      }
      bench.write(kStore, 32768 + word * 8, beats, word);
      bench.run(static_cast<uint64_t>(random.between(0, 20)));
    }
    bench.run_until_quiet();
    EXPECT_EQ(bench.of(kStore).answers.size(), 100u);
    for (size_t master = 0; master < 4; ++master) {
      std::vector<uint64_t> data;
      for (const auto& beat : bench.of(static_cast<MemoryMaster>(master)).received) {
        data.push_back(beat.data);
      }
      EXPECT_EQ(data, expected[master]);
    }
  }
}

}  // namespace
}  // namespace vta::sim
