// SPDX-License-Identifier: Apache-2.0
//
// For any bytes the assembler returns instructions or throws one Error, and the disassembler
// returns text.
#include <gtest/gtest.h>

#include <string_view>

#include "base/errors/error.h"
#include "hw/isa/instruction.h"
#include "tests/unit/hw/isa/random_instruction.h"

namespace vta::isa {
namespace {

constexpr int kNumTexts = 4000;
constexpr uint64_t kSeed = 97;

void assemble_anything(const std::string& text, const CoreConfig& core) {
  try {
    const auto stream = assemble(text, "fuzz", core);
    EXPECT_EQ(assemble(disassemble(stream, core), "again", core), stream);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(std::string_view(error.what()).starts_with("fuzz:")) << error.what();
    EXPECT_LT(std::string_view(error.what()).size(), 300u);
  }
}

size_t random_place(Random& random, size_t size) {
  return static_cast<size_t>(random.between(0, static_cast<int64_t>(size) - 1));
}

TEST(AssemblyFuzz, RandomBytesGiveInstructionsOrAnError) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  const CoreConfig core = load_core_config("vta_1x16");
  for (int i = 0; i < kNumTexts; ++i) {
    std::string text(random_place(random, 300), ' ');
    for (char& c : text) c = static_cast<char>(random.between(0, 255));
    assemble_anything(text, core);
  }
}

TEST(AssemblyFuzz, ShuffledWordsGiveInstructionsOrAnError) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  constexpr std::string_view kWords[] = {"load.inp",
                                         "load.acc8.split",
                                         "store.out",
                                         "gemm",
                                         "gemm.reset",
                                         "alu.req",
                                         "alu.add.split",
                                         "finish",
                                         "op5",
                                         ".word",
                                         " ",
                                         " ",
                                         " ",
                                         "\n",
                                         "=",
                                         "[",
                                         "]",
                                         ")",
                                         ",",
                                         "-",
                                         "0x",
                                         "0",
                                         "1",
                                         "7",
                                         "65535",
                                         "4294967296",
                                         "sram=0",
                                         "dram=0",
                                         "size=[1,1]",
                                         "stride=1",
                                         "uop=[0,1)",
                                         "iter=[1,1]",
                                         "dst=[0,0]",
                                         "src=[0,0]",
                                         "wgt=[0,0]",
                                         "imm",
                                         "use_src",
                                         "pop_prev",
                                         ";"};
  Random random(kSeed);
  const CoreConfig core = load_core_config("vta_4x8");
  for (int i = 0; i < kNumTexts; ++i) {
    std::string text;
    for (int64_t n = random.between(1, 30); n > 0; --n) {
      text += kWords[random_place(random, std::size(kWords))];
      if (random.chance(60)) text += ' ';
    }
    assemble_anything(text, core);
  }
}

TEST(AssemblyFuzz, MutatedProgramsGiveInstructionsOrAnError) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  for (const CoreConfig& core : test_cores()) {
    for (int i = 0; i < kNumTexts / 4; ++i) {
      std::string text = disassemble(random_instruction(random, core)) + "\n" +
                         disassemble(random_instruction(random, core));
      for (int64_t n = random.between(1, 4); n > 0; --n) {
        text[random_place(random, text.size())] = static_cast<char>(random.between(0, 127));
      }
      assemble_anything(text, core);
    }
  }
}

}  // namespace
}  // namespace vta::isa
