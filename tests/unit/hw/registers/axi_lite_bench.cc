// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/registers/axi_lite_bench.h"

#include <gtest/gtest.h>

namespace vta::hw {

AxiLiteBench::AxiLiteBench(uint64_t seed, int pace) : random_(seed), pace_(pace) { reset(); }

void AxiLiteBench::reset() {
  aw_ = w_ = ar_ = {};
  b_waits_ = r_waits_ = false;
  top_.rst = top_.bus_idle = 1;
  step(2);
  top_.rst = 0;
}

void AxiLiteBench::choose(Sent& channel) {
  if (channel.delay > 0) {
    --channel.delay;
  } else if (channel.pending && random_.chance(pace_)) {
    channel.valid = true;
  }
}

void AxiLiteBench::drive() {
  for (Sent* channel : {&aw_, &w_, &ar_}) choose(*channel);
  top_.s_axi_awvalid = aw_.valid;
  top_.s_axi_wvalid = w_.valid;
  top_.s_axi_arvalid = ar_.valid;
  top_.s_axi_bready = random_.chance(pace_);
  top_.s_axi_rready = random_.chance(pace_);
}

void AxiLiteBench::check_steady() {
  if (b_waits_) {
    EXPECT_TRUE(top_.s_axi_bvalid);
    EXPECT_EQ(top_.s_axi_bresp, b_response_);
  }
  if (r_waits_) {
    EXPECT_TRUE(top_.s_axi_rvalid);
    EXPECT_EQ(top_.s_axi_rresp, r_response_);
    EXPECT_EQ(top_.s_axi_rdata, r_data_);
  }
  b_waits_ = top_.s_axi_bvalid && !top_.s_axi_bready && !top_.rst;
  r_waits_ = top_.s_axi_rvalid && !top_.s_axi_rready && !top_.rst;
  b_response_ = top_.s_axi_bresp;
  r_response_ = top_.s_axi_rresp;
  r_data_ = top_.s_axi_rdata;
}

void AxiLiteBench::sample() {
  if (top_.s_axi_awvalid && top_.s_axi_awready) aw_ = {};
  if (top_.s_axi_wvalid && top_.s_axi_wready) w_ = {};
  if (top_.s_axi_arvalid && top_.s_axi_arready) ar_ = {};
  if (top_.s_axi_bvalid && top_.s_axi_bready) {
    EXPECT_FALSE(aw_.pending || w_.pending) << "answered before address and data were taken";
    write_answer = top_.s_axi_bresp;
  }
  if (top_.s_axi_rvalid && top_.s_axi_rready) {
    EXPECT_FALSE(ar_.pending) << "answered before the address was taken";
    read_answer = ReadAnswer{top_.s_axi_rdata, top_.s_axi_rresp};
  }
}

void AxiLiteBench::step(int cycles) {
  for (int i = 0; i < cycles; ++i) {
    top_.clk = 0;
    drive();
    top_.eval();
    check_steady();
    if (on_cycle) on_cycle(top_);
    top_.eval();
    if (!top_.rst) sample();
    top_.clk = 1;
    top_.eval();
  }
}

void AxiLiteBench::start_write(uint32_t offset, uint32_t value, uint8_t strobes, int data_delay,
                               int address_delay) {
  write_answer.reset();
  top_.s_axi_awaddr = offset;
  top_.s_axi_wdata = value;
  top_.s_axi_wstrb = strobes;
  aw_ = {true, false, address_delay};
  w_ = {true, false, data_delay};
}

void AxiLiteBench::start_read(uint32_t offset) {
  read_answer.reset();
  top_.s_axi_araddr = offset;
  ar_ = {true, false, 0};
}

template <class Condition>
void AxiLiteBench::step_until(Condition&& condition) {
  for (int i = 0; i < 2000 && !condition(); ++i) step();
  ASSERT_TRUE(condition()) << "no answer in 2000 cycles";
}

uint8_t AxiLiteBench::write_strobed(uint32_t offset, uint32_t value, uint8_t strobes) {
  start_write(offset, value, strobes);
  step_until([&] { return write_answer.has_value(); });
  return write_answer.value_or(0xFF);
}

ReadAnswer AxiLiteBench::read_answered(uint32_t offset) {
  start_read(offset);
  step_until([&] { return read_answer.has_value(); });
  return read_answer.value_or(ReadAnswer{0, 0xFF});
}

uint32_t AxiLiteBench::read(uint32_t offset) {
  const ReadAnswer answer = read_answered(offset);
  EXPECT_EQ(answer.response, kOkay) << "reading " << std::hex << offset;
  return answer.data;
}

void AxiLiteBench::write(uint32_t offset, uint32_t value) {
  EXPECT_EQ(write_strobed(offset, value, 0xF), kOkay) << "writing " << std::hex << offset;
}

}  // namespace vta::hw
