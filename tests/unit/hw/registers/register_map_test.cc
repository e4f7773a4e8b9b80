// SPDX-License-Identifier: Apache-2.0
#include "hw/registers/register_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/files/file.h"
#include "hw/registers/registers.h"

namespace vta::hw {
namespace {

// Tests run in the source tree.
TEST(RegisterMap, PackageIsExactlyAsGenerated) {
  EXPECT_EQ(read_text_file("hw/rtl/registers/vta_registers_pkg.sv"), register_package())
      << "replace it by the output of `register_map package`";
}

TEST(RegisterMap, ChapterHoldsTheTablesExactlyAsGenerated) {
  const std::string chapter = read_text_file("docs/register_map.md");
  EXPECT_NE(chapter.find(register_tables()), std::string::npos)
      << "replace the tables by the output of `register_map tables`:\n"
      << register_tables();
}

TEST(RegisterMap, RegistersAscendAndDoNotOverlap) {
  uint32_t end = 0;
  std::set<std::string> names;
  for (const RegisterInfo& info : kRegisters) {
    EXPECT_GE(info.offset, end) << info.name;
    EXPECT_EQ(info.offset % (info.bits / 8), 0u) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " is there twice";
    end = info.offset + info.bits / 8;
  }
  EXPECT_LE(end, kMappedBytes);
}

TEST(RegisterMap, StageCyclesStandInAGridOfStagesAndStates) {
  EXPECT_EQ(stage_cycles_register(kStage_load, kStageState_busy), kRegister_load_busy);
  EXPECT_EQ(stage_cycles_register(kStage_gemm, kStageState_wait_token), kRegister_gemm_wait_token);
  EXPECT_EQ(stage_cycles_register(kStage_gemm, kStageState_wait_memory),
            kRegister_gemm_wait_memory);
  EXPECT_EQ(stage_cycles_register(kStage_alu, kStageState_wait_port), kRegister_alu_wait_port);
  EXPECT_EQ(stage_cycles_register(kStage_alu, kStageState_wait_queue), kRegister_alu_wait_queue);
  EXPECT_EQ(stage_cycles_register(kStage_store, kStageState_idle), kRegister_store_idle);
}

}  // namespace
}  // namespace vta::hw
