// SPDX-License-Identifier: Apache-2.0
//
// The registers as an AXI4-Lite slave: order, stalls, strobes, errors.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/unit/hw/registers/axi_lite_bench.h"

namespace vta::hw {
namespace {

std::set<uint32_t> mapped_words() {
  std::set<uint32_t> words;
  for (const RegisterInfo& info : kRegisters) {
    for (uint32_t byte = 0; byte < info.bits / 8; byte += 4) words.insert(info.offset + byte);
  }
  return words;
}

TEST(AxiLite, MappedWordsAnswerOkayAndAllOthersSlaveError) {
  AxiLiteBench bench;
  const std::set<uint32_t> mapped = mapped_words();
  for (uint32_t offset = 0; offset < kRegisterPageBytes; ++offset) {
    const uint8_t expected = mapped.contains(offset) ? kOkay : kSlaveError;
    const ReadAnswer answer = bench.read_answered(offset);
    ASSERT_EQ(answer.response, expected) << "reading " << std::hex << offset;
    if (expected != kOkay) ASSERT_EQ(answer.data, 0u);
    ASSERT_EQ(bench.write_strobed(offset, 0, 0xF), expected) << "writing " << std::hex << offset;
  }
}

TEST(AxiLite, AddressAndDataOfAWriteMayArriveInAnyOrder) {
  AxiLiteBench bench;
  uint32_t value = 0x1000;
  for (int data_delay = 0; data_delay < 6; ++data_delay) {
    for (int address_delay = 0; address_delay < 6; ++address_delay) {
      bench.start_write(kRegister_dram_base_bytes, ++value, 0xF, data_delay, address_delay);
      bench.step(20);
      ASSERT_EQ(bench.write_answer, kOkay) << data_delay << " " << address_delay;
      ASSERT_EQ(bench.read(kRegister_dram_base_bytes), value);
    }
  }
}

TEST(AxiLite, OnlyStrobedBytesAreWritten) {
  AxiLiteBench bench;
  for (const uint32_t offset :
       {uint32_t{kRegister_dram_base_bytes}, uint32_t{kRegister_program_offset_bytes},
        uint32_t{kRegister_num_instructions}, uint32_t{kRegister_dram_size_bytes}}) {
    for (uint8_t strobes = 0; strobes < 16; ++strobes) {
      bench.write(offset, 0x44332211);
      ASSERT_EQ(bench.write_strobed(offset, 0xDDCCBBAA, strobes), kOkay);
      const uint32_t value = bench.read(offset);
      for (int byte = 0; byte < 4; ++byte) {
        const uint32_t expected = strobes >> byte & 1 ? 0xDDCCBBAA : 0x44332211;
        ASSERT_EQ(value >> 8 * byte & 0xFF, expected >> 8 * byte & 0xFF)
            << std::hex << offset << " strobes " << int{strobes};
      }
    }
  }
}

TEST(AxiLite, AReadAndAWriteProceedConcurrently) {
  AxiLiteBench bench;
  bench.start_write(kRegister_num_instructions, 7, 0xF, 12, 0);  // its data keeps it waiting
  bench.start_read(kRegister_magic);
  bench.step(6);
  ASSERT_TRUE(bench.read_answer.has_value());
  EXPECT_EQ(bench.read_answer->data, uint32_t{kValue_magic});
  EXPECT_FALSE(bench.write_answer.has_value());
  bench.step(20);
  EXPECT_EQ(bench.write_answer, kOkay);
}

TEST(AxiLite, ATransactionWaitsForTheOneInFlight) {
  AxiLiteBench bench;
  bench.on_cycle = [](Vvta_registers& pins) {
    if (!pins.s_axi_awready) pins.s_axi_awvalid = 1, pins.s_axi_awaddr = kRegister_control;
    if (!pins.s_axi_wready) pins.s_axi_wvalid = 1, pins.s_axi_wdata = 0xBAD;
    if (!pins.s_axi_arready) pins.s_axi_arvalid = 1, pins.s_axi_araddr = kRegister_magic;
  };
  for (const auto& [data_delay, address_delay] : {std::pair{0, 8}, {8, 0}, {0, 0}}) {
    const uint32_t value = 0x500u + data_delay;
    bench.start_write(kRegister_dram_base_bytes, value, 0xF, data_delay, address_delay);
    bench.step(20);
    EXPECT_EQ(bench.write_answer, kOkay);
    EXPECT_EQ(bench.pins().dram_base_bytes, value) << data_delay << " " << address_delay;
    EXPECT_EQ(bench.read(kRegister_dram_base_bytes), value);
  }
}

TEST(AxiLite, NoTransactionIsLostOrRepeatedUnderRandomStalls) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    AxiLiteBench bench(seed, static_cast<int>(random.between(10, 90)));
    const uint32_t offsets[] = {kRegister_dram_base_bytes, kRegister_program_offset_bytes,
                                kRegister_num_instructions, 0xFFC};
    uint32_t values[] = {0, 0, 0, 0};
    for (int i = 0; i < 200; ++i) {
      const auto written = random.between(0, 3), read = random.between(0, 3);
      const uint32_t value = static_cast<uint32_t>(random.next());
      bench.start_write(offsets[written], value, 0xF, static_cast<int>(random.between(0, 5)),
                        static_cast<int>(random.between(0, 5)));
      if (read != written) bench.start_read(offsets[read]);
      int cycles = 0;
      while ((!bench.write_answer || (read != written && !bench.read_answer)) && cycles++ < 2000) {
        bench.step();
      }
      ASSERT_TRUE(bench.write_answer.has_value());
      ASSERT_EQ(*bench.write_answer, written == 3 ? kSlaveError : kOkay);
      if (read != written) {
        ASSERT_TRUE(bench.read_answer.has_value());
        ASSERT_EQ(bench.read_answer->response, read == 3 ? kSlaveError : kOkay);
        ASSERT_EQ(bench.read_answer->data, values[read]);
      }
      if (written != 3) values[written] = value;
    }
  }
}

TEST(AxiLite, AnswersTakeFewCycles) {
  AxiLiteBench bench;
  bench.start_read(kRegister_magic);
  bench.start_write(kRegister_num_instructions, 1, 0xF);
  bench.step(3);
  EXPECT_TRUE(bench.read_answer.has_value());
  EXPECT_TRUE(bench.write_answer.has_value());
}

TEST(AxiLite, ResetDropsTransactionsInFlight) {
  AxiLiteBench bench;
  bench.start_write(kRegister_num_instructions, 5, 0xF, 100, 0);  // the address alone arrives
  bench.step(5);
  bench.reset();
  bench.write(kRegister_dram_base_bytes, 0x80);
  EXPECT_EQ(bench.read(kRegister_dram_base_bytes), 0x80u);
  EXPECT_EQ(bench.read(kRegister_num_instructions), 0u);
}

}  // namespace
}  // namespace vta::hw
