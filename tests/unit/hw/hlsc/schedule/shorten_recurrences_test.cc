// SPDX-License-Identifier: Apache-2.0
//
// Recurrences that are longer than the initiation interval are shortened, mean the same, and fit.
// VTA_TEST_COUNT: random bodies, 400 if not given.
#include "hw/hlsc/schedule/shorten_recurrences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/schedule/check.h"
#include "hw/hlsc/schedule/fit_period.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "hw/hlsc/schedule/split_operations.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"
#include "tests/unit/hw/hlsc/schedule/random_recurrences.h"

namespace vta::hlsc::schedule {
namespace {

Options options_of(double period_ns) {
  return {.period_ns = period_ns, .margin_ns = 0.1 * period_ns, .ram_output_registers = false};
}

// A pipelined loop that computes `%n` of `width` bits from register r, `%r`, and items of 64 bits,
// `%i`, whose parts are `%a` and `%b` of the same width and the bits `%p`, `%q` and `%s`.
std::string loop_of(uint32_t width, int interval, const std::string& operations) {
  return fmt::format(R"(design d stream in : 64 x 2 register r : {0} register r2 : {0}
process p {{
  loop l if 1:1 ii {1} {{
  }} while 1:1 {{
    %r : {0} = reg_read r 1:1
    %r2 : {0} = reg_read r2 1:1
    %i : 64 = stream_read in 1:1
    %a : {0} = slice %i
    %b : {0} = slice [20] %i
    %p : 1 = slice [40] %i
    %q : 1 = slice [41] %i
    %s : 1 = slice [42] %i
    {2}
    reg_write r 1:1, %n
    reg_write r2 1:1, %n2
  }}
}})",
                     width, interval, operations);
}

struct Case {
  const char* name;
  uint32_t width;
  int interval;
  double period_ns;
  const char* operations;  // of %n, in program order
  const char* other = "%n2 : {0} = xor %r2, %a";
};

class Recurrence : public testing::TestWithParam<Case> {
 protected:
  static std::string text() {
    const Case& it = GetParam();
    const std::string other = fmt::format(fmt::runtime(it.other), it.width);
    return loop_of(it.width, it.interval,
                   fmt::format(fmt::runtime(it.operations), it.width) + "\n    " + other);
  }
};

TEST_P(Recurrence, IsRefusedAsItIs) {
  const Options options = options_of(GetParam().period_ns);
  ir::Design design = design_of(text());
  split_operations(design, options);
  const std::string refusal = error_in([&] { schedule(design, options); });
  EXPECT_NE(refusal.find("is not achievable"), std::string::npos) << refusal;
}

TEST_P(Recurrence, FitsTheIntervalAndMeansTheSame) {
  const Options options = options_of(GetParam().period_ns);
  const ir::Design before = design_of(text());
  ir::Design after = design_of(text());
  fit_period(after, options);
  check(after, schedule(after, options));
  expect_same_meaning(before, after, 20);
}

INSTANTIATE_TEST_SUITE_P(
    ShortenRecurrences, Recurrence,
    testing::Values(Case{"Conjunction", 1, 1, 3, R"(%x : 1 = and %r, %a
    %y : 1 = and %b, %x
    %z : 1 = and %y, %p
    %n : 1 = and %z, %q)"},
                    Case{"GatesOfSeveralKinds", 1, 1, 3, R"(%x : 1 = and %r, %a
    %y : 1 = or %b, %x
    %z : 1 = xor %y, %p
    %w : 1 = and %z, %q
    %n : 1 = xor %w, 1:1)"},
                    Case{"OfABitInSeveralGates", 1, 1, 3, R"(%x : 1 = and %r, %a
    %y : 1 = and %r, %b
    %z : 1 = or %x, %y
    %w : 1 = or %z, %p
    %n : 1 = select %q, %w, %r)"},
                    Case{"GatesOfWords", 8, 1, 3, R"(%x : {0} = or %r, %a
    %y : {0} = or %b, %x
    %z : {0} = or %y, 0x3:8
    %n : {0} = or %z, %a)"},
                    Case{"Comparison", 8, 1, 4.2, R"(%e : 1 = eq %r, 0x0:8
    %x : 1 = and %e, %p
    %y : 1 = and %x, %q
    %n : {0} = select %y, %a, %b)"},
                    Case{"Multiplexers", 8, 1, 3, R"(%x : {0} = select %p, %r, %a
    %y : {0} = select %q, %b, %x
    %n : {0} = select %s, %y, 0x5:8)"},
                    Case{"Sum", 16, 1, 4, R"(%x : {0} = add %r, %a
    %n : {0} = add %b, %x)"},
                    Case{"SumOfThree", 16, 1, 4.2, R"(%n : {0} = sum %a, %r, %b, %a)"},
                    Case{"Difference", 16, 1, 4, R"(%x : {0} = add %a, %r
    %n : {0} = sub %x, %b)"},
                    Case{"SumUnderACondition", 16, 1, 4, R"(%x : {0} = add %r, %a
    %n : {0} = select %p, %x, %r)"},
                    Case{"SumAtIntervalTwo", 16, 2, 4, R"(%x : {0} = add %r, %a
    %y : {0} = add %x, %b
    %n : {0} = add %y, %a)"},
                    Case{"OfTwoRegisters", 1, 1, 3.2, R"(%x : 1 = and %r, %a
    %y : 1 = and %x, %r2
    %z : 1 = and %y, %b
    %n : 1 = and %z, %p)",
                         "%n2 : {0} = and %z, %q"}),
    [](const auto& given) { return std::string(given.param.name); });

TEST(ShortenRecurrences, LeavesABodyThatHasASchedule) {
  const std::string text = loop_of(16, 1, R"(%x : 16 = add %r, %a
    %n : 16 = add %x, %b
    %n2 : 16 = xor %r2, %a)");
  ir::Design design = design_of(text);
  fit_period(design, options_of(10));
  EXPECT_EQ(ir::print(design), ir::print(design_of(text)));
}

TEST(ShortenRecurrences, LeavesARecurrenceThatFitsNextToOneThatDoesNot) {
  ir::Design design = design_of(loop_of(16, 1, R"(%x : 16 = add %r, %a
    %n : 16 = add %x, %b
    %y2 : 16 = xor %r2, %a
    %n2 : 16 = xor %y2, %b)"));
  fit_period(design, options_of(4));
  const std::string text = ir::print(design);
  EXPECT_NE(text.find("= add %3, %4"), std::string::npos) << text;  // %a and %b
  EXPECT_NE(text.find("= xor %1, %3"), std::string::npos) << text;  // %r2 and %a, as it was
}

// Two sums whose carried values differ are one after the other, whatever the order.
TEST(ShortenRecurrences, LeavesWhatIsTooLongForTheRefusal) {
  ir::Design design = design_of(loop_of(16, 1, R"(%x : 16 = add %r, %a
    %e : 1 = eq %x, %b
    %n : 16 = select %e, %a, %x
    %n2 : 16 = xor %r2, %a)"));
  fit_period(design, options_of(4));
  const std::string refusal = error_in([&] { schedule(design, options_of(4)); });
  EXPECT_NE(refusal.find("is not achievable: register r is written"), std::string::npos) << refusal;
}

TEST(ShortenRecurrences, OfRandomBodiesMeanTheSame) {
  constexpr uint64_t kTrials = 3;
  const support::Seeds seeds = support::test_seeds(1, support::test_count(400));
  uint64_t helped = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end && !testing::Test::HasFailure(); ++seed) {
    for (const double period_ns : {3.3, 4.0, 5.0}) {
      const std::string text = random_recurrences(seed);
      SCOPED_TRACE(fmt::format("recurrences of seed {} at {} ns:\n{}", seed, period_ns, text));
      const Options options = options_of(period_ns);
      ir::Design split = design_of(text), after = design_of(text);
      split_operations(split, options);
      fit_period(after, options);
      expect_same_meaning(design_of(text), after, kTrials);
      const bool was_refused = !error_in([&] { schedule(split, options); }).empty();
      const std::string refusal =
          error_in([&] { check(after, schedule(after, options)); }, ErrorCode::kInvalidArgument);
      if (!was_refused) EXPECT_EQ(refusal, "");
      helped += was_refused && refusal.empty() ? 1 : 0;
    }
  }
  if (seeds.end - seeds.begin >= 100) EXPECT_GT(helped, (seeds.end - seeds.begin) / 10);
}

}  // namespace
}  // namespace vta::hlsc::schedule
