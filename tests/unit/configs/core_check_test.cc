// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "configs/core_config.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

CoreConfig default_core() { return load_core_config("vta_1x16"); }

std::string check_message(const CoreConfig& core) {
  return error_in([&] { check(core); }, ErrorCode::kInvalidArgument);
}

TEST(CoreCheck, AcceptsTheInstalledCores) {
  for (const std::string& name : installed_core_names()) {
    EXPECT_EQ(check_message(load_core_config(name)), "") << name;
  }
}

TEST(CoreCheck, DerivesTheDefaultCoresElementsAndDepths) {
  const CoreConfig core = default_core();
  EXPECT_EQ(core.uop_depth(), 8192u);
  EXPECT_EQ(core.inp_depth(), 2048u);
  EXPECT_EQ(core.wgt_depth(), 1024u);
  EXPECT_EQ(core.acc_depth(), 2048u);
  EXPECT_EQ(core.inp_elem_bytes(), 16u);
  EXPECT_EQ(core.wgt_elem_bytes(), 256u);
  EXPECT_EQ(core.acc_elem_bytes(), 64u);
  EXPECT_EQ(core.out_elem_bytes(), 16u);
}

TEST(CoreCheck, RefusesNumbersOutsideTheirRange) {
  CoreConfig core = default_core();
  core.batch = 0;
  EXPECT_EQ(check_message(core), "core vta_1x16: batch is 0, must be from 1 to 256");
  core.batch = 512;
  EXPECT_EQ(check_message(core), "core vta_1x16: batch is 512, must be from 1 to 256");
  core.batch = 3;
  EXPECT_EQ(check_message(core), "core vta_1x16: batch is 3, must be a power of two");
}

TEST(CoreCheck, RefusesAFoldingThatLeavesLessThanALane) {
  CoreConfig core = default_core();
  core.alu_folding = 16;
  EXPECT_EQ(check_message(core), "");
  EXPECT_EQ(core.alu_lanes(), 1u);
  core.alu_folding = 32;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: alu_folding is 32, must be at most 16: an element of ACC has batch * "
            "block_out lanes");
  core.alu_folding = 3;
  EXPECT_EQ(check_message(core), "core vta_1x16: alu_folding is 3, must be a power of two");
}

TEST(CoreCheck, RefusesPixelPairsInSmallMemories) {
  CoreConfig core = load_core_config("tiny_1x8");
  core.pixels = 2;
  core.inp_buffer_bytes = 64;
  core.acc_buffer_bytes = 256;
  EXPECT_EQ(check_message(core), "");
  EXPECT_EQ(core.macs(), 128u);
  core.inp_buffer_bytes = 32;
  EXPECT_EQ(check_message(core),
            "core tiny_1x8: inp_buffer_bytes is 32, which holds 4 elements of 8 bytes; must hold "
            "at least 8 with pixels 2");
  core.inp_buffer_bytes = 64;
  core.acc_buffer_bytes = 128;
  EXPECT_EQ(check_message(core),
            "core tiny_1x8: acc_buffer_bytes is 128, which holds 4 elements of 32 bytes; must hold "
            "at least 8 with pixels 2");
  core.pixels = 1;
  EXPECT_EQ(check_message(core), "");
  core.pixels = 3;
  EXPECT_EQ(check_message(core), "core tiny_1x8: pixels is 3, must be from 1 to 2");
}

TEST(CoreCheck, RefusesElementsBelowOneBeat) {
  CoreConfig core = default_core();
  core.block_in = 4;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: an element of INP has 4 bytes, must have at least 8 (one 64-bit beat)");
  core = default_core();
  core.block_out = 4;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: an element of OUT has 4 bytes, must have at least 8 (one 64-bit beat)");
  core = default_core();
  core.block_in = core.block_out = 1;
  core.batch = 8;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: an element of WGT has 1 byte, must have at least 8 (one 64-bit beat)");
}

TEST(CoreCheck, RefusesBuffersOfLessThanTwoElements) {
  CoreConfig core = default_core();
  core.wgt_buffer_bytes = 256;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: wgt_buffer_bytes is 256, which holds 1 element of 256 bytes; must hold "
            "at least 2");
}

TEST(CoreCheck, RefusesBuffersThatSramBaseCannotAddress) {
  CoreConfig core = default_core();
  core.inp_buffer_bytes = 2 << 20;
  EXPECT_EQ(
      check_message(core),
      "core vta_1x16: inp_buffer_bytes is 2097152, which holds 131072 elements: an index needs "
      "17 bits, but sram_base has 16");
}

TEST(CoreCheck, RefusesMicroOpsOfMoreThan32Bits) {
  CoreConfig core = default_core();
  core.wgt_buffer_bytes *= 2;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: micro-op: field wgt has 11 bits, but of 32 only 10 are left");
}

TEST(CoreCheck, RefusesMicroOpIndicesThatPushFieldsOutOfTheSecondWord) {
  CoreConfig core = default_core();
  core.uop_buffer_bytes *= 2;  // iter_in starts word 1
  EXPECT_EQ(check_message(core),
            "core vta_1x16: GEMM, bits 64-127: field wgt_factor_out has 10 bits, but of 64 only 6 "
            "are left");
}

TEST(CoreCheck, RefusesAFieldInTheSplitBitOfTheExtension) {
  CoreConfig core = load_core_config("tiny_1x8");
  core.acc_buffer_bytes = core.acc_elem_bytes() * 2048;  // 11 bits, from bit 53 on
  EXPECT_EQ(check_message(core),
            "core tiny_1x8: GEMM: field dst_factor_out ends at bit 63, which is the extension's "
            "split");
  core.extension = false;
  EXPECT_EQ(check_message(core), "");
}

TEST(CoreCheck, RefusesAccumulatorIndicesThatLeaveTooFewBitsForTheImmediate) {
  CoreConfig core = default_core();
  core.acc_buffer_bytes *= 2;
  core.wgt_buffer_bytes /= 4;
  EXPECT_EQ(check_message(core),
            "core vta_1x16: ALU, bits 64-127: field imm has 16 bits, but of 64 only 12 are left");
}

TEST(CoreCheck, ComparesHardwareWithoutNames) {
  const CoreConfig core = default_core();
  CoreConfig other = core;
  other.name = "another";
  EXPECT_TRUE(core.same_hardware(other));
  other.extension = !core.extension;
  EXPECT_FALSE(core.same_hardware(other));
  other = core;
  other.token_queue_depth += 1;
  EXPECT_FALSE(core.same_hardware(other));
  other = core;
  other.alu_folding = 2;
  EXPECT_FALSE(core.same_hardware(other));
}

}  // namespace
}  // namespace vta
