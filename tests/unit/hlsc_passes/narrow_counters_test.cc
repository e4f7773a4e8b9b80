// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hlsc_passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

// A loop that counts in %i, with inputs n, m of 8 bits (%n32, %m32: extended to 32) and p of 1 bit.
// The final %i leaves the design.
struct Case {
  const char* name;
  uint32_t width;  // of %i
  const char* loop;
  const char* widths;  // of all phis, after narrow_counters()
};
void PrintTo(const Case& given, std::ostream* out) { *out << given.name; }

constexpr Case kCases[] = {
    {"up_to_a_bound", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = ult %i, %n32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "8"},
    {"from_a_start_of_more_bits", 32,
     "%start : 32 = mul %m, %m loop l if 1:1 { phi %i : 32 = %start, %j %c : 1 = ult %i, %n32 } "
     "while %c { %j : 32 = add %i, 1:32 }",
     "16"},
    {"by_more_than_one", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = ult %i, %n32 } while %c "
     "{ %j : 32 = add %i, 3:32 }",
     "9"},
    {"by_so_much_that_it_may_wrap", 9,
     "%n9 : 9 = zext %n loop l if 1:1 { phi %i : 9 = 0:9, %j %c : 1 = ult %i, %n9 } while %c "
     "{ %j : 9 = add %i, 500:9 }",
     "9"},
    {"below_a_power_of_two", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = ult %i, 16:32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "5"},
    {"below_a_constant", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = ult %i, 15:32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "4"},
    {"once", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = eq %i, 0:32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "1"},
    {"up_to_a_bound_with_sign", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = slt %i, %n32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "8"},
    {"up_to_a_bound_that_may_be_negative", 10,
     "%s : 10 = sext %n loop l if 1:1 { phi %i : 10 = 0:10, %j %c : 1 = slt %i, %s } while %c "
     "{ %j : 10 = add %i, 1:10 }",
     "10"},
    {"up_to_and_with_a_bound", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = ule %i, %n32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "9"},
    {"until_it_meets_a_bound", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c : 1 = ne %i, %n32 } while %c "
     "{ %j : 32 = add %i, 1:32 }",
     "8"},
    {"until_it_meets_what_it_may_have_passed", 10,
     "%n10 : 10 = zext %n %m10 : 10 = zext %m8 "
     "loop l if 1:1 { phi %i : 10 = %m10, %j %c : 1 = ne %i, %n10 } while %c "
     "{ %j : 10 = add %i, 1:10 }",
     "10"},
    {"until_it_meets_what_the_loop_moves", 10,
     "%n10 : 10 = zext %n loop l if 1:1 { phi %i : 10 = 0:10, %j phi %b : 10 = %n10, %b1 "
     "%c : 1 = ne %i, %b } while %c { %j : 10 = add %i, 1:10 %b1 : 10 = xor %b, 1:10 }",
     "10 8"},
    {"down_to_zero", 32,
     "loop l if 1:1 { phi %i : 32 = %n32, %j %c : 1 = ne %i, 0:32 } while %c "
     "{ %j : 32 = sub %i, 1:32 }",
     "8"},
    {"down_while_there_is_enough", 32,
     "loop l if 1:1 { phi %i : 32 = %n32, %j %c : 1 = ule 3:32, %i } while %c "
     "{ %j : 32 = sub %i, 3:32 }",
     "8"},
    {"down_below_zero", 10,
     "%n10 : 10 = zext %n loop l if 1:1 { phi %i : 10 = %n10, %j %c : 1 = ult %i, 300:10 } "
     "while %c { %j : 10 = sub %i, 3:10 }",
     "10"},
    {"down_by_the_lesser", 32,
     "loop l if 1:1 { phi %i : 32 = %n32, %j %c : 1 = ne %i, 0:32 } while %c "
     "{ %k : 1 = ult %i, 17:32 %t : 32 = select %k, %i, 17:32 "
     "%j : 32 = sub %i, %t }",
     "8"},
    {"tested_after_the_step", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %j : 32 = add %i, 1:32 %c : 1 = ult %j, %n32 } "
     "while %c { }",
     "8"},
    {"or_another_condition", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c1 : 1 = ult %i, %n32 %c2 : 1 = ult %i, 300:32 "
     "%c : 1 = or %c1, %c2 } while %c { %j : 32 = add %i, 1:32 }",
     "32"},
    {"and_another_condition", 32,
     "loop l if 1:1 { phi %i : 32 = 0:32, %j %c1 : 1 = ult %i, %n32 %l : 1 = late %p "
     "%c : 1 = and %c1, %l } while %c { %j : 32 = add %i, 1:32 }",
     "8"},
    {"in_a_loop_that_may_be_skipped", 32,
     "loop l if %p { phi %i0 : 32 = 0:32, %j %c : 1 = ult %i0, %n32 } while %c "
     "{ %j : 32 = add %i0, 1:32 } %i : 32 = select %p, %i0, 77777:32",
     "8"},
    {"what_is_added_once_an_iteration", 32,
     "loop l if 1:1 { phi %k : 32 = 0:32, %k1 phi %i : 32 = 0:32, %j %c : 1 = ult %k, %n32 } "
     "while %c { %k1 : 32 = add %k, 1:32 %j : 32 = add %i, %m32 }",
     "8 16"},
    {"what_is_added_a_constant_number_of_times", 32,
     "loop l if 1:1 { phi %k : 32 = 0:32, %k1 phi %i : 32 = 0:32, %j %c : 1 = ult %k, 16:32 } "
     "while %c { %k1 : 32 = add %k, 1:32 %j : 32 = add %i, %m32 }",
     "5 12"},
    {"what_is_sometimes_added", 32,
     "loop l if 1:1 { phi %k : 32 = %n32, %k1 phi %i : 32 = %m32, %j %c : 1 = ne %k, 0:32 } "
     "while %c { %k1 : 32 = sub %k, 1:32 %t : 32 = add %i, %k %b : 1 = slice [0] %k "
     "%j : 32 = select %b, %t, %i }",
     "8 17"},
    {"what_is_taken_away_once_an_iteration", 32,
     "loop l if 1:1 { phi %k : 32 = 0:32, %k1 phi %i : 32 = 0:32, %j %c : 1 = ult %k, %n32 } "
     "while %c { %k1 : 32 = add %k, 1:32 %j : 32 = sub %i, %m32 }",
     "8 32"},
    {"a_flag", 8,
     "loop l if 1:1 { phi %k : 32 = 0:32, %k1 phi %i : 8 = 1:8, 0:8 %c : 1 = ult %k, %n32 } "
     "while %c { %k1 : 32 = add %k, 1:32 }",
     "8 1"},
    {"an_inner_counter_goes_on", 32,
     "loop o if 1:1 { phi %x : 32 = 0:32, %x1 phi %i : 32 = 0:32, %j %c : 1 = ult %x, 5:32 } "
     "while %c { loop l if 1:1 { phi %j : 32 = %i, %j1 %d : 1 = ult %j, %n32 } while %d "
     "{ %j1 : 32 = add %j, 1:32 } %x1 : 32 = add %x, 1:32 }",
     "3 8 8"},
    {"an_inner_loop_adds", 32,
     "loop o if 1:1 { phi %x : 32 = 0:32, %x1 phi %i : 32 = 0:32, %i1 %c : 1 = ult %x, 5:32 } "
     "while %c { loop l if 1:1 { phi %y : 32 = 0:32, %y1 phi %j : 32 = %i, %j1 "
     "%d : 1 = ult %y, %n32 } while %d { %y1 : 32 = add %y, 1:32 %j1 : 32 = add %j, %m32 "
     "stream_write out 1:1, %j } %x1 : 32 = add %x, 1:32 %i1 : 32 = add %i, %m32 }",
     "3 11 8 17"},
};

std::string design_text(const Case& given) {
  const std::string width = std::to_string(given.width);
  return "design d input n : 8 input m : 8 input p : 1 stream out : " + width +
         " x 1 process run { %n : 8 = input n 1:1 %m8 : 8 = input m 1:1 %p : 1 = input p 1:1 "
         "%n32 : 32 = zext %n %m32 : 32 = zext %m8 %m : 32 = zext %m8 " +
         given.loop + " stream_write out 1:1, %i }";
}

class EveryCounter : public testing::TestWithParam<Case> {};

TEST_P(EveryCounter, HasTheBitsOfItsValuesAndMeansTheSame) {
  const ir::Design before = design_of(design_text(GetParam()));
  ir::Design after = design_of(design_text(GetParam()));
  simplify(after, after.processes[0]);
  narrow_counters(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(phi_widths(after.processes[0]), GetParam().widths);
  simplify(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(phi_widths(after.processes[0]), GetParam().widths) << "simplified";
  EXPECT_GT(expect_same_meaning(before, after, 60), 20u);
}

INSTANTIATE_TEST_SUITE_P(NarrowCounters, EveryCounter, testing::ValuesIn(kCases),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace vta::hlsc::passes
