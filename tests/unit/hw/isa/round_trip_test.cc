// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "hw/isa/instruction.h"
#include "tests/unit/hw/isa/random_instruction.h"

namespace vta::isa {
namespace {

constexpr int kNumInstructions = 5000;
constexpr uint64_t kSeed = 41;

class RoundTrip : public testing::Test {
 protected:
  testing::ScopedTrace trace_{__FILE__, __LINE__, "seed " + std::to_string(kSeed)};
  Random random_{kSeed};
};

TEST_F(RoundTrip, DecodeGivesBackWhatWasEncoded) {
  for (const CoreConfig& core : test_cores()) {
    for (int i = 0; i < kNumInstructions; ++i) {
      const Instruction instruction = random_instruction(random_, core);
      EXPECT_EQ(decode(encode(instruction, core), core), instruction) << disassemble(instruction);
    }
  }
}

TEST_F(RoundTrip, AnyBitsDecodeToAnInstructionThatEncodes) {
  for (const CoreConfig& core : test_cores()) {
    for (int i = 0; i < kNumInstructions; ++i) {
      const InstructionBits bits{random_.next(), random_.next()};
      const Instruction instruction = decode(bits, core);
      const InstructionBits again = encode(instruction, core);
      EXPECT_EQ(decode(again, core), instruction);
      EXPECT_EQ(again.lo & ~bits.lo, 0u) << "a bit appeared";
      EXPECT_EQ(again.hi & ~bits.hi, 0u) << "a bit appeared";
      const auto fault = find_encoding_fault(bits, core);
      // Elsewhere, bits outside the fields are ignored.
      if (!fault && core.extension && !is_carrier(instruction)) {
        EXPECT_EQ(again, bits);
      }
    }
  }
}

TEST_F(RoundTrip, MicroOpsSurvive) {
  for (const CoreConfig& core : test_cores()) {
    const Field last = uop_field(kNumUopFields - 1, widths_of(core));
    const int used = last.lsb + last.width;
    const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << used) - 1);
    for (int i = 0; i < kNumInstructions; ++i) {
      const auto bits = static_cast<uint32_t>(random_.next());
      EXPECT_EQ(encode(decode_uop(bits, core), core), bits & mask);
    }
  }
}

TEST_F(RoundTrip, AssemblyOfOneLineGivesBackTheInstruction) {
  for (const CoreConfig& core : test_cores()) {
    for (int i = 0; i < kNumInstructions; ++i) {
      const Instruction instruction = random_instruction(random_, core);
      const std::string line = disassemble(instruction);
      EXPECT_EQ(assemble_line(line), instruction) << line;
    }
  }
}

TEST_F(RoundTrip, AssemblyOfAStreamGivesBackEveryBit) {
  for (const CoreConfig& core : test_cores()) {
    std::vector<InstructionBits> stream;
    for (int i = 0; i < kNumInstructions; ++i) {
      stream.push_back(random_.chance(50) ? InstructionBits{random_.next(), random_.next()}
                                          : encode(random_instruction(random_, core), core));
    }
    EXPECT_EQ(assemble(disassemble(stream, core), "stream", core), stream);
  }
}

}  // namespace
}  // namespace vta::isa
