// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

// What the last operation of the process writes, after flatten_sums().
std::string collected(const std::string& operations) {
  const std::string text =
      "design d input a : 8 input b : 8 input c : 8 input e : 8 stream out : 8 x 1 "
      "stream other : 8 x 1 process run { %a : 8 = input a 1:1 %b : 8 = input b 1:1 "
      "%c : 8 = input c 1:1 %e : 8 = input e 1:1 " +
      operations + " }";
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  flatten_sums(after, after.processes[0]);
  eliminate_dead_ops(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 20), 20u);
  const ir::Process& process = after.processes[0];
  const ir::ValueId last = std::get<ir::ValueId>(process.body.back());
  return expression(after, process, process.ops[last].operands[1]);
}

// What a pipelined loop with these operations writes to the register `total`, after
// flatten_sums(). `other` declares another register. The loop reads %old of `total`, and %x and %y.
std::string written_to_total(const std::string& other, const std::string& operations) {
  const std::string text =
      "design d input n : 4 stream in : 8 x 2 register total : 8 " + other +
      " process run { %n : 4 = input n 1:1 loop items if 1:1 ii 1 { phi %i : 4 = 0:4, %i1 "
      "%more : 1 = ult %i, %n } while %more { %old : 8 = reg_read total 1:1 "
      "%x : 8 = stream_read in 1:1 %y : 8 = stream_read in 1:1 " +
      operations + " %i1 : 4 = add %i, 1:4 } }";
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  flatten_sums(after, after.processes[0]);
  eliminate_dead_ops(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 20), 20u);
  const ir::Process& process = after.processes[0];
  for (const ir::Item& item : loops_of(process)[0]->body) {
    const ir::Op& op = process.ops[std::get<ir::ValueId>(item)];
    if (op.opcode == ir::Opcode::kRegisterWrite && after.objects[op.object].name == "total")
      return expression(after, process, op.operands[1]);
  }
  return "";
}

TEST(HlscFlattenSums, AChainBecomesOneSum) {
  EXPECT_EQ(collected("%0 : 8 = add %a, %b %1 : 8 = add %0, %c %2 : 8 = add %1, %e "
                      "stream_write out 1:1, %2"),
            "sum:8(a, b, c, e)");
}

TEST(HlscFlattenSums, ATreeBecomesOneSum) {
  EXPECT_EQ(collected("%0 : 8 = add %a, %b %1 : 8 = add %c, %e %2 : 8 = add %0, %1 "
                      "stream_write out 1:1, %2"),
            "sum:8(a, b, c, e)");
}

TEST(HlscFlattenSums, OneAdditionStaysOne) {
  EXPECT_EQ(collected("%0 : 8 = add %a, %b stream_write out 1:1, %0"), "add:8(a, b)");
}

TEST(HlscFlattenSums, APartialSumThatIsUsedElsewhereStays) {
  EXPECT_EQ(collected("%0 : 8 = add %a, %b %1 : 8 = add %0, %c stream_write other 1:1, %0 "
                      "stream_write out 1:1, %1"),
            "add:8(add:8(a, b), c)");
}

TEST(HlscFlattenSums, OtherOperationsEndAChain) {
  EXPECT_EQ(collected("%0 : 8 = add %a, %b %1 : 8 = xor %0, %c %2 : 8 = add %1, %e "
                      "%3 : 8 = add %2, %a stream_write out 1:1, %3"),
            "sum:8(xor:8(add:8(a, b), c), e, a)");
}

// The accumulator depends on the previous iteration, so it is added last.
TEST(HlscFlattenSums, TheValueOfARegisterIsAddedLast) {
  EXPECT_EQ(written_to_total("", R"(
      %one : 8 = add %old, %x
      %two : 8 = add %one, %y
      %three : 8 = add %two, 1:8
      reg_write total 1:1, %three)"),
            "add:8(total, sum:8(in, in, 0x1:8))");
}

// The terms depend on a register that the body writes, but not on the accumulator: the sum of the
// terms needs no earlier iteration's accumulator.
TEST(HlscFlattenSums, TermsThatDependOnAnotherRegisterAreAddedFirst) {
  EXPECT_EQ(written_to_total("register fault : 1", R"(
      %f : 1 = reg_read fault 1:1
      %u : 8 = select %f, 0:8, %x
      %v : 8 = select %f, 0:8, %y
      %one : 8 = add %old, %u
      %two : 8 = add %one, %v
      reg_write total 1:1, %two
      %big : 1 = ult 100:8, %x
      %g : 1 = or %f, %big
      reg_write fault 1:1, %g)"),
            "add:8(total, sum:8(select:8(fault, 0x0:8, in), select:8(fault, 0x0:8, in)))");
}

// One register is written from the other: a term depends on the sum of two iterations before.
TEST(HlscFlattenSums, ATermThatDependsOnTheSumThroughAnotherRegisterIsAddedLast) {
  EXPECT_EQ(written_to_total("register older : 8", R"(
      %oldest : 8 = reg_read older 1:1
      %one : 8 = add %oldest, %x
      %two : 8 = add %one, %y
      reg_write total 1:1, %two
      reg_write older 1:1, %old)"),
            "add:8(older, sum:8(in, in))");
}

}  // namespace
}  // namespace vta::hlsc::passes
