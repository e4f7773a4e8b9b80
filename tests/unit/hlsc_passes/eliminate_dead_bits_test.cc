// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hlsc_passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

// A loop of 9 iterations that carries %x of 32 bits, initially input w. Its body computes %y, the
// next value, and writes %r of 8 bits.
struct Use {
  const char* name;
  const char* body;
  uint32_t bits;  // that are left of %x
};
void PrintTo(const Use& use, std::ostream* out) { *out << use.name; }

constexpr Use kUses[] = {
    {"slice", "%y : 32 = add %x, %w %r : 8 = slice [0] %x", 8},
    {"slice_in_the_middle", "%y : 32 = add %x, %w %r : 8 = slice [5] %x", 13},
    {"mask", "%y : 32 = mul %x, %w %m : 32 = and %x, 0x7e:32 %r : 8 = slice [0] %m", 7},
    {"sum_that_is_sliced",
     "%y : 32 = sub %x, %w %s : 32 = add %x, %w %t : 32 = xor %s, %x %r : 8 = slice [2] %t", 10},
    {"select", "%c : 1 = slice [0] %w %y : 32 = select %c, %x, 7:32 %r : 8 = slice [1] %y", 9},
    {"sign_extension", "%y : 32 = add %x, %w %s : 4 = slice [3] %x %r : 8 = sext %s", 7},
    {"parts_of_a_word", "%y : 32 = add %x, %w %l : 6 = slice [2] %x %r : 8 = concat %l, 2:2", 8},
    {"shift_left", "%y : 32 = shl %x, %k %r : 8 = slice [0] %x", 8},
    {"shift_right", "%y : 32 = lshr %x, %k %r : 8 = slice [0] %x", 32},
    {"lane", "%y : 32 = add %x, %w %r : 8 = lane %x, %k", 32},
    {"reversed", "%y : 32 = add %x, %w %v : 32 = reverse %x %r : 8 = slice [0] %v", 32},
    {"comparison", "%y : 32 = add %x, %w %c : 1 = ult %x, %w %r : 8 = zext %c", 32},
    {"comparison_of_a_part",
     "%y : 32 = add %x, %w %h : 5 = slice [0] %x %c : 1 = ult %h, 9:5 %r : 8 = zext %c", 5},
    {"amount_of_a_shift", "%y : 32 = add %x, %w %r : 8 = shl 1:8, %x", 32},
    {"late", "%y : 32 = add %x, %w %l : 32 = late %x %r : 8 = slice [0] %l", 8},
};

std::string design_text(const Use& use) {
  return std::string(
             "design d input w : 32 input k : 3 stream out : 8 x 1 process run { "
             "%w : 32 = input w 1:1 %k : 3 = input k 1:1 "
             "loop l if 1:1 { phi %x : 32 = %w, %y phi %i : 4 = 0:4, %j %c0 : 1 = ult %i, 9:4 } "
             "while %c0 { %j : 4 = add %i, 1:4 ") +
         use.body + " stream_write out 1:1, %r } }";
}

class EveryUse : public testing::TestWithParam<Use> {};

TEST_P(EveryUse, LeavesTheDemandedBits) {
  const ir::Design before = design_of(design_text(GetParam()));
  ir::Design after = design_of(design_text(GetParam()));
  simplify(after, after.processes[0]);
  eliminate_dead_bits(after, after.processes[0]);
  simplify(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(phi_widths(after.processes[0]), std::to_string(GetParam().bits) + " 4");
  EXPECT_EQ(expect_same_meaning(before, after, 40), 40u);
}

INSTANTIATE_TEST_SUITE_P(EliminateDeadBits, EveryUse, testing::ValuesIn(kUses),
                         [](const auto& given) { return std::string(given.param.name); });

TEST(HlscEliminateDeadBits, SeesThroughLoopsInLoops) {
  const std::string text = R"(design d
    input n : 3
    ram m : 8 x 16 lanes 8 banks 1
    process run {
      %n : 3 = input n 1:1
      loop rows if 1:1 {
        phi %row : 32 = 0:32, %element
        phi %i : 4 = 0:4, %i1
        %more : 1 = ult %i, 9:4
      } while %more {
        loop columns if 1:1 {
          phi %element : 32 = %row, %element1
          phi %j : 3 = 0:3, %j1
          %more_columns : 1 = ult %j, %n
        } while %more_columns {
          %index : 4 = slice [0] %element
          %value : 8 = zext %j
          ram_write m 1:1, %index, %value
          %element1 : 32 = add %element, 3:32
          %j1 : 3 = add %j, 1:3
        }
        %i1 : 4 = add %i, 1:4
      }
    })";
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  eliminate_dead_bits(after, after.processes[0]);
  simplify(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(phi_widths(after.processes[0]), "4 4 4 3");
  EXPECT_EQ(expect_same_meaning(before, after, 20), 20u);
}

}  // namespace
}  // namespace vta::hlsc::passes
