// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

using ir::Opcode;

ir::Design rematerialized(const std::string& text) {
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  rematerialize_after_nests(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 40), 40u);
  return after;
}

std::string loop_text(const std::string& head, const std::string& after_loop) {
  return R"(design d
    input n : 3
    stream in : 8 x 2
    stream out : 8 x 1
    register r : 8
    process run {
      %n : 3 = input n 1:1
      loop items if 1:1 ii 1 {
        phi %i : 3 = 0:3, %i1
        %seen : 8 = reg_read r 1:1
        %more : 1 = ult %i, %n )" +
         head + R"(
      } while %more {
        %x : 8 = stream_read in 1:1
        %old : 8 = reg_read r 1:1
        %sum : 8 = add %old, %x
        reg_write r 1:1, %sum
        %i1 : 3 = add %i, 1:3
      } )" +
         after_loop + "}";
}

size_t reads_after(const ir::Design& design) {
  const ir::Process& process = design.processes[0];
  return count(process, process.body, Opcode::kRegisterRead);
}

TEST(HlscRematerializeAfterNests, AReadOfTheHeadThatIsUsedAfterTheNestIsRepeated) {
  const ir::Design design =
      rematerialized(loop_text("", "reg_write r 1:1, 0:8 stream_write out 1:1, %seen"));
  EXPECT_EQ(reads_after(design), 1u);
}

TEST(HlscRematerializeAfterNests, ValuesComputedFromItAreRecomputed) {
  const ir::Design design = rematerialized(
      loop_text("%i8 : 8 = zext %i %both : 8 = xor %seen, %i8 %twice : 8 = add %both, %both",
                "reg_write r 1:1, 0:8 stream_write out 1:1, %twice stream_write out 1:1, %both"));
  EXPECT_EQ(reads_after(design), 1u);
}

TEST(HlscRematerializeAfterNests, OtherReadsOfTheHeadAreNotRepeated) {
  const ir::Design design = rematerialized(
      loop_text("%i8 : 8 = zext %i %both : 8 = xor %seen, %i8", "stream_write out 1:1, %i8"));
  EXPECT_EQ(reads_after(design), 0u);
}

}  // namespace
}  // namespace vta::hlsc::passes
