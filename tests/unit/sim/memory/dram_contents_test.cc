// SPDX-License-Identifier: Apache-2.0
//
// The data of reads, the effect of writes, and accesses outside memory.
#include <gtest/gtest.h>

#include "tests/unit/sim/memory/dram_bench.h"

namespace vta::sim {
namespace {

using enum MemoryMaster;

TEST(DramContents, WritesArriveInTheOrderOfTheirBursts) {
  DramBench bench(plain_memory());
  bench.write(kStore, 80, 3, 100);
  bench.write(kStore, 88, 1, 200);
  bench.run_until_quiet();
  EXPECT_EQ(bench.words()[9], DramBench::word(9));
  EXPECT_EQ(bench.words()[10], 100u);
  EXPECT_EQ(bench.words()[11], 200u);
  EXPECT_EQ(bench.words()[12], 102u);
  EXPECT_EQ(bench.words()[13], DramBench::word(13));
}

TEST(DramContents, AWriteShowsToReadsFromItsResponseOn) {
  DramBench bench(plain_memory());
  bench.write(kStore, 0, 1, 7);  // requested in cycle 1, its beat sent in 2, answered in 18
  bench.run(16);
  bench.read(kLoad, 0, 1);
  bench.run(1);
  bench.read(kLoad, 0, 1);
  bench.run_until_quiet();
  EXPECT_EQ(bench.of(kStore).answers.at(0).cycle, 18u);
  EXPECT_EQ(bench.of(kLoad).read_requests, (std::vector<uint64_t>{17, 18}));
  EXPECT_EQ(bench.of(kLoad).received.at(0).data, DramBench::word(0));
  EXPECT_EQ(bench.of(kLoad).received.at(1).data, 7u);
}

TEST(DramContents, ReadsOutsideGetAnErrorForEachBeatOutside) {
  DramBench bench(plain_memory(), 10);
  bench.read(kLoad, 64, 4);
  bench.read(kLoad, 80, 1);
  bench.read(kLoad, 0xffffff80, 16);
  bench.read(kLoad, 72, 1);
  bench.run_until_quiet();
  const auto& received = bench.of(kLoad).received;
  ASSERT_EQ(received.size(), 22u);
  for (size_t i = 0; i < received.size(); ++i) {
    const bool is_inside = i < 2 || i == 21;
    EXPECT_EQ(received[i].error, !is_inside) << i;
    EXPECT_EQ(received[i].cycle, 17 + i);
  }
  EXPECT_EQ(received[1].data, DramBench::word(9));
  EXPECT_EQ(received[2].data, 0u);
  EXPECT_TRUE(received[3].last);
}

TEST(DramContents, AMemoryThatEndsWithinABeatHasNoSuchBeat) {
  std::vector<uint64_t> words(2, 1);
  DramModel model(plain_memory());
  model.reset(reinterpret_cast<uint8_t*>(words.data()), 15);
  model.begin_cycle();
  model.read(kLoad, 0, 2);
  for (int i = 0; i < 16; ++i) model.begin_cycle();
  EXPECT_FALSE(model.read_beat(kLoad).error);
  EXPECT_EQ(model.read_beat(kLoad).data, 1u);
  model.begin_cycle();
  EXPECT_TRUE(model.read_beat(kLoad).error);
}

TEST(DramContents, AWriteThatLeavesTheMemoryIsAnsweredWithAnErrorAndWritesNothingOutside) {
  DramBench bench(plain_memory(), 12);
  std::vector<uint64_t>& words = bench.words();
  bench.write(kStore, 80, 4, 100);
  bench.write(kStore, 0xfffffff8, 1, 7);
  bench.write(kStore, 0, 1, 50);
  bench.run_until_quiet();
  const auto& answers = bench.of(kStore).answers;
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_TRUE(answers[0].error);
  EXPECT_TRUE(answers[1].error);
  EXPECT_FALSE(answers[2].error);
  EXPECT_EQ(words[11], 101u);
  EXPECT_EQ(words[0], 50u);
}

TEST(DramContents, WithoutMemoryEverythingIsAnError) {
  DramModel model(plain_memory());
  model.reset(nullptr, 0);
  model.begin_cycle();
  model.read(kFetch, 0, 1);
  for (int i = 0; i < 16; ++i) model.begin_cycle();
  EXPECT_TRUE(model.read_beat(kFetch).valid && model.read_beat(kFetch).error);
}

}  // namespace
}  // namespace vta::sim
