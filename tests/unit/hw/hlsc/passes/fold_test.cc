// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/fold.h"

#include <gtest/gtest.h>

#include <ostream>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

// Operations on inputs a, b, c (8 bits), w (32) and p, q (1) that end in %r, and %r after
// simplify().
struct Rule {
  const char* name;
  uint32_t width;  // of %r
  const char* operations;
  const char* becomes;
};
void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

constexpr Rule kRules[] = {
    // Constants.
    {"constants", 8, "%r : 8 = add 3:8, 4:8", "0x7:8"},
    {"late_constant", 8, "%r : 8 = late 3:8", "0x3:8"},
    // and, or, xor of words.
    {"and_of_itself", 8, "%r : 8 = and %a, %a", "a"},
    {"and_with_ones", 8, "%r : 8 = and 0xff:8, %a", "a"},
    {"and_with_zero", 8, "%r : 8 = and %a, 0:8", "0x0:8"},
    {"and_with_mask_is_a_part", 8, "%r : 8 = and %a, 0x0f:8", "zext:8(slice:4[0](a))"},
    {"and_with_mask_in_the_middle", 8, "%r : 8 = and %a, 0x3c:8",
     "zext:8(concat:6(0x0:2, slice:4[2](a)))"},
    {"or_of_itself", 8, "%r : 8 = or %a, %a", "a"},
    {"or_with_zero", 8, "%r : 8 = or %a, 0:8", "a"},
    {"or_with_ones", 8, "%r : 8 = or %a, 0xff:8", "0xFF:8"},
    {"or_of_parts_is_a_concatenation", 32,
     "%0 : 32 = zext %a %1 : 32 = zext %b %2 : 32 = shl %1, 8:32 %r : 32 = or %0, %2",
     "zext:32(concat:16(a, b))"},
    {"xor_of_itself", 8, "%r : 8 = xor %a, %a", "0x0:8"},
    {"xor_with_zero", 8, "%r : 8 = xor %a, 0:8", "a"},
    {"xor_twice_with_ones", 8, "%0 : 8 = xor %a, 0xff:8 %r : 8 = xor %0, 0xff:8", "a"},
    // Conditions.
    {"condition_and_its_complement", 1, "%n : 1 = xor %p, 1:1 %r : 1 = and %p, %n", "0x0:1"},
    {"condition_or_its_complement", 1, "%n : 1 = xor %p, 1:1 %r : 1 = or %p, %n", "0x1:1"},
    {"and_that_says_it_twice", 1, "%0 : 1 = and %p, %q %r : 1 = and %0, %p", "and:1(p, q)"},
    {"or_absorbs_what_is_stronger", 1, "%0 : 1 = and %p, %q %r : 1 = or %0, %p", "p"},
    {"both_branches_are_always", 1,
     "%n : 1 = xor %q, 1:1 %0 : 1 = and %p, %q %1 : 1 = and %p, %n %r : 1 = or %0, %1", "p"},
    {"or_of_complement_and_more", 1, "%n : 1 = xor %q, 1:1 %0 : 1 = and %p, %n %r : 1 = or %q, %0",
     "or:1(p, q)"},
    {"and_assumes", 1, "%n : 1 = xor %p, 1:1 %0 : 1 = or %n, %q %r : 1 = and %p, %0",
     "and:1(p, q)"},
    {"and_assumes_what_is_included", 1, "%0 : 1 = or %p, %q %r : 1 = and %p, %0", "p"},
    {"and_of_what_cannot_be_equal_at_once", 1,
     "%0 : 1 = eq %a, 3:8 %1 : 1 = eq %a, 5:8 %r : 1 = and %0, %1", "0x0:1"},
    {"and_decides_what_is_compared", 1,
     "%0 : 8 = select %p, %a, %b %1 : 1 = slt %0, %c %r : 1 = and %p, %1", "and:1(p, slt:1(a, c))"},
    {"and_decides_what_is_not_equal", 1,
     "%0 : 8 = select %p, %a, %b %1 : 1 = ne %0, %c %n : 1 = xor %p, 1:1 %r : 1 = and %1, %n",
     "and:1(xor:1(p, 0x1:1), xor:1(eq:1(b, c), 0x1:1))"},
    // Selects.
    {"select_of_constant", 8, "%r : 8 = select 0:1, %a, %b", "b"},
    {"select_of_equal_sides", 8, "%r : 8 = select %p, %a, %a", "a"},
    {"select_by_complement", 8, "%n : 1 = xor %p, 1:1 %r : 8 = select %n, %a, %b",
     "select:8(p, b, a)"},
    {"select_of_bits_is_or", 1, "%r : 1 = select %p, 1:1, %q", "or:1(p, q)"},
    {"select_of_bits_is_and", 1, "%r : 1 = select %p, %q, 0:1", "and:1(p, q)"},
    {"select_of_bits_is_and_of_complement", 1, "%r : 1 = select %p, 0:1, %q",
     "and:1(q, xor:1(p, 0x1:1))"},
    {"select_of_bits_is_or_of_complement", 1, "%r : 1 = select %p, %q, 1:1",
     "or:1(q, xor:1(p, 0x1:1))"},
    {"select_before_zext", 32, "%0 : 32 = zext %a %1 : 32 = zext %b %r : 32 = select %p, %0, %1",
     "zext:32(select:8(p, a, b))"},
    {"select_before_sext", 32, "%0 : 32 = sext %a %1 : 32 = sext %b %r : 32 = select %p, %0, %1",
     "sext:32(select:8(p, a, b))"},
    {"select_before_both_extensions", 32,
     "%0 : 32 = zext %a %1 : 32 = sext %b %r : 32 = select %p, %0, %1",
     "sext:32(select:9(p, zext:9(a), sext:9(b)))"},
    {"select_of_sext_or_constant", 32, "%0 : 32 = sext %a %r : 32 = select %p, %0, 0xffffff00:32",
     "sext:32(select:9(p, sext:9(a), 0x100:9))"},
    {"select_of_active_bits", 32, "%0 : 32 = zext %a %r : 32 = select %p, %0, 5:32",
     "zext:32(select:8(p, a, 0x5:8))"},
    {"select_decides_its_sides", 8,
     "%0 : 8 = select %p, %a, %b %1 : 8 = select %p, %c, %a %r : 8 = select %p, %0, %1", "a"},
    // Sums and products.
    {"add_zero", 8, "%r : 8 = add %a, 0:8", "a"},
    {"add_of_bits", 1, "%r : 1 = add %p, %q", "xor:1(p, q)"},
    {"add_twice", 8, "%0 : 8 = add %a, 3:8 %r : 8 = add %0, 4:8", "add:8(a, 0x7:8)"},
    {"add_is_as_wide_as_needed", 32, "%0 : 32 = zext %a %1 : 32 = zext %b %r : 32 = add %0, %1",
     "zext:32(add:9(zext:9(a), zext:9(b)))"},
    {"subtract_zero", 8, "%r : 8 = sub %a, 0:8", "a"},
    {"subtract_itself", 8, "%r : 8 = sub %a, %a", "0x0:8"},
    {"subtract_constant", 8, "%r : 8 = sub %a, 1:8", "add:8(a, 0xFF:8)"},
    {"subtract_bits", 1, "%r : 1 = sub %p, %q", "xor:1(p, q)"},
    {"subtract_from_a_constant_that_is_more", 32, "%0 : 32 = zext %a %r : 32 = sub 0x1000:32, %0",
     "zext:32(sub:13(0x1000:13, zext:13(a)))"},
    {"subtract_from_a_constant_that_may_be_less", 32, "%0 : 32 = zext %a %r : 32 = sub 0xfe:32, %0",
     "sub:32(0xFE:32, zext:32(a))"},
    {"multiply_by_zero", 8, "%r : 8 = mul %a, 0:8", "0x0:8"},
    {"multiply_by_power", 8, "%r : 8 = mul %a, 4:8", "concat:8(0x0:2, slice:6[0](a))"},
    {"multiply_by_two_bits", 8, "%r : 8 = mul %a, 5:8", "add:8(a, concat:8(0x0:2, slice:6[0](a)))"},
    {"multiply_by_bit", 8, "%0 : 8 = zext %p %r : 8 = mul %a, %0", "select:8(p, a, 0x0:8)"},
    {"multiply_active_bits", 32, "%0 : 32 = zext %a %1 : 32 = zext %b %r : 32 = mul %0, %1",
     "zext:32(mul:16(a, b))"},
    {"multiply_signed", 32, "%0 : 32 = sext %a %1 : 32 = sext %b %r : 32 = mul %0, %1",
     "sext:32(mul:16 signed(a, b))"},
    {"multiply_signed_by_unsigned", 32, "%0 : 32 = sext %a %1 : 32 = zext %b %r : 32 = mul %0, %1",
     "sext:32(mul:17 signed(a, zext:9(b)))"},
    {"multiply_signed_by_constant", 32, "%0 : 32 = sext %a %r : 32 = mul %0, 0xfffffff5:32",
     "sext:32(mul:13 signed(a, 0x15:5))"},
    {"multiply_difference", 32,
     "%0 : 32 = zext %a %1 : 32 = zext %b %2 : 32 = sub %0, %1 %r : 32 = mul %2, %2",
     "sext:32(mul:18 signed(sub:9(zext:9(a), zext:9(b)), sub:9(zext:9(a), zext:9(b))))"},
    {"multiply_wide_by_few_bits", 32, "%0 : 32 = sext %a %r : 32 = mul %w, %0",
     "mul:32 signed(a, w)"},
    {"multiply_by_minus_one", 8, "%r : 8 = mul %a, 0xff:8", "sub:8(0x0:8, a)"},
    {"multiply_by_minus_four", 8, "%r : 8 = mul %a, 0xfc:8",
     "sub:8(0x0:8, concat:8(0x0:2, slice:6[0](a)))"},
    {"product_by_either_power", 8, "%0 : 8 = select %p, 4:8, 16:8 %r : 8 = mul %a, %0",
     "select:8(p, concat:8(0x0:2, slice:6[0](a)), concat:8(0x0:4, slice:4[0](a)))"},
    {"product_by_either_power_that_fits", 32,
     "%0 : 32 = zext %a %1 : 32 = select %p, 4:32, 16:32 %r : 32 = mul %1, %0",
     "zext:32(select:12(p, zext:12(concat:10(0x0:2, a)), concat:12(0x0:4, a)))"},
    {"sum_of_one", 8, "%r : 8 = sum %a", "a"},
    // Shifts.
    {"shift_by_zero", 8, "%r : 8 = shl %a, 0:8", "a"},
    {"shift_left", 8, "%r : 8 = shl %a, 3:8", "concat:8(0x0:3, slice:5[0](a))"},
    {"shift_left_too_far", 8, "%r : 8 = shl %a, 8:8", "0x0:8"},
    {"shift_right", 8, "%r : 8 = lshr %a, 3:8", "zext:8(slice:5[3](a))"},
    {"shift_right_too_far", 8, "%r : 8 = lshr %a, 9:8", "0x0:8"},
    {"shift_right_with_sign", 8, "%r : 8 = ashr %a, 3:8", "sext:8(slice:5[3](a))"},
    {"shift_right_with_sign_too_far", 8, "%r : 8 = ashr %a, 9:8", "sext:8(slice:1[7](a))"},
    {"shift_by_few_bits", 32, "%0 : 32 = zext %a %r : 32 = shl %w, %0", "shl:32(w, a)"},
    {"shift_right_before_zext", 32, "%0 : 32 = zext %a %r : 32 = lshr %0, %b",
     "zext:32(lshr:8(a, b))"},
    {"shift_right_with_sign_before_zext", 32, "%0 : 32 = zext %a %r : 32 = ashr %0, %b",
     "zext:32(lshr:8(a, b))"},
    {"shift_right_before_sext", 32, "%0 : 32 = sext %a %r : 32 = ashr %0, %b",
     "sext:32(ashr:8(a, b))"},
    // Comparisons.
    {"not_equal_is_not_equal", 1, "%r : 1 = ne %a, %b", "xor:1(eq:1(a, b), 0x1:1)"},
    {"ule_is_not_ult", 1, "%r : 1 = ule %a, %b", "xor:1(ult:1(b, a), 0x1:1)"},
    {"sle_is_not_slt", 1, "%r : 1 = sle %a, %b", "xor:1(slt:1(b, a), 0x1:1)"},
    {"equal_to_itself", 1, "%r : 1 = eq %a, %a", "0x1:1"},
    {"below_itself", 1, "%r : 1 = ult %a, %a", "0x0:1"},
    {"equal_bits", 1, "%r : 1 = eq %p, %q", "xor:1(xor:1(p, q), 0x1:1)"},
    {"compare_active_bits", 1, "%0 : 32 = zext %a %1 : 32 = zext %b %r : 1 = slt %0, %1",
     "ult:1(a, b)"},
    {"compare_before_sext", 1, "%0 : 32 = sext %a %1 : 32 = sext %b %r : 1 = slt %0, %1",
     "slt:1(a, b)"},
    {"compare_sext_with_constant", 1, "%0 : 32 = sext %a %r : 1 = slt %0, 0xfffffffe:32",
     "slt:1(a, 0xFE:8)"},
    {"compare_without_constant_parts", 1, "%0 : 20 = concat %a, 5:4, %b %r : 1 = eq %0, 0x12534:20",
     "eq:1(concat:16(a, b), 0x1234:16)"},
    {"constant_part_differs", 1, "%0 : 20 = concat %a, 5:4, %b %r : 1 = eq %0, 0x12634:20",
     "0x0:1"},
    {"below_zero", 1, "%r : 1 = ult %a, 0:8", "0x0:1"},
    {"above_ones", 1, "%r : 1 = ult 0xff:8, %a", "0x0:1"},
    {"above_zero", 1, "%r : 1 = ult 0:8, %a", "xor:1(eq:1(a, 0x0:8), 0x1:1)"},
    {"above_power", 1, "%r : 1 = ult 15:8, %a", "xor:1(eq:1(slice:4[4](a), 0x0:4), 0x1:1)"},
    {"above_no_power", 1, "%r : 1 = ult 14:8, %a", "ult:1(0xE:8, a)"},
    {"negative", 1, "%r : 1 = slt %a, 0:8", "slice:1[7](a)"},
    {"not_negative", 1, "%r : 1 = sle 0:8, %a", "xor:1(slice:1[7](a), 0x1:1)"},
    {"above_minus_one", 1, "%r : 1 = slt 0xff:8, %a", "xor:1(slice:1[7](a), 0x1:1)"},
    {"below_power", 1, "%r : 1 = ult %a, 16:8", "eq:1(slice:4[4](a), 0x0:4)"},
    // Parts of words.
    {"slice_of_slice", 4, "%0 : 16 = slice [4] %w %r : 4 = slice [8] %0", "slice:4[12](w)"},
    {"slice_of_all", 8, "%r : 8 = slice [0] %a", "a"},
    {"slice_of_concat", 8, "%0 : 24 = concat %a, %b, %c %r : 8 = slice [4] %0",
     "concat:8(slice:4[4](a), slice:4[0](b))"},
    {"slice_of_zext", 8, "%0 : 32 = zext %a %r : 8 = slice [4] %0", "zext:8(slice:4[4](a))"},
    {"slice_above_zext", 8, "%0 : 32 = zext %a %r : 8 = slice [8] %0", "0x0:8"},
    {"slice_of_sext", 8, "%0 : 32 = sext %a %r : 8 = slice [4] %0", "sext:8(slice:4[4](a))"},
    {"slice_above_sext", 8, "%0 : 32 = sext %a %r : 8 = slice [20] %0", "sext:8(slice:1[7](a))"},
    {"slice_of_bitwise", 4, "%0 : 8 = xor %a, %b %r : 4 = slice [2] %0",
     "xor:4(slice:4[2](a), slice:4[2](b))"},
    {"slice_of_select", 4, "%0 : 8 = select %p, %a, %b %r : 4 = slice [2] %0",
     "select:4(p, slice:4[2](a), slice:4[2](b))"},
    {"slice_of_sum", 4, "%0 : 8 = add %a, %b %r : 4 = slice [0] %0",
     "add:4(slice:4[0](a), slice:4[0](b))"},
    {"slice_of_product", 4, "%0 : 8 = mul %a, %b %r : 4 = slice [2] %0",
     "slice:4[2](mul:6(slice:6[0](a), slice:6[0](b)))"},
    {"zext_of_zext", 32, "%0 : 16 = zext %a %r : 32 = zext %0", "zext:32(a)"},
    {"zext_of_active_bits", 32, "%0 : 16 = concat %a, 0:8 %r : 32 = zext %0", "zext:32(a)"},
    {"sext_of_sext", 32, "%0 : 16 = sext %a %r : 32 = sext %0", "sext:32(a)"},
    {"sext_of_zext", 32, "%0 : 16 = zext %a %r : 32 = sext %0", "zext:32(a)"},
    {"lane_at_constant", 8, "%r : 8 = lane %w, 2:8", "slice:8[16](w)"},
    {"lane_beyond", 8, "%r : 8 = lane %w, 4:8", "0x0:8"},
    {"lane_at_few_bits", 8, "%0 : 32 = zext %a %r : 8 = lane %w, %0", "lane:8(w, a)"},
    {"neighbours_are_one_slice", 8,
     "%0 : 4 = slice [8] %w %1 : 4 = slice [12] %w %r : 8 = concat %0, %1", "slice:8[8](w)"},
    {"concat_of_concat", 24, "%0 : 16 = concat %a, %b %r : 24 = concat %0, %c",
     "concat:24(a, b, c)"},
    {"concat_of_constants", 16, "%0 : 12 = concat %a, 1:4 %r : 16 = concat %0, 2:4",
     "concat:16(a, 0x21:8)"},
    {"concat_below_zeros", 16, "%r : 16 = concat %a, 0:8", "zext:16(a)"},
};

std::string design_text(const Rule& rule) {
  return "design d input a : 8 input b : 8 input c : 8 input w : 32 input p : 1 input q : 1 "
         "stream out : " +
         std::to_string(rule.width) +
         " x 1 process run { %a : 8 = input a 1:1 %b : 8 = input b 1:1 %c : 8 = input c 1:1 "
         "%w : 32 = input w 1:1 %p : 1 = input p 1:1 %q : 1 = input q 1:1 " +
         rule.operations + " stream_write out 1:1, %r }";
}

class EveryRule : public testing::TestWithParam<Rule> {};

TEST_P(EveryRule, GivesASimplerFormOfTheSameMeaning) {
  const ir::Design before = design_of(design_text(GetParam()));
  ir::Design after = design_of(design_text(GetParam()));
  simplify(after, after.processes[0]);
  ir::verify(after);
  const ir::Process& process = after.processes[0];
  const ir::Op& write = process.ops[std::get<ir::ValueId>(process.body.back())];
  EXPECT_EQ(expression(after, process, write.operands[1]), GetParam().becomes);
  EXPECT_EQ(expect_same_meaning(before, after, 50), 50u);
}

INSTANTIATE_TEST_SUITE_P(Fold, EveryRule, testing::ValuesIn(kRules),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace vta::hlsc::passes
