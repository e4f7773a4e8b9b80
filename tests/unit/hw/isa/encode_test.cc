// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/isa/instruction.h"
#include "tests/support/error_in.h"

namespace vta::isa {
namespace {

std::string message_of(const Instruction& instruction, const CoreConfig& core) {
  return error_in([&] { encode(instruction, core); }, ErrorCode::kInvalidArgument);
}

class Encode : public testing::Test {
 protected:
  CoreConfig core_ = load_core_config("vta_1x16");
  Instruction instruction_;
};

TEST_F(Encode, RefusesValuesThatDoNotFit) {
  instruction_.opcode = kGemm;
  instruction_.dst_factor_out = 2048;
  EXPECT_EQ(message_of(instruction_, core_),
            "gemm: dst_factor_out is 2048, must be from 0 to 2047 (11 bits)");
  instruction_ = Instruction{};
  instruction_.opcode = kLoad;
  instruction_.memory = kAcc8Bit;
  instruction_.x_pad_1 = 16;
  EXPECT_EQ(message_of(instruction_, core_),
            "load.acc8: x_pad_1 is 16, must be from 0 to 15 (4 bits)");
  instruction_ = Instruction{};
  instruction_.opcode = kAlu;
  instruction_.alu_opcode = kMul;
  instruction_.imm = 32768;
  EXPECT_EQ(message_of(instruction_, core_),
            "alu.mul: imm is 32768, must be from -32768 to 32767 (16 bits)");
  instruction_ = Instruction{};
  instruction_.opcode = 8;
  EXPECT_EQ(message_of(instruction_, core_), "?: opcode is 8, must be from 0 to 7 (3 bits)");
}

TEST_F(Encode, LimitsIndicesByTheCoresOwnDepths) {
  instruction_.opcode = kGemm;
  instruction_.uop_end = 512;
  EXPECT_EQ(message_of(instruction_, core_), "");
  EXPECT_EQ(message_of(instruction_, load_core_config("tiny_1x8")),
            "gemm: uop_end is 512, must be from 0 to 511 (9 bits)");
}

TEST_F(Encode, RefusesFieldsOfAnotherFormat) {
  instruction_.opcode = kLoad;
  instruction_.memory = kWgt;
  instruction_.iter_in = 3;
  EXPECT_EQ(message_of(instruction_, core_),
            "load.wgt: iter_in is 3, but the instruction has no such field");
  instruction_ = Instruction{};
  instruction_.opcode = kAlu;
  instruction_.wgt_factor_out = 1;
  EXPECT_EQ(message_of(instruction_, core_),
            "alu.min: wgt_factor_out is 1, but the instruction has no such field");
}

TEST_F(Encode, RefusesSplitWhereThereIsNone) {
  instruction_.split = true;
  EXPECT_EQ(message_of(instruction_, core_), "finish.split: this instruction has no split");
  instruction_.opcode = kLoad;
  instruction_.memory = kInp;
  EXPECT_EQ(message_of(instruction_, core_), "load.inp.split: this instruction has no split");
  instruction_.memory = kAcc;
  EXPECT_EQ(message_of(instruction_, core_), "");
  core_.extension = false;
  EXPECT_EQ(message_of(instruction_, core_),
            "load.acc.split: split needs the extension, which core vta_1x16 lacks");
}

TEST_F(Encode, RefusesMicroOpsThatDoNotFit) {
  EXPECT_THROW(encode(Uop{2048, 0, 0}, core_), Error);
  EXPECT_THROW(encode(Uop{0, 2048, 0}, core_), Error);
  const Error error = expect_error([&] { encode(Uop{0, 0, 1024}, core_); });
  EXPECT_STREQ(error.what(), "micro-op: wgt is 1024, must be from 0 to 1023 (10 bits)");
}

TEST_F(Encode, NamesTheStageOfEveryInstruction) {
  const auto stage = [](uint32_t opcode, uint32_t memory) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.memory = memory;
    return std::string(to_string(stage_of(instruction)));
  };
  EXPECT_EQ(stage(kLoad, kInp), "load");
  EXPECT_EQ(stage(kLoad, kWgt), "load");
  EXPECT_EQ(stage(kLoad, kUop), "gemm");
  EXPECT_EQ(stage(kLoad, kAcc), "alu");
  EXPECT_EQ(stage(kLoad, kAcc8Bit), "alu");
  EXPECT_EQ(stage(kStore, kOut), "store");
  EXPECT_EQ(stage(kGemm, 0), "gemm");
  EXPECT_EQ(stage(kAlu, 0), "alu");
  EXPECT_EQ(stage(kFinish, 0), "gemm");
  EXPECT_EQ(stage(kLoad, kOut), "alu");
  EXPECT_EQ(stage(7, 0), "alu");
}

}  // namespace
}  // namespace vta::isa
