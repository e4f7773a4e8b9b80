// SPDX-License-Identifier: Apache-2.0
//
// vta_axi3_to_lite between an AXI3 master and an AXI4-Lite slave with memory, both with random
// pauses.
#include <Vvta_axi3_to_lite.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "base/numbers/random.h"

namespace vta {
namespace {

constexpr uint8_t kOkay = 0, kSlaveError = 2;

// A page of words; a write or read of the last one is answered with SLVERR.
class LiteSlave {
 public:
  explicit LiteSlave(Random& random) : random_(random) {}

  void drive(Vvta_axi3_to_lite& pins) {
    pins.m_awready = !write_address_ && random_.chance(50);
    pins.m_wready = !write_data_ && random_.chance(50);
    responds_ = responds_ || (write_address_ && write_data_ && random_.chance(50));
    pins.m_bvalid = responds_;
    pins.m_bresp = response(write_address_.value_or(0));
    pins.m_arready = !read_address_ && random_.chance(50);
    answers_ = answers_ || (read_address_ && random_.chance(50));
    pins.m_rvalid = answers_;
    pins.m_rresp = response(read_address_.value_or(0));
    pins.m_rdata = memory.at(read_address_.value_or(0) / 4);
  }

  // Before the clock's edge: the pins stay as they are.
  void sample(const Vvta_axi3_to_lite& pins) {
    if (pins.m_bvalid && pins.m_bready) {
      memory.at(*write_address_ / 4) = *write_data_;
      ++writes;
      write_address_ = write_data_ = {};
      responds_ = false;
    }
    if (pins.m_rvalid && pins.m_rready) {
      ++reads;
      read_address_ = {};
      answers_ = false;
    }
    if (pins.m_awvalid && pins.m_awready) write_address_ = pins.m_awaddr;
    if (pins.m_wvalid && pins.m_wready) write_data_ = pins.m_wdata;
    if (pins.m_arvalid && pins.m_arready) read_address_ = pins.m_araddr;
  }

  static uint8_t response(uint32_t address) { return address == 4092 ? kSlaveError : kOkay; }

  std::array<uint32_t, 1024> memory{};
  int writes = 0, reads = 0;

 private:
  Random& random_;
  std::optional<uint32_t> write_address_, write_data_, read_address_;
  bool responds_ = false, answers_ = false;
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : random(seed), slave(random) {
    pins.rst = 1;
    step();
    pins.rst = 0;
  }

  // One cycle. What the master drives must be set before; `took` sees the settled pins.
  template <class Function>
  void step(Function&& took) {
    slave.drive(pins);
    pins.clk = 0;
    pins.eval();
    took();
    slave.sample(pins);
    pins.clk = 1;
    pins.eval();
  }
  void step() {
    step([] {});
  }

  // A write burst of data first, first + 1, ...; returns the response. `id`: 12 bits.
  uint8_t write(uint32_t id, uint32_t address, int beats, uint32_t first) {
    bool address_taken = false;
    int beats_taken = 0;
    for (int cycle = 0; cycle < kMaxCycles; ++cycle) {
      pins.s_awvalid = !address_taken && random.chance(70);
      pins.s_awid = id;
      pins.s_awaddr = 0x43c00000 + address;
      pins.s_awlen = beats - 1;
      pins.s_wvalid = beats_taken < beats && random.chance(70);
      pins.s_wdata = first + beats_taken;
      pins.s_wstrb = 15;
      pins.s_wlast = beats_taken == beats - 1;
      pins.s_bready = random.chance(50);
      std::optional<uint8_t> answer;
      step([&] {
        address_taken |= pins.s_awvalid && pins.s_awready;
        beats_taken += pins.s_wvalid && pins.s_wready;
        if (!pins.s_bvalid) return;
        EXPECT_TRUE(address_taken && beats_taken == beats) << "a response before the last beat";
        EXPECT_EQ(pins.s_bid, id);
        if (pins.s_bready) answer = pins.s_bresp;
      });
      if (answer) return *answer;
    }
    ADD_FAILURE() << "no response";
    return kSlaveError;
  }

  struct Beat {
    uint32_t data;
    uint8_t response;
  };

  std::vector<Beat> read(uint32_t id, uint32_t address, int beats) {
    bool address_taken = false;
    std::vector<Beat> answer;
    for (int cycle = 0; cycle < kMaxCycles; ++cycle) {
      pins.s_arvalid = !address_taken && random.chance(70);
      pins.s_arid = id;
      pins.s_araddr = 0x43c00000 + address;
      pins.s_arlen = beats - 1;
      pins.s_rready = random.chance(50);
      bool is_last = false;
      step([&] {
        address_taken |= pins.s_arvalid && pins.s_arready;
        if (!pins.s_rvalid || !pins.s_rready) return;
        EXPECT_EQ(pins.s_rid, id);
        answer.push_back({pins.s_rdata, pins.s_rresp});
        is_last = pins.s_rlast;
      });
      if (is_last) return answer;
    }
    ADD_FAILURE() << "no last beat";
    return answer;
  }

  Random random;
  Vvta_axi3_to_lite pins;
  LiteSlave slave;

 private:
  static constexpr int kMaxCycles = 1000;
};

TEST(Axi3ToLite, ForwardsSingleWritesAndReadsWithTheirIds) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Bench bench(seed);
    for (uint32_t word = 0; word < 50; ++word) {
      EXPECT_EQ(bench.write(word * 77 % 4096, word * 4, 1, 0x1000 + word), kOkay);
      const std::vector<Bench::Beat> beats = bench.read(word * 99 % 4096, word * 4, 1);
      ASSERT_EQ(beats.size(), 1u);
      EXPECT_EQ(beats[0].data, 0x1000 + word);
      EXPECT_EQ(beats[0].response, kOkay);
    }
    EXPECT_EQ(bench.slave.writes, 50);
    EXPECT_EQ(bench.slave.reads, 50);
  }
}

TEST(Axi3ToLite, ForwardsTheSlavesErrors) {
  Bench bench(1);
  EXPECT_EQ(bench.write(1, 4092, 1, 5), kSlaveError);
  EXPECT_EQ(bench.read(1, 4092, 1).at(0).response, kSlaveError);
}

TEST(Axi3ToLite, AnswersBurstsWithErrorsAndKeepsThemFromTheSlave) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Bench bench(seed);
    for (int beats = 2; beats <= 16; ++beats) {
      EXPECT_EQ(bench.write(beats, 64, beats, 7), kSlaveError);
      const std::vector<Bench::Beat> answer = bench.read(beats, 64, beats);
      EXPECT_EQ(answer.size(), static_cast<size_t>(beats));
      for (const Bench::Beat& beat : answer) {
        EXPECT_EQ(beat.response, kSlaveError);
        EXPECT_EQ(beat.data, 0u);
      }
    }
    EXPECT_EQ(bench.slave.writes, 0);
    EXPECT_EQ(bench.slave.reads, 0);
    // It still forwards afterwards.
    EXPECT_EQ(bench.write(3, 64, 1, 9), kOkay);
    EXPECT_EQ(bench.read(3, 64, 1).at(0).data, 9u);
  }
}

}  // namespace
}  // namespace vta
