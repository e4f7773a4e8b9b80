// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

using ir::Opcode;

// The design after forward_stores(), with the same meaning.
ir::Design forwarded(const std::string& text) {
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  for (ir::Process& process : after.processes) {
    forward_stores(after, process);
    simplify(after, process);
  }
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 40), 40u);
  return after;
}

size_t count_in_body(const ir::Design& design, Opcode opcode) {
  const ir::Process& process = design.processes[0];
  return count(process, loops_of(process)[0]->body, opcode);
}
// Whether all of `first` come before all of `second` in the body.
bool all_before(const ir::Design& design, Opcode first, Opcode second) {
  const ir::Process& process = design.processes[0];
  bool seen = false;
  for (const ir::Item& item : loops_of(process)[0]->body) {
    const Opcode opcode = process.ops[std::get<ir::ValueId>(item)].opcode;
    if (opcode == second) seen = true;
    if (opcode == first && seen) return false;
  }
  return true;
}

// A pipelined loop of 20 iterations over items %x of 8 bits, with counter %i of 5.
std::string loop_text(const std::string& body, const std::string& objects = "") {
  return "design d " + objects +
         " stream in : 8 x 2 stream out : 8 x 1 register r : 8 ram m : 16 x 8 lanes 8 banks 1 "
         "process run { loop items if 1:1 ii 1 { phi %i : 5 = 0:5, %i1 %more : 1 = ult %i, 20:5 } "
         "while %more { %x : 8 = stream_read in 1:1 %p : 1 = slice [7] %x %q : 1 = slice [6] %x "
         "%at : 3 = slice [0] %x %at2 : 3 = slice [3] %x %lane : 1 = slice [5] %x " +
         body + " %i1 : 5 = add %i, 1:5 } }";
}

TEST(HlscForwardStores, APipelinedBodyReadsARegisterOnceAndWritesItOnce) {
  const ir::Design design = forwarded(loop_text(R"(
      %r0 : 8 = reg_read r 1:1
      %a : 8 = add %r0, %x
      reg_write r %p, %a
      %r1 : 8 = reg_read r 1:1
      %b : 8 = xor %r1, 0x55:8
      reg_write r %q, %b
      %r2 : 8 = reg_read r 1:1
      stream_write out 1:1, %r2)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterRead), 1u);
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterWrite), 1u);
  EXPECT_TRUE(all_before(design, Opcode::kRegisterRead, Opcode::kRegisterWrite));
}

TEST(HlscForwardStores, AReadAfterAWriteThatAlwaysHappensIsTheValue) {
  const ir::Design design = forwarded(loop_text(R"(
      reg_write r 1:1, %x
      %r0 : 8 = reg_read r 1:1
      stream_write out 1:1, %r0)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterRead), 0u);
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterWrite), 1u);
}

TEST(HlscForwardStores, ARegisterIsWrittenBeforeAnOperationThatMayWait) {
  const ir::Design design = forwarded(R"(design d
    stream in : 8 x 2
    register r : 8
    process run {
      loop items if 1:1 {
        phi %i : 4 = 0:4, %i1
        %more : 1 = ult %i, 10:4
      } while %more {
        reg_write r 1:1, 1:8
        %x : 8 = stream_read in 1:1
        %p : 1 = slice [0] %x
        reg_write r %p, %x
        reg_write r 1:1, 3:8
        %i1 : 4 = add %i, 1:4
      }
    })");
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterWrite), 2u);
}

TEST(HlscForwardStores, ARegisterOfAnotherProcessIsReadEachTime) {
  const ir::Design design = forwarded(R"(design d
    stream in : 8 x 2
    stream go : 0 x 1
    stream done : 0 x 1
    stream out : 8 x 1
    register r : 8
    process run {
      loop items if 1:1 {
        phi %i : 4 = 0:4, %i1
        %more : 1 = ult %i, 10:4
      } while %more {
        stream_write go 1:1
        stream_read done 1:1
        %a : 8 = reg_read r 1:1
        stream_write out 1:1, %a
        stream_write go 1:1
        stream_read done 1:1
        %b : 8 = reg_read r 1:1
        stream_write out 1:1, %b
        %i1 : 4 = add %i, 1:4
      }
    }
    process other {
      loop always if 1:1 { } while 1:1 {
        stream_read go 1:1
        %x : 8 = stream_read in 1:1
        reg_write r 1:1, %x
        stream_write done 1:1
      }
    })");
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterRead), 2u);
}

// A pipelined loop whose process shares m and r with another one, which a token tells to change
// both; `body` may wait for its answer.
std::string shared_loop(const std::string& body) {
  return R"(design d
    stream in : 8 x 2
    stream go : 0 x 1
    stream done : 0 x 1
    stream out : 8 x 1
    register r : 8
    ram m : 8 x 4 lanes 8 banks 1
    process run {
      loop items if 1:1 ii 4 {
        phi %i : 4 = 0:4, %i1
        %more : 1 = ult %i, 10:4
      } while %more {
        %x : 8 = stream_read in 1:1 )" +
         body + R"(
        %i1 : 4 = add %i, 1:4
      }
    }
    process other {
      loop always if 1:1 { } while 1:1 {
        stream_read go 1:1
        %r : 8 = reg_read r 1:1
        %m : 8 = ram_read m 1:1, 1:2
        %sum : 8 = add %r, %m
        ram_write m 1:1, 1:2, %sum
        stream_write done 1:1
      }
    })";
}

TEST(HlscForwardStores, AWordThatAnotherProcessMayHaveChangedIsReadAgain) {
  const ir::Design design = forwarded(shared_loop(R"(
        %a : 8 = ram_read m 1:1, 1:2
        ram_write m 1:1, 1:2, %x
        stream_write go 1:1
        stream_read done 1:1
        %b : 8 = ram_read m 1:1, 1:2
        stream_write out 1:1, %a
        stream_write out 1:1, %b)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRamRead), 2u);
}

TEST(HlscForwardStores, ARegisterIsWrittenBeforeAnotherProcessIsToldOfIt) {
  const ir::Design design = forwarded(shared_loop(R"(
        %p : 1 = slice [7] %x
        reg_write r %p, %x
        stream_write go 1:1
        stream_read done 1:1
        %a : 8 = reg_read r 1:1
        %next : 8 = add %a, 1:8
        reg_write r 1:1, %next
        %b : 8 = ram_read m 1:1, 1:2
        stream_write out 1:1, %b)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterWrite), 2u);
  EXPECT_EQ(count_in_body(design, Opcode::kRegisterRead), 1u);
}

TEST(HlscForwardStores, AReadOfARamTakesTheWordThatItsIterationWrote) {
  const ir::Design design = forwarded(loop_text(R"(
      %w : 16 = concat %x, 0x77:8
      ram_write m %p, %at, %w
      %y : 16 = ram_read m 1:1, %at2
      %lo : 8 = slice [0] %y
      stream_write out 1:1, %lo)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRamRead), 1u);
  EXPECT_GT(count_in_body(design, Opcode::kSelect), 0u);
}

TEST(HlscForwardStores, WrittenLanesAreForwardedOneByOne) {
  const ir::Design design = forwarded(loop_text(R"(
      ram_write m %p, %at, %x, %lane
      ram_write m [8] %q, %at2, 0x33:8
      %y : 16 = ram_read m 1:1, %at2
      %lo : 8 = slice [0] %y
      %hi : 8 = slice [8] %y
      stream_write out 1:1, %lo
      stream_write out 1:1, %hi)"));
  EXPECT_EQ(count_in_body(design, Opcode::kSelect),
            3u);  // either lane of the first write, the second
}

TEST(HlscForwardStores, LanesOutOfRangeOfTheirNumberAreNotForwarded) {
  const ir::Design design = forwarded(R"(design d
    stream in : 8 x 2
    stream out : 32 x 1
    ram wide : 32 x 4 lanes 8 banks 1
    process run {
      loop items if 1:1 ii 1 {
        phi %i : 5 = 0:5, %i1
        %more : 1 = ult %i, 20:5
      } while %more {
        %x : 8 = stream_read in 1:1
        %lane : 1 = slice [7] %x
        %at : 2 = slice [0] %x
        ram_write wide 1:1, %at, %x, %lane
        %y : 32 = ram_read wide 1:1, %at
        stream_write out 1:1, %y
        %i1 : 5 = add %i, 1:5
      }
    })");
  EXPECT_EQ(count_in_body(design, Opcode::kSelect), 2u);  // a lane's number of 1 bit: two lanes
}

TEST(HlscForwardStores, AReadThatHappensWithoutTheOtherIsItsOwn) {
  const ir::Design design = forwarded(loop_text(R"(
      %y : 16 = ram_read m %p, %at
      %z : 16 = ram_read m %q, %at
      %lo : 8 = slice [0] %y
      %hi : 8 = slice [8] %z
      stream_write out %p, %lo
      stream_write out %q, %hi)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRamRead), 2u);
}

TEST(HlscForwardStores, AReadInTheOtherBranchIsNotForwarded) {
  const ir::Design design = forwarded(loop_text(R"(
      %n : 1 = xor %p, 1:1
      ram_write m %p, %at, %x, %lane
      %y : 16 = ram_read m %n, %at
      %lo : 8 = slice [0] %y
      stream_write out %n, %lo)"));
  EXPECT_EQ(count_in_body(design, Opcode::kSelect), 0u);
}

TEST(HlscForwardStores, TwoReadsOfOneWordAreOne) {
  const ir::Design design = forwarded(loop_text(R"(
      %y : 16 = ram_read m 1:1, %at
      ram_write m %p, %at2, %x, %lane
      %z : 16 = ram_read m %q, %at
      %lo : 8 = slice [0] %y
      %hi : 8 = slice [8] %z
      stream_write out 1:1, %lo
      stream_write out %q, %hi)"));
  EXPECT_EQ(count_in_body(design, Opcode::kRamRead), 1u);
}

}  // namespace
}  // namespace vta::hlsc::passes
