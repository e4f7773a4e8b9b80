// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/axi_slave.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "tests/unit/sim/memory/dram_bench.h"

namespace vta::sim {
namespace {

using enum MemoryMaster;

// One reader and one writer at pins.
struct Pins {
  explicit Pins(const MemoryConfig& config, size_t num_words = 8192)
      : words(num_words), dram(config) {
    for (size_t i = 0; i < words.size(); ++i) words[i] = DramBench::word(i);
    dram.reset(reinterpret_cast<uint8_t*>(words.data()), words.size() * 8);
  }

  void begin() {
    dram.begin_cycle();
    r = reader.drive();
    w = writer.drive();
  }
  void end() {
    reader.sample(from_reader);
    writer.sample(from_writer);
  }

  std::vector<uint64_t> words;
  DramModel dram;
  AxiReadSlave reader{dram, kLoad};
  AxiWriteSlave writer{dram, kStore};
  AxiReadSlavePins r;
  AxiWriteSlavePins w;
  AxiReadMasterPins from_reader;
  AxiWriteMasterPins from_writer;
};

TEST(AxiSlave, ReadsHaveTheCyclesOfTheModel) {
  for (const char* name : {"ideal64", "pynq-z1", "random"}) {
    DramBench bench(load_memory_config(name));
    for (uint32_t burst = 0; burst < 8; ++burst) bench.read(kLoad, burst * 128, burst + 3);
    bench.run_until_quiet();
    const auto& expected = bench.of(kLoad).received;

    Pins pins(load_memory_config(name));
    std::vector<DramBench::Received> received;
    for (uint32_t cycle = 1; cycle <= 1000; ++cycle) {
      pins.begin();
      const uint32_t burst = cycle - 1;
      pins.from_reader = {{burst < 8, burst * 128, burst + 2}, true};
      if (pins.r.rvalid) received.push_back({cycle, pins.r.rdata, pins.r.rlast, pins.r.rresp != 0});
      pins.end();
    }
    EXPECT_EQ(received, expected) << name;
    EXPECT_TRUE(pins.dram.is_quiet() && pins.reader.is_quiet());
  }
}

TEST(AxiSlave, WritesHaveTheCyclesOfTheModel) {
  for (const char* name : {"ideal64", "pynq-z1", "random"}) {
    DramBench bench(load_memory_config(name));
    for (uint32_t burst = 0; burst < 8; ++burst) bench.write(kStore, burst * 128, 16, burst * 16);
    bench.run_until_quiet();

    Pins pins(load_memory_config(name));
    std::vector<DramBench::Answer> answers;
    uint64_t sent = 0;
    for (uint32_t cycle = 1; cycle <= 1000; ++cycle) {
      pins.begin();
      const uint32_t burst = cycle - 1;
      pins.from_writer = {{burst < 8, burst * 128, 15}, sent < 128, sent, sent % 16 == 15, true};
      if (pins.w.wready && pins.from_writer.wvalid) ++sent;
      if (pins.w.bvalid) answers.push_back({cycle, pins.w.bresp != 0});
      pins.end();
    }
    EXPECT_EQ(answers, bench.of(kStore).answers) << name;
    EXPECT_EQ(pins.words, bench.words());
  }
}

TEST(AxiSlave, DataThatComesBeforeItsAddressWaits) {
  Pins pins(plain_memory());
  for (int cycle = 0; cycle < 5; ++cycle) {
    pins.begin();
    EXPECT_FALSE(pins.w.wready);
    pins.from_writer = {{}, true, 9, true, true};
    if (cycle == 4) pins.from_writer.aw = {true, 64, 0};
    pins.end();
  }
  pins.begin();
  EXPECT_TRUE(pins.w.wready);
}

TEST(AxiSlave, BeatsAndResponsesWaitForAMasterThatIsNotReady) {
  const uint64_t seed = 77;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Pins pins(load_memory_config("random"));
  std::vector<uint64_t> data;
  uint32_t requests = 0, answers = 0, sent = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    pins.begin();
    pins.from_reader.ar = {requests < 100, requests * 64, 7};
    pins.from_writer.aw = {requests < 100, 32768 + requests * 64, 7};
    requests += requests < 100 ? 1 : 0;
    pins.from_reader.rready = random.chance(30);
    pins.from_writer.bready = random.chance(10);
    pins.from_writer.wvalid = sent < 800;
    pins.from_writer.wdata = sent;
    pins.from_writer.wlast = sent % 8 == 7;
    if (pins.r.rvalid && pins.from_reader.rready) data.push_back(pins.r.rdata);
    if (pins.w.bvalid && pins.from_writer.bready) ++answers;
    if (pins.w.wready && pins.from_writer.wvalid) ++sent;
    pins.end();
  }
  ASSERT_EQ(data.size(), 800u);
  for (uint64_t i = 0; i < 800; ++i) {
    EXPECT_EQ(data[i], DramBench::word(i));
    EXPECT_EQ(pins.words[4096 + i], i);
  }
  EXPECT_EQ(answers, 100u);
  EXPECT_TRUE(pins.reader.is_quiet() && pins.writer.is_quiet() && pins.dram.is_quiet());
}

TEST(AxiSlave, RequestsWaitWhereTheMemoryLetsThem) {
  MemoryConfig memory = plain_memory();
  memory.max_request_gap_cycles = 4;
  Pins pins(memory);
  uint32_t reads = 0, reads_refused = 0, writes = 0, writes_refused = 0;
  for (int cycle = 0; cycle < 400; ++cycle) {
    pins.begin();
    pins.from_reader = {{reads < 100, reads * 8, 0}, true};
    pins.from_writer.aw = {writes < 100, writes * 8, 0};
    if (pins.from_reader.ar.valid) ++(pins.r.arready ? reads : reads_refused);
    if (pins.from_writer.aw.valid) ++(pins.w.awready ? writes : writes_refused);
    pins.end();
  }
  EXPECT_EQ(reads, 100u);
  EXPECT_EQ(writes, 100u);
  EXPECT_NEAR(reads_refused, 200, 60);  // two cycles on average
  EXPECT_NEAR(writes_refused, 200, 60);
}

TEST(AxiSlave, AccessesOutsideGetSlaveErrors) {
  Pins pins(plain_memory(), 4);
  pins.begin();
  pins.from_reader = {{true, 24, 1}, true};
  pins.from_writer = {{true, 4096, 0}, true, 1, true, true};
  pins.end();
  std::vector<uint8_t> responses;
  bool answered = false;
  for (int cycle = 0; cycle < 40; ++cycle) {
    pins.begin();
    pins.from_reader.ar.valid = pins.from_writer.aw.valid = false;
    if (pins.r.rvalid) responses.push_back(pins.r.rresp);
    if (pins.w.bvalid) {
      EXPECT_EQ(pins.w.bresp, kAxiSlaveError);
      answered = true;
    }
    const bool taken = pins.w.wready;
    pins.end();
    if (taken) pins.from_writer.wvalid = false;
  }
  EXPECT_EQ(responses, (std::vector<uint8_t>{kAxiOkay, kAxiSlaveError}));
  EXPECT_TRUE(answered);
}

TEST(AxiSlave, CatchesAMasterThatTakesARequestBackOrChangesIt) {
  MemoryConfig memory = plain_memory();
  memory.max_request_gap_cycles = 1000;
  for (const AxiAddress& next : {AxiAddress{}, AxiAddress{true, 16, 0}, AxiAddress{true, 8, 1}}) {
    Pins pins(memory);
    for (const uint32_t address : {0u, 8u}) {  // the second one waits
      pins.begin();
      pins.from_reader.ar = {true, address, 0};
      pins.end();
    }
    pins.begin();
    ASSERT_FALSE(pins.r.arready);
    pins.from_reader.ar = next;
    EXPECT_THROW(pins.end(), std::logic_error);
  }
}

TEST(AxiSlave, CatchesAWrongEndOfABurst) {
  for (const bool last : {false, true}) {
    Pins pins(plain_memory());
    pins.begin();
    pins.from_writer.aw = {true, 0, last ? 1u : 0u};
    pins.end();
    pins.begin();
    pins.from_writer = {{}, true, 5, last, true};
    EXPECT_THROW(pins.end(), std::logic_error);
  }
}

TEST(AxiSlave, CatchesABeatThatChangesBeforeItIsTaken) {
  Pins pins(plain_memory());
  pins.begin();
  pins.from_writer = {{}, true, 5, true, true};
  pins.end();
  pins.begin();
  pins.from_writer.wdata = 6;
  EXPECT_THROW(pins.end(), std::logic_error);
}

}  // namespace
}  // namespace vta::sim
