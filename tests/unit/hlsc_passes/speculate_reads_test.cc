// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hlsc_passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

// A body that reads memory m until register bad is set; `written` are its writes, `wanted` is the
// predicate of the read.
std::string design_text(const std::string& wanted, const std::string& written) {
  return R"(design d
    input n : 5
    input p : 1
    ram m : 8 x 16 lanes 8 banks 1
    stream out : 8 x 1
    register bad : 1
    process run {
      %n : 5 = input n 1:1
      %p : 1 = input p 1:1
      loop items if 1:1 ii 1 {
        phi %i : 5 = 0:5, %i1
        %more : 1 = ult %i, %n
      } while %more {
        %bad : 1 = reg_read bad 1:1
        %good : 1 = xor %bad, 1:1
        %both : 1 = and %good, %p
        %p0 : 1 = xor %p, 1:1
        %other : 1 = and %good, %p0
        %index : 4 = slice [0] %i
        %x : 8 = ram_read m )" +
         wanted + ", %index\n" + written + R"(
        %i1 : 5 = add %i, 1:5
      }
    })";
}

// The predicate of the read after the pass.
std::string predicate_of_read(const std::string& wanted, const std::string& written) {
  const ir::Design before = design_of(design_text(wanted, written));
  ir::Design after = design_of(design_text(wanted, written));
  speculate_reads(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 30), 30u);
  const ir::Process& process = after.processes[0];
  for (const ir::Op& op : process.ops) {
    if (op.opcode == ir::Opcode::kRamRead) return expression(after, process, op.operands[0]);
  }
  return "no read";
}

constexpr const char* kBecauseOfTheRead =
    "%big : 1 = ult 0x40:8, %x %bad1 : 1 = and %both, %big reg_write bad %bad1, 1:1 stream_write "
    "out %both, %x";
constexpr const char* kForAnotherReason =
    "%third : 1 = eq %i, 3:5 reg_write bad %third, 1:1 stream_write out %both, %x";

TEST(HlscSpeculateReads, AReadDoesNotWaitForTheRegisterThatDependsOnIt) {
  EXPECT_EQ(predicate_of_read("%good", kBecauseOfTheRead), "0x1:1");
}

TEST(HlscSpeculateReads, TheRestOfItsPredicateStays) {
  EXPECT_EQ(predicate_of_read("%both", kBecauseOfTheRead), "p");
}

TEST(HlscSpeculateReads, AComplementInTheRestStaysOne) {
  EXPECT_EQ(predicate_of_read("%other",
                              "%big : 1 = ult 0x40:8, %x %bad1 : 1 = and %other, %big "
                              "reg_write bad %bad1, 1:1 stream_write out %other, %x"),
            "xor:1(p, 0x1:1)");
}

TEST(HlscSpeculateReads, ItWaitsForARegisterThatDoesNotDependOnIt) {
  EXPECT_EQ(predicate_of_read("%good", kForAnotherReason), "xor:1(bad, 0x1:1)");
}

}  // namespace
}  // namespace vta::hlsc::passes
