// SPDX-License-Identifier: Apache-2.0
//
// The gates at a bus that still answers a design which was loaded before: a full reprogramming does
// not reset the HP ports.
#include <Vvta_axi_read_gate.h>
#include <Vvta_axi_write_gate.h>
#include <gtest/gtest.h>

namespace vta {
namespace {

template <class Gate>
void clock(Gate& pins) {
  pins.clk = 0;
  pins.eval();
  pins.clk = 1;
  pins.eval();
}

template <class Gate>
void reset(Gate& pins) {
  pins.rst = pins.drop = 1;
  clock(pins);
  pins.rst = pins.drop = 0;
  pins.eval();
}

struct ReadGate : testing::Test {
  ReadGate() { reset(pins); }
  ~ReadGate() override { pins.final(); }
  // The last beat of a burst, for a core that is ready or not. Returns whether the core saw it.
  bool send_last_beat(bool core_is_ready) {
    pins.rvalid = pins.rlast = 1;
    pins.c_rready = core_is_ready;
    pins.eval();
    const bool is_seen = pins.c_rvalid;
    EXPECT_TRUE(pins.rready) << "the bus cannot go on";
    clock(pins);
    pins.rvalid = pins.rlast = 0;
    pins.eval();
    return is_seen;
  }
  void request() {
    pins.c_arvalid = 1;
    pins.eval();
    ASSERT_TRUE(pins.c_arready);
    clock(pins);
    pins.c_arvalid = 0;
    pins.eval();
  }
  Vvta_axi_read_gate pins;
};

TEST_F(ReadGate, DropsBeatsBeforeTheFirstRequest) {
  for (const bool core_is_ready : {false, true, true}) {
    EXPECT_FALSE(send_last_beat(core_is_ready));
    EXPECT_TRUE(pins.idle) << "a burst is counted that was never requested";
  }
  request();
  EXPECT_FALSE(pins.idle);
  EXPECT_FALSE(send_last_beat(true)) << "the bus has not accepted the request";
  EXPECT_FALSE(pins.idle);
  pins.arready = 1;
  clock(pins);
  pins.arready = 0;
  EXPECT_TRUE(send_last_beat(true));
  EXPECT_TRUE(pins.idle);
}

struct WriteGate : testing::Test {
  WriteGate() { reset(pins); }
  ~WriteGate() override { pins.final(); }
  bool respond(bool core_is_ready) {
    pins.bvalid = 1;
    pins.c_bready = core_is_ready;
    pins.eval();
    const bool is_seen = pins.c_bvalid;
    EXPECT_TRUE(pins.bready) << "the bus cannot go on";
    clock(pins);
    pins.bvalid = 0;
    pins.eval();
    return is_seen;
  }
  Vvta_axi_write_gate pins;
};

TEST_F(WriteGate, DropsResponsesBeforeAWholeBurst) {
  for (const bool core_is_ready : {false, true, true}) {
    EXPECT_FALSE(respond(core_is_ready));
    EXPECT_TRUE(pins.idle) << "a burst is counted that was never written";
  }
  pins.c_awvalid = 1;
  clock(pins);
  pins.c_awvalid = 0;
  EXPECT_FALSE(respond(true)) << "the bus has not accepted the address";
  EXPECT_FALSE(pins.idle);
  pins.awready = 1;
  clock(pins);
  EXPECT_FALSE(respond(true)) << "the burst has no beat";
  pins.c_wvalid = pins.c_wlast = 1;
  clock(pins);
  pins.c_wvalid = 0;
  EXPECT_FALSE(respond(true)) << "the bus has not accepted the last beat";
  EXPECT_FALSE(pins.idle);
  pins.wready = 1;
  clock(pins);
  EXPECT_TRUE(respond(true));
  EXPECT_TRUE(pins.idle);
}

}  // namespace
}  // namespace vta
