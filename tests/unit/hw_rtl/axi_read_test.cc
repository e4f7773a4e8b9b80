// SPDX-License-Identifier: Apache-2.0
// hls_axi_read between a process and a memory.
#include <gtest/gtest.h>

#include "tests/unit/hw_rtl/axi_slave.h"
#include "tests/unit/hw_rtl/pace.h"

namespace vta::rtl {
namespace {

constexpr int kEight = 2;  // the variant with 8 bursts

// The process at the other end of the streams: requests bursts, consumes beats.
class Reader {
 public:
  Reader(int variant, AxiTiming timing, uint64_t seed)
      : random(seed), slave(library, variant, timing, random), variant_(variant) {}

  void request(const Burst& burst) {
    requests_.push_back(burst);
    for (int i = 0; i < burst.beats; ++i)
      expected_.push_back(AxiReadSlave::word(burst.address + 8 * i));
  }
  bool done() const { return requests_.empty() && expected_.empty(); }
  bool error() const { return library.pins.read_error[variant_]; }

  void cycle(bool push, bool pop) {
    slave.drive();
    library.settle();
    Vhw_rtl_library& pins = library.pins;
    push = push && !requests_.empty() && !pins.read_request_full[variant_];
    pop = pop && !pins.read_beat_empty[variant_];
    pins.read_request_push[variant_] = push;
    pins.read_beat_pop[variant_] = pop;
    if (push) {
      const Burst& burst = requests_.front();
      pins.read_request_data[variant_] =
          uint64_t{static_cast<uint64_t>(burst.beats)} << 32 | burst.address;
      requests_.pop_front();
    }
    if (pop) take();
    library.settle();
    slave.sample();
    library.clock();
  }

  Random random;
  Library library;
  AxiReadSlave slave;

 private:
  void take() {
    ASSERT_FALSE(expected_.empty()) << "a beat too many";
    ASSERT_EQ(library.pins.read_beat_data[variant_], expected_.front());
    expected_.pop_front();
  }

  const int variant_;
  std::deque<Burst> requests_;
  std::deque<uint64_t> expected_;
};

class AxiRead : public testing::TestWithParam<int> {};

TEST_P(AxiRead, DeliversTheBeatsInOrderWhateverStalls) {
  for (const AxiTiming timing : {AxiTiming{1, 0, 0}, {3, 20, 30}, {40, 0, 0}, {16, 100, 80}}) {
    const uint64_t seed = 7400 + 10 * GetParam() + timing.latency;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Reader reader(GetParam(), timing, seed);
    Pace pace(reader.random, 150);
    for (int i = 0; i < 300; ++i) reader.request(random_burst(reader.random));
    for (int i = 0; i < 200000 && !reader.done() && !HasFatalFailure(); ++i) {
      pace.next_cycle();
      reader.cycle(pace.push(), pace.pop());
    }
    EXPECT_TRUE(reader.done());
    EXPECT_LE(reader.slave.max_bursts(), kBursts[GetParam()]);
    EXPECT_FALSE(reader.error());
    for (int i = 0; i < 200; ++i) reader.cycle(false, true);  // no further beat arrives
  }
}

// A burst takes its credits when it is issued: unconsumed beats never exceed the FIFO.
TEST_P(AxiRead, NeverRequestsMoreThanItsCredits) {
  Reader reader(GetParam(), {1, 0, 0}, 1);
  for (uint32_t i = 0; i < 20; ++i) reader.request({i * 128, 16});
  for (int i = 0; i < 1000; ++i) reader.cycle(true, false);
  EXPECT_EQ(reader.slave.beats(), 16 * kBursts[GetParam()]);
  for (int i = 0; i < 1000; ++i) reader.cycle(true, true);
  EXPECT_TRUE(reader.done());
}

TEST_P(AxiRead, ReachesTheLimitOfBurstsInFlight) {
  Reader reader(GetParam(), {100, 0, 0}, 1);
  for (uint32_t i = 0; i < 40; ++i) reader.request({i * 8, 1});
  for (int i = 0; i < 100; ++i) reader.cycle(true, true);
  EXPECT_EQ(reader.slave.max_bursts(), kBursts[GetParam()]);
}

TEST(AxiReadOfEightBursts, TakesABeatACycleWhateverTheLatency) {
  for (const int latency : {16, 40}) {
    Reader reader(kEight, {latency, 0, 0}, 1);
    constexpr int kBurstCount = 200;
    for (uint32_t i = 0; i < kBurstCount; ++i) reader.request({i * 128, 16});
    for (int i = 0; i < 5000 && !reader.done(); ++i) reader.cycle(true, true);
    ASSERT_TRUE(reader.done());
    EXPECT_EQ(reader.slave.last_beat() - reader.slave.first_beat() + 1, 16 * kBurstCount)
        << "latency " << latency;
  }
}

TEST(AxiReadOfEightBursts, RemembersAResponseThatIsNotOkay) {
  for (const Response response : {kExclusiveOkay, kSlaveError, kDecodeError}) {
    Reader reader(kEight, {5, 0, 0}, 1);
    for (uint32_t i = 0; i < 10; ++i) reader.request({i * 128, 16});
    reader.slave.answer(77, response);
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(reader.error(), reader.slave.beats() > 77) << "response " << int{response};
      reader.cycle(true, true);
    }
    EXPECT_TRUE(reader.done());
    EXPECT_TRUE(reader.error());
    reader.library.pins.rst = 1;
    reader.library.clock();
    EXPECT_FALSE(reader.error());
  }
}

INSTANTIATE_TEST_SUITE_P(Bursts, AxiRead, testing::Range(0, static_cast<int>(std::size(kBursts))),
                         [](const auto& info) { return std::to_string(kBursts[info.param]); });

}  // namespace
}  // namespace vta::rtl
