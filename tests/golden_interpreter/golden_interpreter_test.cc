// SPDX-License-Identifier: Apache-2.0
//
// The golden interpreter on small programs with results computed by hand.
#include "tests/support/golden_interpreter.h"

#include <gtest/gtest.h>

#include <cstring>

#include "hw/isa/program_bytes.h"
#include "tests/support/golden_instruction.h"
#include "tests/support/golden_machine.h"
#include "tests/support/race_cases.h"

namespace vta::support {
namespace {

constexpr uint64_t kProgramBytes = 4096;  // address of the instructions; data are below

// A program in assembly on tiny_1x8: INP 32 elements of 8 bytes, WGT 16 of 64, ACC 32 of 32, OUT 32
// of 8, UOP 256 of 4.
class Golden : public ::testing::Test {
 protected:
  void set_bytes(uint64_t offset_bytes, std::initializer_list<int> bytes) {
    for (int byte : bytes) data_.at(offset_bytes++) = static_cast<uint8_t>(byte);
  }
  void set_word(uint64_t offset_bytes, int32_t word) {
    std::memcpy(&data_.at(offset_bytes), &word, 4);
  }
  void set_uop(uint64_t element, const isa::Uop& uop) {
    const uint32_t bits = isa::encode(uop, config_);
    std::memcpy(&data_.at(element * 4), &bits, 4);
  }

  std::vector<isa::InstructionBits> assemble(const std::string& text) const {
    return isa::assemble(text, "test", config_);
  }

  GoldenResult run(const std::string& text, uint64_t schedule_seed = 0) {
    return run(assemble(text), schedule_seed);
  }
  GoldenResult run(const std::vector<isa::InstructionBits>& stream, uint64_t schedule_seed = 0) {
    arena_ = data_;
    arena_.resize(kProgramBytes);
    const std::span<const uint8_t> program = isa::bytes_of(stream);
    arena_.insert(arena_.end(), program.begin(), program.end());
    return run_golden(config_, arena_, kProgramBytes, static_cast<uint32_t>(stream.size()),
                      {schedule_seed, max_micro_ops_});
  }

  std::vector<int> signed_bytes(uint64_t offset_bytes, uint64_t count) const {
    std::vector<int> bytes;
    for (uint64_t i = 0; i < count; ++i)
      bytes.push_back(static_cast<int8_t>(arena_.at(offset_bytes + i)));
    return bytes;
  }

  CoreConfig config_ = load_core_config("tiny_1x8");
  std::vector<uint8_t> data_ = std::vector<uint8_t>(kProgramBytes);
  std::vector<uint8_t> arena_;  // after run()
  uint64_t max_micro_ops_ = UINT64_MAX;
};

using Bytes = std::vector<int>;

GoldenInstruction decode(uint64_t lo, uint64_t hi, const CoreConfig& config) {
  uint8_t bytes[16];
  std::memcpy(bytes, &lo, 8);
  std::memcpy(bytes + 8, &hi, 8);
  return decode_golden(bytes, config);
}

TEST(GoldenDecode, ReadsTheFieldsOfALoadFromTheirBits) {
  const CoreConfig core = load_core_config("vta_1x16");
  const uint64_t lo =
      0 | 0b1010u << 3 | uint64_t{2} << 7 | uint64_t{0x1234} << 10 | uint64_t{0x89abcdef} << 26;
  const uint64_t hi = 7 | uint64_t{0x5678} << 16 | uint64_t{0xfedc} << 32 | uint64_t{0x4321} << 48;
  const GoldenInstruction in = decode(lo, hi, core);
  EXPECT_EQ(in.opcode, isa::kLoad);
  EXPECT_EQ(in.stage, GoldenStage::kLoad);
  EXPECT_EQ(in.memory, 2u);
  EXPECT_EQ(in.sram_base, 0x1234u);
  EXPECT_EQ(in.dram_base, 0x89abcdefu);
  EXPECT_EQ(in.y_size, 7u);
  EXPECT_EQ(in.x_size, 0x5678u);
  EXPECT_EQ(in.x_stride, 0xfedcu);
  EXPECT_EQ(in.y_pad_0, 1u);
  EXPECT_EQ(in.y_pad_1, 2u);
  EXPECT_EQ(in.x_pad_0, 3u);
  EXPECT_EQ(in.x_pad_1, 4u);
  // pop_next and push_next; load has no prev.
  EXPECT_EQ(in.pops, std::vector{GoldenQueue::kGemmToLoad});
  EXPECT_EQ(in.pushes, std::vector{GoldenQueue::kLoadToGemm});
  EXPECT_FALSE(in.encoding_fault);
}

TEST(GoldenDecode, ReadsTheFieldsOfAGemmOfTheDefaultCore) {
  const CoreConfig core = load_core_config("vta_1x16");
  const uint64_t lo = 2 | 0b1111u << 3 | 1u << 7 | uint64_t{0x1abc} << 8 | uint64_t{0x2def} << 21 |
                      uint64_t{0x3123} << 35 | uint64_t{0x2345} << 49 | uint64_t{1} << 63;
  const uint64_t hi = 0x7f1 | uint64_t{0x402} << 11 | uint64_t{0x713} << 22 |
                      uint64_t{0x534} << 33 | uint64_t{0x3a5} << 44 | uint64_t{0x2b6} << 54;
  const GoldenInstruction in = decode(lo, hi, core);
  EXPECT_TRUE(in.split);
  EXPECT_TRUE(in.reset);
  EXPECT_EQ(in.stage, GoldenStage::kGemm);
  EXPECT_EQ(in.uop_bgn, 0x1abcu);
  EXPECT_EQ(in.uop_end, 0x2defu);
  EXPECT_EQ(in.iter_out, 0x3123u);
  EXPECT_EQ(in.iter_in, 0x2345u);
  EXPECT_EQ(in.dst_factor_out, 0x7f1u);
  EXPECT_EQ(in.dst_factor_in, 0x402u);
  EXPECT_EQ(in.src_factor_out, 0x713u);
  EXPECT_EQ(in.src_factor_in, 0x534u);
  EXPECT_EQ(in.wgt_factor_out, 0x3a5u);
  EXPECT_EQ(in.wgt_factor_in, 0x2b6u);
  EXPECT_EQ(in.pops, (std::vector{GoldenQueue::kLoadToGemm, GoldenQueue::kAluToGemm}));
  EXPECT_EQ(in.pushes, (std::vector{GoldenQueue::kGemmToLoad, GoldenQueue::kGemmToAlu}));
  EXPECT_FALSE(in.encoding_fault);
}

TEST(GoldenDecode, ReadsTheFieldsOfAnAlu) {
  const CoreConfig core = load_core_config("vta_1x16");
  const uint64_t hi = uint64_t{3} << 44 | uint64_t{1} << 47 | uint64_t{0xfffb} << 48;
  const GoldenInstruction in = decode(4, hi, core);
  EXPECT_EQ(in.alu_opcode, isa::kShr);
  EXPECT_TRUE(in.use_imm);
  EXPECT_EQ(in.imm, -5);
  EXPECT_EQ(in.stage, GoldenStage::kCompute);
}

TEST(GoldenDecode, FieldsAreAsWideAsTheCoreNeedsAndTheRestIsReserved) {
  const CoreConfig core = load_core_config("tiny_1x8");  // UOP 8 bits, ACC and INP 5, WGT 4
  const uint64_t lo = 2 | uint64_t{0xab} << 8 | uint64_t{0x1cd} << 16 | uint64_t{0x3123} << 25 |
                      uint64_t{0x2345} << 39 | uint64_t{0x1a} << 53 | uint64_t{0x15} << 58;
  const uint64_t hi = 0x1c | uint64_t{0x13} << 5 | uint64_t{0xd} << 10 | uint64_t{0x9} << 14;
  const GoldenInstruction in = decode(lo, hi, core);
  EXPECT_EQ(in.uop_bgn, 0xabu);
  EXPECT_EQ(in.uop_end, 0x1cdu);
  EXPECT_EQ(in.iter_out, 0x3123u);
  EXPECT_EQ(in.iter_in, 0x2345u);
  EXPECT_EQ(in.dst_factor_out, 0x1au);
  EXPECT_EQ(in.dst_factor_in, 0x15u);
  EXPECT_EQ(in.src_factor_out, 0x1cu);
  EXPECT_EQ(in.src_factor_in, 0x13u);
  EXPECT_EQ(in.wgt_factor_out, 0xdu);
  EXPECT_EQ(in.wgt_factor_in, 0x9u);
  EXPECT_FALSE(in.encoding_fault);
  EXPECT_EQ(decode(lo, hi | uint64_t{5} << 18, core).encoding_fault,
            (GoldenCause{isa::kReservedBits, 82}));
}

TEST(GoldenDecode, ACoreWithoutTheExtensionKnowsNeitherSplitNorReq) {
  CoreConfig core = load_core_config("vta_1x16");
  core.extension = false;
  const GoldenInstruction gemm = decode(2 | uint64_t{1} << 63, 0, core);
  EXPECT_EQ(gemm.stage, GoldenStage::kCompute);
  EXPECT_FALSE(gemm.encoding_fault) << "VTA's instructions may have any value there";
  EXPECT_EQ(decode(4, uint64_t{5} << 44, core).encoding_fault,
            (GoldenCause{isa::kIllegalAluOpcode, 5}));
}

TEST(GoldenAlu, ComputesEachOperationOnInt32) {
  constexpr int32_t kLowest = INT32_MIN, kHighest = INT32_MAX;
  EXPECT_EQ(golden_alu(isa::kMin, -3, 2, 0), -3);
  EXPECT_EQ(golden_alu(isa::kMax, -3, 2, 0), 2);
  EXPECT_EQ(golden_alu(isa::kAdd, kHighest, 1, 0), kLowest);
  EXPECT_EQ(golden_alu(isa::kMul, 0x10001, 0x10001, 0), 0x20001);
  EXPECT_EQ(golden_alu(isa::kMul, kLowest, -1, 0), kLowest);
  EXPECT_EQ(golden_alu(isa::kShr, -7, 1, 0), -4);
  EXPECT_EQ(golden_alu(isa::kShr, kLowest, 31, 0), -1);
  EXPECT_EQ(golden_alu(isa::kShr, kHighest, 32, 0), 0);
  EXPECT_EQ(golden_alu(isa::kShr, 3, -2, 0), 12);
  EXPECT_EQ(golden_alu(isa::kShr, 3, -31, 0), kLowest);
  EXPECT_EQ(golden_alu(isa::kShr, 3, kLowest, 0), kLowest);
}

TEST(GoldenAlu, RequantizesWithRoundingAndLimits) {
  const auto imm = [](uint32_t n, bool round, uint32_t lo, uint32_t hi) {
    return n | (round ? 32u : 0u) | lo << 6 | hi << 8;
  };
  EXPECT_EQ(golden_alu(isa::kReq, 23, 0, imm(4, false, 3, 255)), 1);
  EXPECT_EQ(golden_alu(isa::kReq, 24, 0, imm(4, true, 3, 255)), 2);
  EXPECT_EQ(golden_alu(isa::kReq, 20, 4, imm(4, true, 3, 255)), 2);
  EXPECT_EQ(golden_alu(isa::kReq, -24, 0, imm(4, true, 3, 255)), -1);
  EXPECT_EQ(golden_alu(isa::kReq, 5, 0, imm(0, true, 3, 255)), 5);
  EXPECT_EQ(golden_alu(isa::kReq, -1000, 0, imm(0, false, 0, 127)), -128);
  EXPECT_EQ(golden_alu(isa::kReq, -1000, 0, imm(0, false, 1, 127)), -127);
  EXPECT_EQ(golden_alu(isa::kReq, -1000, 0, imm(0, false, 2, 127)), 0);
  EXPECT_EQ(golden_alu(isa::kReq, -1000, 0, imm(0, false, 3, 127)), -1000);
  EXPECT_EQ(golden_alu(isa::kReq, 1000, 0, imm(0, false, 0, 100)), 100);
  EXPECT_EQ(golden_alu(isa::kReq, 1000, 0, imm(0, false, 0, 255)), 1000);
  EXPECT_EQ(golden_alu(isa::kReq, INT32_MAX, 1, imm(31, false, 3, 255)), -1);  // the sum wraps
  EXPECT_EQ(golden_alu(isa::kReq, INT32_MAX, 0, imm(1, true, 3, 255)), INT32_MIN / 2);
}

TEST_F(Golden, MultipliesAccumulatesAndStoresTheLowByte) {
  set_uop(0, {1, 2, 3});
  set_bytes(64, {1, 2, 0, 0, 0, 0, 0, -1});  // INP element 8 of the arena
  // WGT element 2 of the arena: row o is {o, 10, 0, ..., 0, 100}.
  for (int o = 0; o < 8; ++o) {
    data_[128 + 8 * o] = static_cast<uint8_t>(o);
    data_[128 + 8 * o + 1] = 10;
    data_[128 + 8 * o + 7] = 100;
  }
  const GoldenResult result = run(R"(
    load.inp sram=2 dram=8 size=[1,1] stride=1
    load.wgt push_next sram=3 dram=2 size=[1,1] stride=1
    load.uop sram=5 dram=0 size=[1,1] stride=1
    gemm.reset uop=[5,6) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
    gemm pop_prev push_next uop=[5,6) iter=[2,1] dst=[0,0] src=[0,0] wgt=[0,0]
    store.out pop_prev sram=1 dram=40 size=[1,1] stride=1
    finish)");
  ASSERT_FALSE(result.fault) << result.fault->code;
  EXPECT_FALSE(result.race);
  EXPECT_FALSE(result.unwritten_read);
  // Twice o + 20 - 100, as a byte.
  EXPECT_EQ(signed_bytes(320, 8), (Bytes{96, 98, 100, 102, 104, 106, 108, 110}));
  hw::Counters expected;
  expected.inp_load_nbytes = 8;
  expected.wgt_load_nbytes = 64;
  expected.uop_load_nbytes = 4;
  expected.out_store_nbytes = 8;
  expected.gemm_counter = 2;
  EXPECT_EQ(result.counters, expected);
}

TEST_F(Golden, WalksTheNestWithFactorsOfBothLoops) {
  set_uop(0, {0, 0, 0});
  set_uop(1, {1, 0, 0});
  // dst: u + 8 i + 2 j for i < 2, j < 3 -> 0-5 and 8-13; each is 1 + its number of visits.
  const GoldenResult result = run(R"(
    load.uop sram=0 dram=0 size=[1,2] stride=2
    load.acc8 sram=0 dram=64 size=[1,16] stride=16
    alu.add push_next uop=[0,2) iter=[2,3] dst=[8,2] src=[0,0] imm=1
    store.out pop_prev sram=0 dram=256 size=[1,16] stride=16
    finish)");
  ASSERT_FALSE(result.fault);
  for (int element = 0; element < 16; ++element) {
    const int expected = element % 8 < 6 ? 1 : 0;
    EXPECT_EQ(signed_bytes(2048 + element * 8, 8), Bytes(8, expected)) << element;
  }
  EXPECT_EQ(result.counters.alu_counter, 12u);
  EXPECT_EQ(result.counters.acc_load_nbytes, 128u);
}

TEST_F(Golden, SecondOperandOfTheAluIsAccOrTheImmediate) {
  set_uop(0, {0, 1, 0});
  for (int lane = 0; lane < 8; ++lane) {
    set_word(64 + 4 * lane, 100 + lane);
    set_word(96 + 4 * lane, -lane);
  }
  const GoldenResult result = run(R"(
    load.uop sram=0 dram=0 size=[1,1] stride=1
    load.acc sram=0 dram=2 size=[1,2] stride=2
    alu.add uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0]
    alu.add push_next uop=[0,1) iter=[1,1] dst=[1,0] src=[0,0] imm=-3
    store.out pop_prev sram=0 dram=256 size=[1,2] stride=2
    finish)");
  ASSERT_FALSE(result.fault);
  EXPECT_EQ(signed_bytes(2048, 8), (Bytes{97, 97, 97, 97, 97, 97, 97, 97}));
  EXPECT_EQ(signed_bytes(2056, 8), (Bytes{0, -1, -2, -3, -4, -5, -6, -7}));
}

TEST_F(Golden, PadsWithZerosAroundTwoDimensionalBlocks) {
  for (int i = 0; i < 64; ++i) data_[512 + i] = static_cast<uint8_t>(1 + i / 8);
  set_uop(0, {0, 0, 0});
  const GoldenResult result = run(R"(
    load.uop sram=0 dram=0 size=[1,1] stride=1
    load.acc8 sram=0 dram=8 size=[1,20] stride=20
    alu.max uop=[0,1) iter=[20,1] dst=[1,0] src=[0,0] imm=77
    load.acc8 push_next sram=1 dram=64 size=[2,2] stride=3 pad=[1,1,1,1]
    store.out pop_prev sram=0 dram=256 size=[1,20] stride=20
    finish)");
  ASSERT_FALSE(result.fault);
  // 4 rows of 4 elements from ACC 1 on: zeros around elements 64, 65 and 67, 68 of the arena.
  const int expected[20] = {77, 0, 0, 0, 0, 0, 1, 2, 0, 0, 4, 5, 0, 0, 0, 0, 0, 77, 77, 77};
  for (int element = 0; element < 20; ++element) {
    EXPECT_EQ(signed_bytes(2048 + element * 8, 8), Bytes(8, expected[element])) << element;
  }
  EXPECT_EQ(result.counters.acc_load_nbytes, (20u + 4u) * 8u);
}

TEST_F(Golden, AccEightBitIsSignExtended) {
  set_uop(0, {0, 0, 0});
  set_bytes(64, {-128, -1, 0, 1, 127, 0, 0, 0});
  const GoldenResult result = run(R"(
    load.uop sram=0 dram=0 size=[1,1] stride=1
    load.acc8 sram=0 dram=8 size=[1,1] stride=1
    alu.shr push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=8
    store.out pop_prev sram=0 dram=256 size=[1,1] stride=1
    finish)");
  ASSERT_FALSE(result.fault);
  EXPECT_EQ(signed_bytes(2048, 8), (Bytes{-1, -1, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Golden, StoresRowsWithAStride) {
  for (int i = 0; i < 32; ++i) data_[512 + i] = static_cast<uint8_t>(1 + i / 8);
  const GoldenResult result = run(R"(
    load.acc8 push_next sram=0 dram=64 size=[1,4] stride=4
    store.out pop_prev sram=0 dram=256 size=[2,2] stride=3
    finish)");
  ASSERT_FALSE(result.fault);
  const int expected[6] = {1, 2, 0, 3, 4, 0};
  for (int element = 0; element < 6; ++element) {
    EXPECT_EQ(signed_bytes(2048 + element * 8, 8), Bytes(8, expected[element])) << element;
  }
}

TEST_F(Golden, OnlyTheAluWritesOutAmongSplitInstructions) {
  set_uop(0, {0, 0, 0});
  for (int i = 0; i < 16; ++i) data_[512 + i] = i < 8 ? 5 : 9;
  const std::string begin = R"(
    load.uop sram=0 dram=0 size=[1,1] stride=1
    load.acc8 sram=0 dram=64 size=[1,1] stride=1
    load.acc8.split push_next sram=0 dram=65 size=[1,1] stride=1
)";
  run(begin + "store.out pop_prev sram=0 dram=256 size=[1,1] stride=1\n finish");
  EXPECT_EQ(signed_bytes(2048, 8), Bytes(8, 5));
  run(begin + R"(
    store.out pop_prev sram=0 dram=256 size=[1,1] stride=1
    alu.add.split push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
    store.out pop_prev sram=0 dram=257 size=[1,1] stride=1
    finish)");
  EXPECT_EQ(signed_bytes(2056, 8), Bytes(8, 10));
}

TEST_F(Golden, SplitGemmWithResetOverwritesAndCounts) {
  set_uop(0, {0, 0, 0});
  set_bytes(64, {3});
  for (int o = 0; o < 8; ++o) data_[128 + 8 * o] = 7;
  const GoldenResult result = run(R"(
    load.inp sram=0 dram=8 size=[1,1] stride=1
    load.wgt push_next sram=0 dram=2 size=[1,1] stride=1
    load.uop.split sram=0 dram=0 size=[1,1] stride=1
    gemm.reset.split pop_prev uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
    gemm.reset.split push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
    alu.add.split pop_prev push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
    store.out pop_prev sram=0 dram=256 size=[1,1] stride=1
    finish)");
  ASSERT_FALSE(result.fault);
  EXPECT_FALSE(result.race);
  EXPECT_EQ(signed_bytes(2048, 8), Bytes(8, 22));
  EXPECT_EQ(result.counters.gemm_counter, 2u);
}

TEST_F(Golden, CarriersCheckNothing) {
  const GoldenResult result = run(R"(
    load.wgt push_next sram=65535 dram=4294967295 size=[0,9] stride=9 pad=[0,0,15,15]
    load.mem7 pop_prev push_next sram=65535 dram=4294967295 size=[9,0] stride=9
    store.inp pop_prev push_prev sram=65535 dram=4294967295 size=[0,0] stride=9 pad=[1,0,0,0]
    finish pop_next)");
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.counters, hw::Counters{});
}

TEST_F(Golden, LoadsWithoutRowsFillTheRowsOfTheirPadding) {
  for (int i = 0; i < 48; ++i) set_bytes(2048 + static_cast<uint64_t>(i), {i + 1});
  const GoldenResult result = run(R"(
    load.acc8 sram=0 dram=256 size=[1,6] stride=6
    load.acc8 sram=1 dram=4294967295 size=[0,1] stride=9 pad=[1,1,0,1]
    load.acc8 push_next sram=5 dram=4294967295 size=[0,1] stride=9 pad=[0,0,1,1]
    store.out pop_prev sram=0 dram=384 size=[1,6] stride=6
    finish)");
  ASSERT_FALSE(result.fault);
  EXPECT_EQ(result.counters.acc_load_nbytes, 48u) << "padding is not counted";
  EXPECT_EQ(signed_bytes(3072, 8), (Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(signed_bytes(3072 + 8, 32), Bytes(32, 0));
  EXPECT_EQ(signed_bytes(3072 + 40, 8), (Bytes{41, 42, 43, 44, 45, 46, 47, 48}));
}

struct FaultCase {
  const char* name;
  const char* text;
  GoldenFault fault;
  void (*patch)(std::vector<isa::InstructionBits>&) = nullptr;
};

class GoldenFaults : public Golden, public ::testing::WithParamInterface<FaultCase> {};

TEST_P(GoldenFaults, AreReportedWithIndexAndValueInAnyOrderOfTheStages) {
  set_uop(0, {31, 30, 15});
  std::vector<isa::InstructionBits> stream = assemble(GetParam().text);
  if (GetParam().patch != nullptr) GetParam().patch(stream);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const GoldenResult result = run(stream, seed);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->code, GetParam().fault.code);
    EXPECT_EQ(result.fault->index, GetParam().fault.index);
    EXPECT_EQ(result.fault->value, GetParam().fault.value);
  }
}

const FaultCase kFaultCases[] = {
    {"IllegalOpcode",
     "finish\n finish",
     {isa::kIllegalOpcode, 0, 6},
     [](auto& stream) { stream[0].lo ^= 5; }},
    {"ReservedBitOfALoad",
     "load.inp sram=0 dram=0 size=[1,1] stride=1\n finish",
     {isa::kReservedBits, 0, 58},
     [](auto& stream) { stream[0].lo |= uint64_t{0b101} << 58; }},
    {"ReservedBitOfASplitLoad",
     "load.uop.split sram=0 dram=0 size=[1,1] stride=1\n finish",
     {isa::kReservedBits, 0, 59},
     [](auto& stream) { stream[0].lo |= uint64_t{1} << 59; }},
    {"SplitBitOfFinish",
     "finish",
     {isa::kReservedBits, 0, 63},
     [](auto& stream) { stream[0].lo |= uint64_t{1} << 63; }},
    {"LoadOfOut",
     "load.uop sram=0 dram=0 size=[1,1] stride=1 pad=[1,0,0,0]\n finish",
     {isa::kIllegalMemory, 0, 4},
     [](auto& stream) { stream[0].lo |= 4 << 7; }},
    {"StoreOfAcc",
     "store.acc sram=0 dram=0 size=[1,1] stride=1\n finish",
     {isa::kIllegalMemory, 0, 3}},
    {"PaddedWeights",
     "load.wgt sram=999 dram=0 size=[1,1] stride=1 pad=[1,2,3,4]\n finish",
     {isa::kIllegalPadding, 0, 0x4321}},
    {"PaddedStore",
     "store.out sram=0 dram=0 size=[1,1] stride=1 pad=[0,0,0,1]\n finish",
     {isa::kIllegalPadding, 0, 0x1000}},
    {"ScratchpadRangeWithPadding",
     "load.inp sram=21 dram=0 size=[1,2] stride=1 pad=[1,1,1,1]\n finish",
     {isa::kScratchpadRange, 0, 33}},
    {"DramRangeOfTheLastRow",
     "load.wgt sram=0 dram=60 size=[3,1] stride=2\n finish",
     {isa::kDramRange, 0, 65 * 64}},
    {"AluOpcode",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n alu.min uop=[9,3) iter=[1,1] dst=[0,0] "
     "src=[0,0]\n finish",
     {isa::kIllegalAluOpcode, 1, 7},
     [](auto& stream) { stream[1].hi |= uint64_t{7} << 10; }},
    {"ReqLimit",
     "alu.req uop=[9,3) iter=[1,1] dst=[0,0] src=[0,0] imm=-32768\n finish",
     {isa::kIllegalReq, 0, 0x8000}},
    {"UopBeginBeyondEnd",
     "gemm uop=[9,3) iter=[0,0] dst=[0,0] src=[0,0] wgt=[0,0]\n finish",
     {isa::kUopRange, 0, 9}},
    {"UopEndBeyondDepth",
     "gemm uop=[9,257) iter=[0,0] dst=[0,0] src=[0,0] wgt=[0,0]\n finish",
     {isa::kUopRange, 0, 257}},
    {"DstIndex",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
     "gemm uop=[0,1) iter=[1,2] dst=[9,4] src=[9,9] wgt=[9,9]\n finish",
     {isa::kDstIndex, 1, 35}},
    {"SrcIndex",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
     "gemm uop=[0,1) iter=[1,2] dst=[0,0] src=[0,3] wgt=[9,9]\n finish",
     {isa::kSrcIndex, 1, 33}},
    {"WgtIndex",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
     "gemm uop=[0,1) iter=[4,1] dst=[0,0] src=[0,0] wgt=[5,0]\n finish",
     {isa::kWgtIndex, 1, 20}},
    {"SplitResetUsesAllOperands",
     "load.uop.split sram=0 dram=0 size=[1,1] stride=1\n"
     "gemm.reset.split uop=[0,1) iter=[4,1] dst=[0,0] src=[0,0] wgt=[5,0]\n finish",
     {isa::kWgtIndex, 1, 20}},
    {"AluSourceIndex",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
     "alu.add uop=[0,1) iter=[4,1] dst=[0,0] src=[1,0]\n finish",
     {isa::kSrcIndex, 1, 32}},
    {"TokensAtAPlainInstruction",
     "load.uop.split push_next sram=0 dram=0 size=[1,1] stride=1\n"
     "load.uop.split push_next sram=0 dram=0 size=[1,1] stride=1\n"
     "load.acc.split push_prev sram=0 dram=0 size=[0,0] stride=1\n"
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n finish",
     {isa::kTokensAtChange, 3, 3}},
    {"TokensAtFinish",
     "load.uop.split push_next sram=0 dram=0 size=[1,1] stride=1\n finish",
     {isa::kTokensAtChange, 1, 1}},
    {"AfterFinish",
     "finish\n load.inp sram=0 dram=0 size=[1,1] stride=1",
     {isa::kAfterFinish, 1, 0}},
    {"NoFinish", "load.inp sram=0 dram=0 size=[1,1] stride=1", {isa::kNoFinish, 1, 0}},
    {"NoInstructionAtAll", "", {isa::kNoFinish, 0, 0}},
    {"TokensLeft",
     "load.inp push_next sram=0 dram=0 size=[1,1] stride=1\n"
     "load.inp push_next sram=0 dram=0 size=[1,1] stride=1\n"
     "store.out push_prev sram=0 dram=0 size=[0,0] stride=1\n finish pop_prev",
     {isa::kTokensLeft, 3, 2}},
    {"Deadlock",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
     "store.out pop_prev sram=0 dram=0 size=[0,0] stride=1\n"
     "load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\n finish",
     {isa::kDeadlock, 1, 0}},
    {"DeadlockOfFinish",
     "load.uop sram=0 dram=0 size=[1,1] stride=1\n finish pop_next",
     {isa::kDeadlock, 1, 0}},
    {"LowestIndexOfSeveral",
     "load.inp sram=0 dram=0 size=[1,1] stride=1\n"
     "load.inp sram=99 dram=0 size=[1,1] stride=1\n"
     "store.acc sram=0 dram=0 size=[1,1] stride=1\n"
     "gemm uop=[9,3) iter=[0,0] dst=[0,0] src=[0,0] wgt=[0,0]\n finish\n finish",
     {isa::kScratchpadRange, 1, 100}},
    {"FaultRatherThanDeadlockBeforeIt",
     "store.out pop_prev sram=0 dram=0 size=[0,0] stride=1\n"
     "load.inp sram=99 dram=0 size=[1,1] stride=1\n finish",
     {isa::kScratchpadRange, 1, 100}},
    {"PopsComeBeforeTheFault",
     "load.acc pop_prev sram=99 dram=0 size=[1,1] stride=1\n finish",
     {isa::kDeadlock, 0, 0}},
};

INSTANTIATE_TEST_SUITE_P(Each, GoldenFaults, ::testing::ValuesIn(kFaultCases),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST_F(Golden, MicroOpsBeforeAFaultTakeEffectAndDependentInstructionsDoNotStart) {
  set_uop(0, {0, 0, 0});
  for (int i = 0; i < 256; ++i) data_[512 + i] = 1;
  const GoldenResult result = run(R"(
    load.uop sram=0 dram=0 size=[1,1] stride=1
    load.acc8 push_next sram=0 dram=64 size=[1,32] stride=32
    store.out pop_prev sram=0 dram=256 size=[1,1] stride=1
    alu.add push_next uop=[0,1) iter=[40,1] dst=[1,0] src=[0,0] imm=1
    store.out pop_prev sram=0 dram=257 size=[1,1] stride=1
    load.inp sram=0 dram=0 size=[1,1] stride=1
    finish)");
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->index, 3u);
  EXPECT_EQ(result.fault->value, 32u);
  EXPECT_EQ(result.counters.alu_counter, 32u);
  EXPECT_EQ(signed_bytes(2048, 8), Bytes(8, 1));
  EXPECT_EQ(signed_bytes(2056, 8), Bytes(8, 0));
  EXPECT_EQ(result.counters.inp_load_nbytes, 8u) << "the load stage goes on";
  EXPECT_EQ(result.waits.size(), 1u);
}

TEST_F(Golden, PlainResetAndImmediatesIgnoreUnusedOperands) {
  set_uop(0, {0, 31, 15});
  EXPECT_FALSE(run(R"(
    load.uop sram=0 dram=0 size=[1,1] stride=1
    gemm.reset uop=[0,1) iter=[3,1] dst=[1,0] src=[31,0] wgt=[15,0]
    alu.add uop=[0,1) iter=[3,1] dst=[1,0] src=[31,0] imm=1
    finish)")
                   .fault);
}

class GoldenRaces : public Golden, public ::testing::WithParamInterface<RaceCase> {};

TEST_P(GoldenRaces, AreFoundInAnyOrderOfTheStagesAndTokensRemoveThem) {
  const RaceCase& param = GetParam();
  data_ = race_case_arena(config_);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const GoldenResult racy = run(racy_text(param), seed);
    ASSERT_TRUE(racy.race);
    EXPECT_STREQ(to_string(racy.race->place), param.memory);
    EXPECT_FALSE(racy.fault);
    const GoldenResult legal = run(legal_text(param), seed);
    EXPECT_FALSE(legal.race) << legal.race->first_index << " " << legal.race->second_index;
    EXPECT_FALSE(legal.fault);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, GoldenRaces, ::testing::ValuesIn(race_cases()),
                         [](const auto& race) { return std::string(race.param.name); });

TEST_F(Golden, FetchOrdersPlainAndSplitInstructions) {
  const std::string uses_uop = " uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1\n";
  for (uint64_t seed = 0; seed < 16; ++seed) {
    const GoldenResult result =
        run("load.uop sram=0 dram=0 size=[1,1] stride=1\n"
            "load.acc sram=0 dram=0 size=[1,1] stride=1\n"
            "alu.add.split" +
                uses_uop + "alu.add" + uses_uop +
                "load.uop.split sram=0 dram=0 size=[1,1] stride=1\n"
                "alu.add" +
                uses_uop + "finish",
            seed);
    EXPECT_FALSE(result.fault);
    EXPECT_FALSE(result.race);
  }
}

TEST_F(Golden, AProgramThatOverwritesItselfIsRacy) {
  const GoldenResult result =
      run("load.acc push_next sram=0 dram=0 size=[1,1] stride=1\n"
          "store.out pop_prev sram=0 dram=512 size=[1,1] stride=1\n finish");
  ASSERT_TRUE(result.race);
  EXPECT_EQ(result.race->element, kProgramBytes);
}

TEST_F(Golden, AnUninitializedReadIsRecorded) {
  const GoldenResult result = run("store.out sram=5 dram=0 size=[1,1] stride=1\n finish");
  ASSERT_TRUE(result.unwritten_read);
  EXPECT_EQ(result.unwritten_read->index, 0u);
  EXPECT_EQ(result.unwritten_read->place, GoldenPlace::kOut);
  EXPECT_EQ(result.unwritten_read->element, 5u);
}

TEST_F(Golden, FetchWaitsAtAFullCommandQueue) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += "load.inp pop_next sram=0 dram=0 size=[0,0] stride=1\n";
  for (int i = 0; i < 8; ++i) text += "load.uop push_prev sram=0 dram=0 size=[0,0] stride=1\n";
  text += "finish";
  EXPECT_FALSE(run(text).fault);
  config_.command_queue_depth = 4;
  const GoldenResult result = run(text);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(*result.fault, (GoldenFault{isa::kDeadlock, 0, 0}));
}

TEST_F(Golden, APushWaitsAtAFullTokenQueue) {
  config_.token_queue_depth = 2;
  std::string pushes, pops;
  for (int i = 0; i < 5; ++i) {
    pushes += "load.inp push_next sram=0 dram=0 size=[0,0] stride=1\n";
    pops += "load.uop pop_prev sram=0 dram=0 size=[0,0] stride=1\n";
  }
  EXPECT_FALSE(run(pushes + pops + "finish").fault);
  const GoldenResult result = run(pushes + "finish");
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(*result.fault, (GoldenFault{isa::kDeadlock, 2, 0}));
}

TEST_F(Golden, GivesUpOnProgramsAboveTheLimit) {
  max_micro_ops_ = 1000;
  EXPECT_TRUE(run("load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                  "gemm.reset uop=[0,1) iter=[16383,16383] dst=[0,0] src=[0,0] wgt=[0,0]\n finish")
                  .gave_up);
}

}  // namespace
}  // namespace vta::support
