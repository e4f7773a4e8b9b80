// SPDX-License-Identifier: Apache-2.0
//
// Simplification of whole processes; its rules are in fold_test.cc.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

using ir::Opcode;

ir::Design simplified(const std::string& text) {
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  simplify(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 30), 30u);
  return after;
}

// A process without loops that computes from inputs a, b, w of 32 bits and p of 1.
ir::Design straight(const std::string& operations) {
  return simplified(
      "design d input a : 32 input b : 32 input p : 1 stream out : 8 x 1 stream whole : 32 x 1 "
      "process run { %a : 32 = input a 1:1 %b : 32 = input b 1:1 %p : 1 = input p 1:1 " +
      operations + " }");
}

// What the process writes outside loops, in order.
std::vector<std::string> written(const ir::Design& design) {
  const ir::Process& process = design.processes[0];
  std::vector<std::string> values;
  const auto note = [&](ir::ValueId value) {
    if (process.ops[value].opcode == Opcode::kStreamWrite)
      values.push_back(expression(design, process, process.ops[value].operands[1]));
  };
  ir::for_each_item(process.body, note, [](const ir::Loop&) {});
  return values;
}

size_t count_all(const ir::Design& design, Opcode opcode) {
  size_t found = 0;
  for (const ir::Op& op : design.processes[0].ops) found += op.opcode == opcode ? 1 : 0;
  return found;
}

TEST(HlscSimplify, ASliceOfAValueThatIsUsedWholeAddsNoOperation) {
  const ir::Design design = straight(
      "%s : 32 = select %p, %a, %b %m : 32 = mul %s, %b %r : 8 = slice [0] %m %t : 8 = slice [8] "
      "%s stream_write whole 1:1, %m stream_write out 1:1, %r stream_write out 1:1, %t");
  EXPECT_EQ(count_all(design, Opcode::kMul), 1u);
  EXPECT_EQ(count_all(design, Opcode::kSelect), 1u);
}

TEST(HlscSimplify, SlicesOfASumShareOneNarrowSum) {
  EXPECT_EQ(written(straight("%s : 32 = add %a, %b %r : 8 = slice [0] %s %t : 8 = slice [4] %s "
                             "stream_write out 1:1, %r stream_write out 1:1, %t")),
            (std::vector<std::string>{
                "slice:8[0](add:12(slice:12[0](a), slice:12[0](b)))",
                "slice:8[4](add:12(slice:12[0](a), slice:12[0](b)))",
            }));
}

TEST(HlscSimplify, ASliceThatIsEqualOnBothSidesOfASelectSkipsTheSelect) {
  EXPECT_EQ(written(straight(
                "%l : 8 = slice [0] %a %h : 24 = slice [8] %b %c : 32 = concat %l, %h "
                "%s : 32 = select %p, %c, %a %r : 8 = slice [0] %s stream_write whole 1:1, %s "
                "stream_write out 1:1, %r"))[1],
            "slice:8[0](a)");
}

// It has 2^40 paths: a pass that follows all of them never ends.
TEST(HlscSimplify, ALadderOfSelectsDoesNotGrow) {
  std::string steps = "%x0 : 32 = mul %a, %b ";
  for (int k = 0; k < 40; ++k) {
    steps += fmt::format(
        "%c{0} : 1 = slice [{1}] %b %l{0} : 32 = xor %x{0}, %a %r{0} : 32 = or %x{0}, %b "
        "%x{2} : 32 = select %c{0}, %l{0}, %r{0} ",
        k, k % 32, k + 1);
  }
  const ir::Design design = straight(steps + "%r : 8 = slice [0] %x40 stream_write out 1:1, %r");
  EXPECT_EQ(count_all(design, Opcode::kSelect), 40u);
  EXPECT_LE(count_all(design, Opcode::kXor), 40u);
  EXPECT_LE(count_all(design, Opcode::kOr), 40u);
}

TEST(HlscSimplify, EqualOperationsAreOne) {
  const ir::Design design = straight(
      "%x : 32 = xor %a, %b %y : 32 = xor %b, %a %m : 32 = mul %x, %a %n : 32 = mul %y, %a "
      "stream_write whole 1:1, %m stream_write whole 1:1, %n");
  EXPECT_EQ(count_all(design, Opcode::kMul), 1u);
}

TEST(HlscSimplify, UnusedOperationsAreRemoved) {
  const ir::Design design = straight("%m : 32 = mul %a, %b stream_write whole 1:1, %a");
  EXPECT_EQ(count_all(design, Opcode::kMul), 0u);
  EXPECT_EQ(count_all(design, Opcode::kInputRead), 1u);
}

TEST(HlscSimplify, AnEffectWithAFalsePredicateIsRemoved) {
  EXPECT_EQ(written(straight("%n : 1 = xor %p, 1:1 %never : 1 = and %p, %n "
                             "stream_write whole %never, %a stream_write whole 1:1, %b")),
            std::vector<std::string>{"b"});
}

TEST(HlscSimplify, ALoopThatIsNeverEnteredLeavesItsInitialValues) {
  const ir::Design design = straight(
      "loop l if 0:1 { phi %i : 32 = %a, %j } while %p { %j : 32 = add %i, 1:32 } "
      "stream_write out 1:1, 7:8");
  EXPECT_TRUE(loops_of(design.processes[0]).empty());
}

constexpr const char* kLoop = R"(design d
    input n : 4
    input a : 8
    stream out : 8 x 1
    process run {
      %n : 4 = input n 1:1
      %a : 8 = input a 1:1
      loop items if 1:1 {
        phi %i : 4 = 0:4, %i1
        phi %same : 8 = %a, %same
        %more : 1 = ult %i, %n
      } while %more {
        %twice : 8 = mul %same, %a
        stream_write out 1:1, %twice
        %i1 : 4 = add %i, 1:4
      }
      stream_write out 1:1, %same
    })";

TEST(HlscSimplify, ExportsOfSuchALoopMayStillBeUsed) {
  const ir::Design design = straight(
      "loop never if 0:1 { phi %i : 8 = 0:8, %j %x : 32 = add %a, %b "
      "loop inner if %p { phi %k : 32 = %x, %l } while 0:1 { %l : 32 = add %k, 1:32 } "
      "%c : 1 = ult %i, 3:8 } while %c { %j : 8 = add %i, 1:8 } "
      "%r : 32 = select %p, %a, %x %s : 32 = select %p, %b, %k "
      "stream_write whole %p, %r stream_write whole %p, %s");
  EXPECT_EQ(count_all(design, Opcode::kAdd), 0u);
}

TEST(HlscSimplify, LoopInvariantsLeaveTheLoop) {
  const ir::Design design = simplified(kLoop);
  const ir::Process& process = design.processes[0];
  EXPECT_EQ(phi_widths(process), "4");
  EXPECT_EQ(count(process, process.body, Opcode::kMul), 1u);
  EXPECT_EQ(count(process, loops_of(process)[0]->body, Opcode::kMul), 0u);
  EXPECT_EQ(written(design), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace vta::hlsc::passes
