// SPDX-License-Identifier: Apache-2.0
//
// The columns of opcodes.def agree with each other.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {
namespace {

std::vector<Opcode> all_opcodes() {
  std::vector<Opcode> opcodes;
  for (size_t i = 0; i < kNumOpcodes; ++i) opcodes.push_back(static_cast<Opcode>(i));
  return opcodes;
}

class EveryOpcode : public testing::TestWithParam<Opcode> {};

TEST_P(EveryOpcode, HasAnObjectExactlyIfItHasAnEffectOnOne) {
  const Effect effect = info(GetParam()).effect;
  EXPECT_EQ(has_object(GetParam()), effect != Effect::kNone && effect != Effect::kEnd);
}

TEST_P(EveryOpcode, HasARuleForWidthsExactlyIfItIsComputed) {
  const Opcode opcode = GetParam();
  const bool computed = is_pure(opcode) && opcode != Opcode::kConstant && opcode != Opcode::kPhi;
  EXPECT_EQ(info(opcode).widths != Widths::kNoRule, computed);
}

TEST_P(EveryOpcode, HasAPredicateIfItHasAnEffect) {
  if (!is_pure(GetParam())) EXPECT_NE(num_operands(GetParam()), 0);
}

TEST_P(EveryOpcode, CommutesOnlyWithTwoOperands) {
  if (info(GetParam()).commutes) EXPECT_EQ(num_operands(GetParam()), 2);
}

TEST_P(EveryOpcode, AccessesAChannelIfItWaitsAndDoesNotEnd) {
  const Effect effect = info(GetParam()).effect;
  EXPECT_EQ(accesses_channel(GetParam()), effect == Effect::kTake || effect == Effect::kGive);
}

TEST_P(EveryOpcode, ThatWaitsIsNotRemovable) {
  if (may_wait(GetParam())) EXPECT_FALSE(is_removable(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Opcodes, EveryOpcode, testing::ValuesIn(all_opcodes()),
                         [](const auto& given) { return std::string(mnemonic(given.param)); });

TEST(HlscOpcodes, HaveMnemonicsOfTheirOwn) {
  std::set<std::string> mnemonics;
  for (Opcode opcode : all_opcodes()) EXPECT_TRUE(mnemonics.insert(mnemonic(opcode)).second);
}

}  // namespace
}  // namespace vta::hlsc::ir
