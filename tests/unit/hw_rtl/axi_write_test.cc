// SPDX-License-Identifier: Apache-2.0
// hls_axi_write between a process and a memory.
#include <gtest/gtest.h>

#include "tests/unit/hw_rtl/axi_slave.h"
#include "tests/unit/hw_rtl/pace.h"

namespace vta::rtl {
namespace {

constexpr int kEight = 2;  // the variant with 8 bursts

// The process at the other end of the streams: pushes requests and beats independently of each
// other, and checks `idle` in every cycle.
class Writer {
 public:
  Writer(int variant, AxiTiming timing, uint64_t seed)
      : random(seed), slave(library, variant, timing, random), variant_(variant) {}

  void request(const Burst& burst) {
    requests_.push_back(burst);
    for (int i = 0; i < burst.beats; ++i) {
      const uint64_t beat = random.next();
      beats_.push_back(beat);
      expected_[burst.address + 8 * i] = beat;
    }
  }
  bool done() const { return requests_.empty() && beats_.empty() && idle(); }
  bool idle() const { return library.pins.write_idle[variant_]; }
  bool error() const { return library.pins.write_error[variant_]; }
  const std::map<uint32_t, uint64_t>& expected() const { return expected_; }

  void cycle(bool push_request, bool push_beat) {
    slave.drive();
    library.settle();
    Vhw_rtl_library& pins = library.pins;
    ASSERT_EQ(idle(), requested_ == slave.answered() && pushed_ == slave.beats())
        << "cycle " << library.cycle();
    push_request = push_request && !requests_.empty() && !pins.write_request_full[variant_];
    push_beat = push_beat && !beats_.empty() && !pins.write_beat_full[variant_];
    pins.write_request_push[variant_] = push_request;
    pins.write_beat_push[variant_] = push_beat;
    if (push_request) {
      const Burst& burst = requests_.front();
      pins.write_request_data[variant_] = static_cast<uint64_t>(burst.beats) << 32 | burst.address;
      requests_.pop_front();
      ++requested_;
    }
    if (push_beat) {
      pins.write_beat_data[variant_] = beats_.front();
      beats_.pop_front();
      ++pushed_;
    }
    library.settle();
    slave.sample();
    library.clock();
  }

  Random random;
  Library library;
  AxiWriteSlave slave;

 private:
  const int variant_;
  std::deque<Burst> requests_;
  std::deque<uint64_t> beats_;
  std::map<uint32_t, uint64_t> expected_;
  uint64_t requested_ = 0, pushed_ = 0;
};

class AxiWrite : public testing::TestWithParam<int> {};

TEST_P(AxiWrite, WritesEveryBeatToItsAddressWhateverStalls) {
  for (const AxiTiming timing : {AxiTiming{1, 0, 0}, {3, 20, 30}, {40, 0, 0}, {16, 100, 80}}) {
    const uint64_t seed = 7500 + 10 * GetParam() + timing.latency;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Writer writer(GetParam(), timing, seed);
    Pace pace(writer.random, 150);
    for (int i = 0; i < 300; ++i) writer.request(random_burst(writer.random));
    for (int i = 0; i < 200000 && !writer.done() && !HasFatalFailure(); ++i) {
      pace.next_cycle();
      writer.cycle(pace.push(), pace.pop());
    }
    EXPECT_TRUE(writer.done());
    EXPECT_EQ(writer.slave.answered(), 300);
    EXPECT_EQ(writer.slave.memory(), writer.expected());
    EXPECT_LE(writer.slave.max_bursts(), kBursts[GetParam()]);
    EXPECT_FALSE(writer.error());
  }
}

TEST_P(AxiWrite, ReachesTheLimitOfBurstsInFlight) {
  Writer writer(GetParam(), {100, 0, 0}, 1);
  for (uint32_t i = 0; i < 40; ++i) writer.request({i * 8, 1});
  for (int i = 0; i < 100; ++i) writer.cycle(true, true);
  EXPECT_EQ(writer.slave.max_bursts(), kBursts[GetParam()]);
}

TEST_P(AxiWrite, IsIdleOnlyAfterTheLastResponse) {
  Writer writer(GetParam(), {30, 0, 0}, 1);
  EXPECT_TRUE(writer.idle());
  writer.request({64, 4});
  writer.cycle(true, false);
  EXPECT_FALSE(writer.idle());  // requested, no beat sent
  for (int i = 0; i < 10; ++i) writer.cycle(true, true);
  EXPECT_EQ(writer.slave.beats(), 4);
  EXPECT_FALSE(writer.idle());  // sent, no response yet
  for (int i = 0; i < 40; ++i) writer.cycle(true, true);
  EXPECT_TRUE(writer.idle());
}

TEST(AxiWriteOfEightBursts, SendsABeatACycleWhateverTheLatency) {
  for (const int latency : {16, 40}) {
    Writer writer(kEight, {latency, 0, 0}, 1);
    constexpr int kBurstCount = 200;
    for (uint32_t i = 0; i < kBurstCount; ++i) writer.request({i * 128, 16});
    for (int i = 0; i < 5000 && !writer.done(); ++i) writer.cycle(true, true);
    ASSERT_TRUE(writer.done());
    EXPECT_EQ(writer.slave.last_beat() - writer.slave.first_beat() + 1, 16 * kBurstCount)
        << "latency " << latency;
  }
}

TEST(AxiWriteOfEightBursts, RemembersAResponseThatIsNotOkay) {
  for (const Response response : {kExclusiveOkay, kSlaveError, kDecodeError}) {
    Writer writer(kEight, {5, 0, 0}, 1);
    for (uint32_t i = 0; i < 10; ++i) writer.request({i * 128, 16});
    writer.slave.answer(6, response);
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(writer.error(), writer.slave.answered() > 6) << "response " << int{response};
      writer.cycle(true, true);
    }
    EXPECT_TRUE(writer.done());
    EXPECT_TRUE(writer.error());
    writer.library.pins.rst = 1;
    writer.library.clock();
    EXPECT_FALSE(writer.error());
  }
}

INSTANTIATE_TEST_SUITE_P(Bursts, AxiWrite, testing::Range(0, static_cast<int>(std::size(kBursts))),
                         [](const auto& info) { return std::to_string(kBursts[info.param]); });

}  // namespace
}  // namespace vta::rtl
