// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hw/isa/instruction.h"

namespace vta::isa {
namespace {

class EncodingFaults : public testing::Test {
 protected:
  EncodingFaults() { plain_.extension = false; }

  static std::string fault_of(InstructionBits bits, const CoreConfig& core) {
    const auto fault = find_encoding_fault(bits, core);
    return fault ? std::string(to_string(fault->code)) + " " + std::to_string(fault->value)
                 : "none";
  }
  std::string fault_of(const std::string& line) const {
    return fault_of(encode(*assemble_line(line), core_), core_);
  }
  // The fault of `line` with bit `bit` set as well.
  std::string fault_with_bit(const std::string& line, int bit) const {
    return fault_of(set_bit(encode(*assemble_line(line), core_), bit), core_);
  }
  static InstructionBits set_bit(InstructionBits bits, int bit) {
    (bit < 64 ? bits.lo : bits.hi) |= uint64_t{1} << (bit % 64);
    return bits;
  }

  CoreConfig core_ = load_core_config("vta_1x16");
  CoreConfig tiny_ = load_core_config("tiny_1x8");
  CoreConfig plain_ = load_core_config("vta_1x16");
  const std::string load_ = "load.inp sram=0 dram=0 size=[1,1] stride=1";
  const std::string gemm_ = "gemm uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]";
};

TEST_F(EncodingFaults, FindsNoneInLegalInstructions) {
  for (const char* line : {"load.inp sram=0 dram=0 size=[1,1] stride=1 pad=[1,2,3,4]",
                           "load.acc.split sram=0 dram=0 size=[1,1] stride=1 pad=[1,2,3,4]",
                           "load.acc8 sram=0 dram=0 size=[1,1] stride=1 pad=[15,15,15,15]",
                           "load.wgt sram=0 dram=0 size=[1,1] stride=1",
                           "load.uop.split sram=0 dram=0 size=[1,1] stride=1",
                           "store.out sram=0 dram=0 size=[1,1] stride=1",
                           "gemm.reset.split uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]",
                           "alu.mul.reset uop=[0,1) iter=[1,1] dst=[0,0]",
                           "alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=0x7fff",
                           "alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=-1",
                           "finish pop_prev pop_next push_prev push_next"}) {
    EXPECT_EQ(fault_of(line), "none") << line;
  }
}

TEST_F(EncodingFaults, FindsIllegalOpcodesFirst) {
  for (uint64_t opcode : {5, 6, 7}) {
    const InstructionBits bits{opcode | ~uint64_t{7}, ~uint64_t{0}};
    EXPECT_EQ(fault_of(bits, core_), "illegal opcode " + std::to_string(opcode));
    EXPECT_EQ(fault_of(bits, tiny_), "illegal opcode " + std::to_string(opcode));
  }
}

TEST_F(EncodingFaults, ReportsTheLowestReservedBit) {
  EXPECT_EQ(fault_with_bit(load_, 58), "reserved bit 58");
  EXPECT_EQ(fault_with_bit(load_, 63), "reserved bit 63");
  EXPECT_EQ(fault_with_bit("store.out sram=0 dram=0 size=[1,1] stride=1", 58), "reserved bit 58");
  EXPECT_EQ(fault_with_bit("load.wgt sram=0 dram=0 size=[1,1] stride=1", 58), "reserved bit 58");
  EXPECT_EQ(fault_with_bit("load.uop sram=0 dram=0 size=[1,1] stride=1", 58), "none");
  EXPECT_EQ(fault_with_bit("load.uop sram=0 dram=0 size=[1,1] stride=1", 59), "reserved bit 59");
  EXPECT_EQ(fault_with_bit("load.mem6 sram=0 dram=0 size=[1,1] stride=1", 58), "reserved bit 58");
  EXPECT_EQ(fault_with_bit(gemm_, 63), "none");
  EXPECT_EQ(fault_with_bit("finish", 63), "reserved bit 63");
  const InstructionBits all{kGemm | ~uint64_t{7}, ~uint64_t{0}};
  EXPECT_EQ(fault_of(all, core_), "none");
  EXPECT_EQ(fault_of(all, tiny_), "reserved bit 82");
  const InstructionBits second_word{kGemm, ~uint64_t{0} << 35};
  EXPECT_EQ(fault_of(second_word, tiny_), "reserved bit 99");
}

// VTA's runtime does not clear them, nor the fields of FINISH.
TEST_F(EncodingFaults, IgnoresBitsOutsideTheFieldsOnACoreWithoutTheExtension) {
  for (const char* line :
       {"load.acc sram=0 dram=0 size=[1,1] stride=1", "store.out sram=0 dram=0 size=[1,1] stride=1",
        "gemm uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]",
        "alu.add uop=[0,1) iter=[1,1] dst=[0,0] imm=1", "finish pop_next"}) {
    const InstructionBits bits = set_bit(encode(*assemble_line(line), plain_), 63);
    EXPECT_EQ(fault_of(bits, plain_), "none") << line;
    EXPECT_EQ(decode(bits, plain_), *assemble_line(line)) << line;
  }
}

TEST_F(EncodingFaults, RefusesMemoriesThatCannotBeLoadedOrStored) {
  const std::string operands = " sram=0 dram=0 size=[1,1] stride=1 pad=[1,1,1,1]";
  EXPECT_EQ(fault_of("load.out" + operands), "illegal memory 4");
  EXPECT_EQ(fault_of("load.mem6" + operands), "illegal memory 6");
  EXPECT_EQ(fault_of("load.mem7" + operands), "illegal memory 7");
  EXPECT_EQ(fault_of("store.uop" + operands), "illegal memory 0");
  EXPECT_EQ(fault_of("store.acc8" + operands), "illegal memory 5");
}

TEST_F(EncodingFaults, RefusesPaddingOfWeightsMicroOpsAndStores) {
  const std::string operands = " sram=0 dram=0 size=[1,1] stride=1 pad=[0,0,0,2]";
  EXPECT_EQ(fault_of("load.wgt" + operands), "illegal padding 8192");
  EXPECT_EQ(fault_of("load.uop" + operands), "illegal padding 8192");
  EXPECT_EQ(fault_of("store.out" + operands), "illegal padding 8192");
  EXPECT_EQ(fault_of("store.out sram=0 dram=0 size=[1,1] stride=1 pad=[1,2,3,4]"),
            "illegal padding 17185");
}

TEST_F(EncodingFaults, ChecksNothingInALoadOrStoreOfSizeZero) {
  for (const char* size : {"[0,1]", "[1,0]", "[0,0]"}) {
    for (const char* head : {"store.uop", "load.mem7", "load.wgt"}) {
      const std::string line =
          std::string(head) + " sram=65535 dram=0 size=" + size + " stride=1 pad=[0,0,1,1]";
      EXPECT_EQ(fault_of(line), "none") << line;
      EXPECT_EQ(fault_with_bit(line, 60), "none") << line;
    }
  }
  for (const char* line : {"load.wgt sram=0 dram=0 size=[1,0] stride=1 pad=[1,1,1,1]",
                           "store.wgt sram=0 dram=0 size=[0,1] stride=1 pad=[1,1,1,1]"})
    EXPECT_EQ(fault_of(line), "none") << line;
}

TEST_F(EncodingFaults, ChecksALoadThatOnlyFillsRowsOfPadding) {
  const std::string operands = " sram=0 dram=0 size=[0,1] stride=1 pad=[1,0,0,0]";
  EXPECT_EQ(fault_of("load.inp" + operands), "none");
  EXPECT_EQ(fault_of("load.wgt" + operands), "illegal padding 1");
  EXPECT_EQ(fault_of("load.mem7" + operands), "illegal memory 7");
  EXPECT_EQ(fault_with_bit("load.inp" + operands, 60), "reserved bit 60");
}

TEST_F(EncodingFaults, RefusesAluOpcodesThatTheCoreDoesNotHave) {
  EXPECT_EQ(fault_of("alu.op7 uop=[0,1) iter=[1,1] dst=[0,0] imm=0x7fff"), "illegal ALU opcode 7");
  EXPECT_EQ(fault_of("alu.op7"), "illegal ALU opcode 7");
  for (uint32_t opcode = 0; opcode < 8; ++opcode) {
    Instruction alu;
    alu.opcode = kAlu;
    alu.alu_opcode = opcode;
    EXPECT_EQ(fault_of(encode(alu, core_), core_) == "none", opcode < kNumAluOpcodes) << opcode;
  }
  const InstructionBits req =
      encode(*assemble_line("alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=-256"), core_);
  EXPECT_EQ(fault_of(req, core_), "none");
  EXPECT_EQ(fault_of(req, plain_), "illegal ALU opcode 5");
}

TEST_F(EncodingFaults, RefusesReservedUpperLimitsOfReq) {
  EXPECT_EQ(fault_of("alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=-32768"),
            "illegal REQ immediate 32768");  // hi 128
  EXPECT_EQ(fault_of("alu.req uop=[0,1) iter=[1,1] dst=[0,0] use_src imm=-257"),
            "illegal REQ immediate 65279");                                         // hi 254
  EXPECT_EQ(fault_of("alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=32767"), "none");  // hi 127
  EXPECT_EQ(fault_of("alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=-256"), "none");   // hi none
  EXPECT_EQ(fault_of("alu.max uop=[0,1) iter=[1,1] dst=[0,0] imm=-32768"), "none");
}

}  // namespace
}  // namespace vta::isa
