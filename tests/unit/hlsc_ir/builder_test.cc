// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/builder.h"

#include <gtest/gtest.h>

namespace vta::hlsc::ir {
namespace {

class HlscBuilder : public testing::Test {
 protected:
  ValueId input(uint32_t width) { return builder.append(Opcode::kInputRead, width, {yes}); }

  Process process;
  Builder builder{process, &process.body};
  ValueId yes = builder.constant(1, 1), no = builder.constant(1, 0);
  ValueId a = input(1), b = input(1);
};

TEST_F(HlscBuilder, FoldsLogicWithConstants) {
  const size_t before = process.body.size();
  EXPECT_EQ(builder.make_and(a, yes), a);
  EXPECT_EQ(builder.make_and(no, a), no);
  EXPECT_EQ(builder.make_or(a, no), a);
  EXPECT_EQ(builder.make_or(yes, a), yes);
  EXPECT_TRUE(is_constant(process, builder.make_not(yes), 0));
  EXPECT_EQ(process.body.size(), before);
}

TEST_F(HlscBuilder, FoldsComplements) {
  const ValueId not_a = builder.make_not(a);
  EXPECT_EQ(builder.make_not(not_a), a);
  EXPECT_TRUE(is_constant(process, builder.make_and(a, not_a), 0));
  EXPECT_TRUE(is_constant(process, builder.make_or(not_a, a), 1));
}

TEST_F(HlscBuilder, FoldsTheEdgesOfAnIfAndItsElseToTheirPredicate) {
  const ValueId then = builder.make_and(a, b), other = builder.make_and(a, builder.make_not(b));
  EXPECT_EQ(builder.fold_or(then, other), a);
  EXPECT_EQ(builder.fold_or(a, b), kNoValue);
}

TEST_F(HlscBuilder, SlicesAndExtendsOnlyToOtherWidths) {
  const ValueId word = input(8);
  EXPECT_EQ(builder.slice(word, 0, 8), word);
  EXPECT_EQ(builder.zext(word, 8), word);
  EXPECT_EQ(builder.width(builder.slice(word, 2, 3)), 3u);
  EXPECT_EQ(builder.width(builder.zext(word, 9)), 9u);
}

TEST_F(HlscBuilder, GivesTheOriginToOperationsThatHaveNone) {
  builder.set_origin({"x.cc", 7}, "x");
  const ValueId fresh = builder.make_and(a, b);
  EXPECT_EQ(process.ops[fresh].location.line, 7u);
  EXPECT_EQ(process.ops[fresh].name, "x");
  Op own = make_op(Opcode::kOr, 1, {a, b});
  own.location = {"y.cc", 9};
  own.name = "y";
  const ValueId kept = builder.append(own);
  EXPECT_EQ(process.ops[kept].location.line, 9u);
  EXPECT_EQ(process.ops[kept].name, "y");
  EXPECT_EQ(process.ops[builder.append(Opcode::kHalt, 0, {yes})].name, "");
}

TEST_F(HlscBuilder, AppendsToTheSequenceThatIsSet) {
  Sequence other;
  EXPECT_EQ(builder.set_sequence(&other), &process.body);
  builder.make_and(a, b);
  EXPECT_EQ(other.size(), 1u);
}

}  // namespace
}  // namespace vta::hlsc::ir
