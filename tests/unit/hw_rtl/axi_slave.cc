// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw_rtl/axi_slave.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vta::rtl {
namespace {

constexpr int kBurstBeats = 16, kBeatBytes = 8, kBoundaryBytes = 4096;

void expect_legal(const Burst& burst) {
  EXPECT_LE(burst.beats, kBurstBeats);
  EXPECT_LE(burst.address % kBoundaryBytes + burst.beats * kBeatBytes, kBoundaryBytes);
}

}  // namespace

Burst random_burst(Random& random) {
  const uint32_t address = static_cast<uint32_t>(random.between(0, 1 << 20)) * kBeatBytes;
  const int to_boundary = (kBoundaryBytes - address % kBoundaryBytes) / kBeatBytes;
  const int most = std::min(kBurstBeats, to_boundary);
  return {address, static_cast<int>(random.chance(30) ? most : random.between(1, most))};
}

void Stable::see(bool valid, bool ready, uint64_t payload) {
  if (waits_) {
    EXPECT_TRUE(valid) << "valid was deasserted before ready";
    EXPECT_EQ(payload, payload_) << "payload changed before it was accepted";
  }
  waits_ = valid && !ready;
  payload_ = payload;
}

void AxiReadSlave::drive() {
  Vhw_rtl_library& pins = library_.pins;
  pins.arready[variant_] = !random_.chance(timing_.stall_percent);
  const bool valid = !pending_.empty() && pending_.front().ready <= library_.cycle() &&
                     !random_.chance(timing_.stall_percent);
  pins.rvalid[variant_] = valid;
  pins.rlast[variant_] = false;
  pins.rresp[variant_] = kOkay;
  pins.rdata[variant_] = random_.next();
  if (!valid) return;
  const Pending& first = pending_.front();
  pins.rdata[variant_] = word(first.burst.address + kBeatBytes * first.sent);
  pins.rlast[variant_] = first.sent + 1 == first.burst.beats;
  if (const auto found = responses_.find(beats_); found != responses_.end())
    pins.rresp[variant_] = found->second;
}

void AxiReadSlave::sample() {
  const Vhw_rtl_library& pins = library_.pins;
  EXPECT_TRUE(pins.rready[variant_]);
  const bool valid = pins.arvalid[variant_], ready = pins.arready[variant_];
  const Burst burst{pins.araddr[variant_], pins.arlen[variant_] + 1};
  address_.see(valid, ready, uint64_t{burst.address} << 8 | pins.arlen[variant_]);
  if (pins.rvalid[variant_]) {
    if (first_beat_ < 0) first_beat_ = library_.cycle();
    last_beat_ = library_.cycle();
    ++beats_;
    if (++pending_.front().sent == pending_.front().burst.beats) pending_.pop_front();
  }
  if (valid && ready) {
    expect_legal(burst);
    const int latency =
        timing_.latency + static_cast<int>(random_.between(0, timing_.latency_spread));
    pending_.push_back({burst, library_.cycle() + latency, 0});
  }
  max_bursts_ = std::max<int>(max_bursts_, pending_.size());
}

void AxiWriteSlave::drive() {
  Vhw_rtl_library& pins = library_.pins;
  pins.awready[variant_] = !random_.chance(timing_.stall_percent);
  pins.wready[variant_] = !random_.chance(timing_.stall_percent);
  pins.bvalid[variant_] = !answers_.empty() && answers_.front() <= library_.cycle() &&
                          !random_.chance(timing_.stall_percent);
  const auto found = responses_.find(answered_);
  pins.bresp[variant_] = found == responses_.end() ? kOkay : found->second;
}

void AxiWriteSlave::sample() {
  const Vhw_rtl_library& pins = library_.pins;
  EXPECT_TRUE(pins.bready[variant_]);
  if (pins.bvalid[variant_]) {
    answers_.pop_front();
    ++answered_;
  }
  const bool valid = pins.awvalid[variant_], ready = pins.awready[variant_];
  const Burst burst{pins.awaddr[variant_], pins.awlen[variant_] + 1};
  address_.see(valid, ready, uint64_t{burst.address} << 8 | pins.awlen[variant_]);
  if (valid && ready) {
    expect_legal(burst);
    bursts_.push_back(burst);
  }
  const bool beat = pins.wvalid[variant_], taken = pins.wready[variant_];
  data_.see(beat, taken, pins.wdata[variant_]);
  last_.see(beat, taken, pins.wlast[variant_]);
  if (beat && taken) take_beat(pins.wdata[variant_], pins.wlast[variant_]);
  max_bursts_ = std::max<int>(max_bursts_, bursts_.size() + answers_.size());
}

void AxiWriteSlave::take_beat(uint64_t data, bool last) {
  ASSERT_FALSE(bursts_.empty()) << "a beat before its address";
  if (first_beat_ < 0) first_beat_ = library_.cycle();
  last_beat_ = library_.cycle();
  ++beats_;
  const Burst& burst = bursts_.front();
  memory_[burst.address + kBeatBytes * sent_] = data;
  ASSERT_EQ(last, ++sent_ == burst.beats) << "WLAST";
  if (!last) return;
  sent_ = 0;
  bursts_.pop_front();
  const int latency =
      timing_.latency + static_cast<int>(random_.between(0, timing_.latency_spread));
  // Responses are in order.
  const int ready = library_.cycle() + latency;
  answers_.push_back(answers_.empty() ? ready : std::max(ready, answers_.back()));
}

}  // namespace vta::rtl
