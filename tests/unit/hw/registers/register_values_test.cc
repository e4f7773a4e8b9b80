// SPDX-License-Identifier: Apache-2.0
//
// The values of the registers.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/hw/registers/axi_lite_bench.h"

namespace vta::hw {
namespace {

TEST(RegisterValues, TheHardwareReportsItsConfiguration) {
  AxiLiteBench bench;
  CoreConfig expected;  // as CMakeLists.txt has it
  expected.batch = 2;
  expected.block_in = 8;
  expected.block_out = 4;
  expected.uop_buffer_bytes = 4 << 12;
  expected.inp_buffer_bytes = 16 << 9;
  expected.wgt_buffer_bytes = 32 << 7;
  expected.acc_buffer_bytes = 32 << 5;
  expected.command_queue_depth = 100;
  expected.token_queue_depth = 200;
  expected.alu_folding = 4;
  expected.extension = true;
  const CoreConfig core = read_core_config(bench, "test");  // checks magic and version, too
  EXPECT_TRUE(core.same_hardware(expected)) << to_json(core);
  EXPECT_EQ(bench.read(kRegister_clock_hz), 142'857'142u);
  EXPECT_EQ(bench.pins().has_extension, 1);
}

TEST(RegisterValues, ReadOnlyRegistersIgnoreWrites) {
  AxiLiteBench bench;
  bench.step(20);
  std::map<uint32_t, uint32_t> before;
  for (const RegisterInfo& info : kRegisters) {
    if (info.access == RegisterAccess::kReadOnly) before[info.offset] = bench.read(info.offset);
  }
  for (const auto& [offset, value] : before) {
    bench.write(offset, ~value);
    EXPECT_EQ(bench.read(offset), value) << std::hex << offset;
  }
  EXPECT_EQ(before[kRegister_status], uint32_t{kBits_status_idle});
}

TEST(RegisterValues, SettingsKeepWrittenValuesAndReachTheCore) {
  AxiLiteBench bench;
  bench.write(kRegister_dram_base_bytes, 0x8765'4000);
  write_register64(bench, kRegister_dram_size_bytes, 0x1'2345'6789);
  bench.write(kRegister_program_offset_bytes, 0x0010'0020);
  bench.write(kRegister_num_instructions, 0xFEDC'BA98);
  EXPECT_EQ(bench.read(kRegister_dram_base_bytes), 0x8765'4000u);
  EXPECT_EQ(read_register64(bench, kRegister_dram_size_bytes), 0x1'2345'6789u);
  EXPECT_EQ(bench.read(kRegister_program_offset_bytes), 0x0010'0020u);
  EXPECT_EQ(bench.read(kRegister_num_instructions), 0xFEDC'BA98u);
  EXPECT_EQ(bench.pins().dram_base_bytes, 0x8765'4000u);
  EXPECT_EQ(bench.pins().dram_size_bytes, 0x1'2345'6789u);
  EXPECT_EQ(bench.pins().run_request_data, 0xFEDC'BA98'0010'0020u);
  EXPECT_EQ(bench.pins().run_fetch_data, 0xFEDC'BA98'0010'0020u);
}

TEST(RegisterValues, CountersShowTheirInputs) {
  AxiLiteBench bench;
  Vvta_registers& pins = bench.pins();
  pins.inp_load_nbytes = 0x0102'0304'0506'0701;
  pins.wgt_load_nbytes = 0x0102'0304'0506'0702;
  pins.acc_load_nbytes = 0x0102'0304'0506'0703;
  pins.uop_load_nbytes = 0x0102'0304'0506'0704;
  pins.out_store_nbytes = 0x0102'0304'0506'0705;
  pins.gemm_counter = 0x0102'0304'0506'0706;
  pins.alu_counter = 0x0102'0304'0506'0707;
  const Counters counters = read_counters(bench);
  EXPECT_EQ(counters.inp_load_nbytes, 0x0102'0304'0506'0701u);
  EXPECT_EQ(counters.wgt_load_nbytes, 0x0102'0304'0506'0702u);
  EXPECT_EQ(counters.acc_load_nbytes, 0x0102'0304'0506'0703u);
  EXPECT_EQ(counters.uop_load_nbytes, 0x0102'0304'0506'0704u);
  EXPECT_EQ(counters.out_store_nbytes, 0x0102'0304'0506'0705u);
  EXPECT_EQ(counters.gemm_counter, 0x0102'0304'0506'0706u);
  EXPECT_EQ(counters.alu_counter, 0x0102'0304'0506'0707u);
  EXPECT_EQ(counters.cycles, 0u);
}

TEST(RegisterValues, ReadingTheLowHalfLatchesTheHighHalf) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    AxiLiteBench bench(seed, 40);
    uint64_t count = (seed << 32) - seed;  // the low half overflows soon
    bench.on_cycle = [&](Vvta_registers& pins) { pins.gemm_counter = count++; };
    const uint64_t first = count;
    const uint64_t value = read_register64(bench, kRegister_gemm_counter);
    EXPECT_GE(value, first);
    EXPECT_LT(value, count);
  }
}

TEST(RegisterValues, ReadsBetweenTheHalvesOfACounterDoNotChangeIt) {
  AxiLiteBench bench;
  bench.pins().alu_counter = 0x1111'1111'FFFF'FFFF;
  EXPECT_EQ(bench.read(kRegister_alu_counter), 0xFFFF'FFFFu);
  bench.pins().alu_counter = 0x1111'1112'0000'0000;
  bench.read(kRegister_status);
  bench.read(kRegister_fault_code);
  bench.read_answered(0xFF8);
  EXPECT_EQ(bench.read(kRegister_alu_counter + 4), 0x1111'1111u);
}

TEST(RegisterValues, StatusShowsWhichStagesWork) {
  AxiLiteBench bench;
  bench.step(20);
  for (const Stage stage : {kStage_load, kStage_gemm, kStage_alu, kStage_store, kStage_fetch}) {
    bench.pins().stage_busy = 1u << stage;
    EXPECT_EQ(bench.read(kRegister_status), kBits_status_idle | 0x100u << stage);
  }
  EXPECT_EQ(kBits_status_stage_busy, 0x1F00u);
}

TEST(RegisterValues, BusErrorsNameTheirPort) {
  AxiLiteBench bench;
  for (const uint32_t bit :
       {kBits_bus_error_fetch_port, kBits_bus_error_load_port, kBits_bus_error_uop_port,
        kBits_bus_error_acc_port, kBits_bus_error_store_port}) {
    bench.pins().bus_error = static_cast<uint8_t>(bit);
    EXPECT_EQ(bench.read(kRegister_bus_error), bit);
  }
}

}  // namespace
}  // namespace vta::hw
