// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "base/errors/error.h"
#include "hw/registers/register_bus.h"
#include "tests/support/board/core_words.h"
#include "tests/support/error_in.h"

namespace vta::hw {
namespace {

// Registers in memory, which report a core.
class MemoryBus : public RegisterBus {
 public:
  explicit MemoryBus(const CoreConfig& core) : words(support::core_words(core)) {}
  uint32_t read(uint32_t offset) override { return words[offset]; }
  void write(uint32_t offset, uint32_t value) override { words[offset] = value; }

  std::map<uint32_t, uint32_t> words;
};

void expect_device_error(MemoryBus& bus, const std::string& part) {
  const Error error = expect_error([&] { read_core_config(bus, "uio:/dev/uio0"); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_NE(std::string(error.what()).find("uio:/dev/uio0"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

TEST(RegistersBus, EveryInstalledCoreIsReadBack) {
  for (const std::string& name : installed_core_names()) {
    const CoreConfig core = load_core_config(name);
    if (core.pixels > 1) continue;  // not on boards (hw/rtl/board/core_package.h)
    MemoryBus bus(core);
    EXPECT_TRUE(read_core_config(bus, "test").same_hardware(core)) << name;
  }
}

TEST(RegistersBus, RejectsOtherHardware) {
  MemoryBus bus(load_core_config("vta_1x16"));
  bus.words[kRegister_magic] = 0xFFFFFFFF;
  expect_device_error(bus, "magic is 0xffffffff");
}

TEST(RegistersBus, RefusesAnotherVersionOfTheMap) {
  MemoryBus bus(load_core_config("vta_1x16"));
  bus.words[kRegister_map_version] = 77;
  expect_device_error(bus, "version 77");
}

TEST(RegistersBus, RefusesIllegalConfigurations) {
  struct Case {
    uint32_t offset, value;
  };
  for (const Case& c :
       {Case{kRegister_batch, 0}, Case{kRegister_batch, 3}, Case{kRegister_block_in, 0xFFFFFFFF},
        Case{kRegister_block_out, 5000}, Case{kRegister_log2_uop_depth, 29},
        Case{kRegister_log2_uop_depth, 33}, Case{kRegister_log2_wgt_depth, 0},
        Case{kRegister_log2_acc_depth, 28}, Case{kRegister_log2_inp_depth, 0xFFFFFFFF},
        Case{kRegister_command_queue_depth, 0}, Case{kRegister_token_queue_depth, 0xFFFFFFFF},
        Case{kRegister_log2_alu_folding, 5}, Case{kRegister_log2_alu_folding, 0xFFFFFFFF}}) {
    SCOPED_TRACE(fmt::format("register {:#x} is {}", c.offset, c.value));
    MemoryBus bus(load_core_config("vta_1x16"));
    bus.words[c.offset] = c.value;
    expect_device_error(bus, "");
  }
}

TEST(RegistersBus, CountersComeFromTheirRegisters) {
  MemoryBus bus(load_core_config("vta_1x16"));
  uint64_t value = 0x1234'5678'0000'0000;
  for (const uint32_t offset :
       {kRegister_inp_load_nbytes, kRegister_wgt_load_nbytes, kRegister_acc_load_nbytes,
        kRegister_uop_load_nbytes, kRegister_out_store_nbytes, kRegister_gemm_counter,
        kRegister_alu_counter, kRegister_cycles}) {
    write_register64(bus, offset, ++value);
  }
  write_register64(bus, kRegister_alu_wait_port, 77);
  write_register64(bus, kRegister_store_idle, 78);
  const Counters counters = read_counters(bus);
  EXPECT_EQ(counters.inp_load_nbytes, 0x1234'5678'0000'0001u);
  EXPECT_EQ(counters.wgt_load_nbytes, 0x1234'5678'0000'0002u);
  EXPECT_EQ(counters.acc_load_nbytes, 0x1234'5678'0000'0003u);
  EXPECT_EQ(counters.uop_load_nbytes, 0x1234'5678'0000'0004u);
  EXPECT_EQ(counters.out_store_nbytes, 0x1234'5678'0000'0005u);
  EXPECT_EQ(counters.gemm_counter, 0x1234'5678'0000'0006u);
  EXPECT_EQ(counters.alu_counter, 0x1234'5678'0000'0007u);
  EXPECT_EQ(counters.cycles, 0x1234'5678'0000'0008u);
  EXPECT_EQ(counters.stages.value().of[kStage_alu][kStageState_wait_port], 77u);
  EXPECT_EQ(counters.stages.value().of[kStage_store][kStageState_idle], 78u);
}

}  // namespace
}  // namespace vta::hw
