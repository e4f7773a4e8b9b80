// SPDX-License-Identifier: Apache-2.0
//
// Encodings of the default core, computed by hand from the positions in docs/instruction_set.md.
#include "hw/isa/layout.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "hw/isa/field_table.h"

namespace vta::isa {
namespace {

CoreConfig default_core() { return load_core_config("vta_1x16"); }

void expect_bits(const Instruction& instruction, uint64_t hi, uint64_t lo) {
  const InstructionBits bits = encode(instruction, default_core());
  EXPECT_EQ(bits.hi, hi) << disassemble(instruction);
  EXPECT_EQ(bits.lo, lo) << disassemble(instruction);
  EXPECT_EQ(decode({lo, hi}, default_core()), instruction) << disassemble(instruction);
}

TEST(Layout, PutsEveryFieldOfTheDefaultCoreWhereTheChapterSays) {
  const IsaWidths widths = widths_of(default_core());
  const struct {
    FieldId id;
    int first_bit;
    int last_bit;
  } places[] = {
      {kMemory_opcode, 0, 2},
      {kMemory_pop_prev, 3, 3},
      {kMemory_pop_next, 4, 4},
      {kMemory_push_prev, 5, 5},
      {kMemory_push_next, 6, 6},
      {kMemory_memory, 7, 9},
      {kMemory_sram_base, 10, 25},
      {kMemory_dram_base, 26, 57},
      {kMemory_y_size, 64, 79},
      {kMemory_x_size, 80, 95},
      {kMemory_x_stride, 96, 111},
      {kMemory_y_pad_0, 112, 115},
      {kMemory_y_pad_1, 116, 119},
      {kMemory_x_pad_0, 120, 123},
      {kMemory_x_pad_1, 124, 127},
      {kGemm_reset, 7, 7},
      {kGemm_uop_bgn, 8, 20},
      {kGemm_uop_end, 21, 34},
      {kGemm_iter_out, 35, 48},
      {kGemm_iter_in, 49, 62},
      {kGemm_dst_factor_out, 64, 74},
      {kGemm_dst_factor_in, 75, 85},
      {kGemm_src_factor_out, 86, 96},
      {kGemm_src_factor_in, 97, 107},
      {kGemm_wgt_factor_out, 108, 117},
      {kGemm_wgt_factor_in, 118, 127},
      {kAlu_iter_in, 49, 62},
      {kAlu_src_factor_in, 97, 107},
      {kAlu_alu_opcode, 108, 110},
      {kAlu_use_imm, 111, 111},
      {kAlu_imm, 112, 127},
  };
  for (const auto& place : places) {
    const Field found = field(place.id, widths);
    EXPECT_EQ(64 * found.word + found.lsb, place.first_bit) << kFieldTable[place.id].name;
    EXPECT_EQ(found.width, place.last_bit - place.first_bit + 1) << kFieldTable[place.id].name;
  }
}

TEST(Layout, EncodesLoads) {
  Instruction load;
  load.opcode = kLoad;
  load.pop_prev = load.push_next = 1;
  load.memory = kInp;
  load.sram_base = 0x1234;
  load.dram_base = 0x89abcdef;
  load.y_size = 5;
  load.x_size = 14;
  load.x_stride = 56;
  load.y_pad_0 = 1;
  load.y_pad_1 = 2;
  load.x_pad_0 = 3;
  load.x_pad_1 = 4;
  expect_bits(load, 0x43210038000e0005, 0x0226af37bc48d148);
}

TEST(Layout, EncodesSplitLoads) {
  Instruction load;
  load.opcode = kLoad;
  load.split = true;
  load.memory = kUop;
  load.sram_base = 0x1fff;
  load.dram_base = 1;
  load.y_size = 1;
  load.x_size = load.x_stride = 3;
  expect_bits(load, 0x0000000300030001, 0x04000000047ffc00);
}

TEST(Layout, EncodesStores) {
  Instruction store;
  store.opcode = kStore;
  store.pop_prev = store.push_prev = 1;
  store.memory = kOut;
  store.sram_base = 2047;
  store.dram_base = 0xffffffff;
  store.y_size = 0xffff;
  store.x_size = 1;
  store.x_stride = 0x8001;
  expect_bits(store, 0x000080010001ffff, 0x03fffffffc1ffe29);
}

TEST(Layout, EncodesGemms) {
  Instruction gemm;
  gemm.opcode = kGemm;
  gemm.pop_next = gemm.push_next = 1;
  gemm.reset = 1;
  gemm.uop_bgn = 0x1234;
  gemm.uop_end = 0x2345;
  gemm.iter_out = 0x1abc;
  gemm.iter_in = 0x3def;
  gemm.dst_factor_out = 0x555;
  gemm.dst_factor_in = 0x2aa;
  gemm.src_factor_out = 0x7ff;
  gemm.src_factor_in = 1;
  gemm.wgt_factor_out = 0x3ff;
  gemm.wgt_factor_in = 2;
  expect_bits(gemm, 0x00bff003ffd55555, 0x7bded5e468b234d2);
}

TEST(Layout, EncodesSplitGemms) {
  Instruction gemm;
  gemm.opcode = kGemm;
  gemm.split = true;
  gemm.uop_end = 36;
  gemm.iter_out = gemm.iter_in = 14;
  gemm.dst_factor_out = 14;
  gemm.dst_factor_in = 1;
  gemm.src_factor_out = 32;
  gemm.src_factor_in = 2;
  expect_bits(gemm, 0x000000040800080e, 0x801c007004800002);
}

TEST(Layout, EncodesFinish) {
  Instruction finish;
  finish.opcode = kFinish;
  finish.pop_prev = finish.pop_next = 1;
  expect_bits(finish, 0, 0x1b);
}

TEST(Layout, EncodesAlusWithNegativeImmediates) {
  Instruction shift;
  shift.opcode = kAlu;
  shift.push_prev = 1;
  shift.uop_bgn = 7;
  shift.uop_end = 8;
  shift.iter_out = 1;
  shift.iter_in = 0x3fff;
  shift.dst_factor_out = 3;
  shift.dst_factor_in = 0x7ff;
  shift.src_factor_out = 0x401;
  shift.src_factor_in = 9;
  shift.alu_opcode = kShr;
  shift.use_imm = 1;
  shift.imm = -8;
  expect_bits(shift, 0xfff8b013007ff803, 0x7ffe000801000724);
}

TEST(Layout, EncodesSplitReqs) {
  Instruction req;
  req.opcode = kAlu;
  req.split = true;
  req.uop_end = 1;
  req.iter_out = 2;
  req.iter_in = 196;
  req.dst_factor_out = 196;
  req.dst_factor_in = 1;
  req.src_factor_out = 0x100;
  req.src_factor_in = 1;
  req.alu_opcode = kReq;
  req.imm = 0x7f67;
  expect_bits(req, 0x7f675002400008c4, 0x8188001000200004);
}

TEST(Layout, EncodesMicroOps) {
  const Uop uop{0x555, 0x2aa, 0x3c1};
  EXPECT_EQ(encode(uop, default_core()), 0xf0555555u);
  EXPECT_EQ(decode_uop(0xf0555555u, default_core()), uop);
}

TEST(Layout, GivesSrcTheWiderOfInpAndAcc) {
  const IsaWidths widths = widths_of(load_core_config("tiny_1x8"));
  EXPECT_EQ(widths.uop_bits, 8);
  EXPECT_EQ(widths.acc_bits, 5);
  EXPECT_EQ(widths.src_bits, 5);
  EXPECT_EQ(widths.wgt_bits, 4);
}

// VTA's instructions are structs of bit-fields of uint64_t. This is its VTAGemInsn of the core
// tiny_1x8, as a C compiler lays it out.
struct TinyGemm {
  uint64_t opcode : 3, pop_prev : 1, pop_next : 1, push_prev : 1, push_next : 1, reset : 1;
  uint64_t uop_bgn : 8, uop_end : 9, iter_out : 14, iter_in : 14;
  uint64_t dst_factor_out : 5, dst_factor_in : 5, src_factor_out : 5, src_factor_in : 5;
  uint64_t wgt_factor_out : 4, wgt_factor_in : 4;
};

TEST(Layout, IsThatOfBitFieldsInC) {
  static_assert(sizeof(TinyGemm) == kInstructionBytes);
  const TinyGemm gemm{kGemm,  0,      1,    0,  1,  1,    0xab, 0x1cd,
                      0x3123, 0x2345, 0x1a, 21, 28, 0x13, 0xd,  9};
  InstructionBits bits;
  std::memcpy(&bits.lo, &gemm, sizeof bits.lo);
  std::memcpy(&bits.hi, reinterpret_cast<const char*>(&gemm) + sizeof bits.lo, sizeof bits.hi);
  const CoreConfig core = load_core_config("tiny_1x8");
  const Instruction decoded = decode(bits, core);
  EXPECT_EQ(disassemble(decoded),
            "gemm.reset pop_next push_next uop=[171,461) iter=[12579,9029] dst=[26,21] src=[28,19] "
            "wgt=[13,9]");
  EXPECT_EQ(encode(decoded, core), bits);
}

bool has_legal_buffers(const CoreConfig& core) {
  const auto is_legal_depth = [](uint32_t depth) { return depth >= 2 && depth <= 65536; };
  return core.batch * core.block_in >= 8 && core.batch * core.block_out >= 8 &&
         core.block_in * core.block_out >= 8 && is_legal_depth(core.uop_depth()) &&
         is_legal_depth(core.inp_depth()) && is_legal_depth(core.wgt_depth()) &&
         is_legal_depth(core.acc_depth());
}

bool fields_fit(const IsaWidths& widths) {
  const Field last = uop_field(kNumUopFields - 1, widths);
  if (last.lsb + last.width > 32) return false;
  for (int id = 0; id < kNumFields; ++id) {
    const Field place = field(id, widths);
    const bool is_memory = first_field(id) == kMemory_opcode;
    const int split_bit = is_memory ? kSplitBit_Memory : kSplitBit_Gemm;
    if (place.word > 1 || (place.word == 0 && place.lsb + place.width > split_bit)) return false;
  }
  return true;
}

// configs cannot include fields.def, so its checks repeat the widths; this test compares the two.
TEST(Layout, FitsExactlyTheCoresThatTheConfigurationCheckAccepts) {
  const uint64_t seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const auto power = [&](int least, int most) {
    return uint32_t{1} << random.between(least, most);
  };
  int num_accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const CoreConfig core{{power(0, 3), power(2, 5), power(2, 5), power(6, 17), power(6, 20),
                           power(6, 20), power(6, 20), 512, 1023},
                          "random",
                          true};
    bool accepted = true;
    try {
      check(core);
    } catch (const Error&) {
      accepted = false;
    }
    num_accepted += accepted ? 1 : 0;
    EXPECT_EQ(accepted, has_legal_buffers(core) && fields_fit(widths_of(core))) << to_json(core);
  }
  EXPECT_GT(num_accepted, 1000);
}

}  // namespace
}  // namespace vta::isa
