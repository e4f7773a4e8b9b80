// SPDX-License-Identifier: Apache-2.0
//
// Operations that are slower than the clock are split, mean the same, and fit.
// VTA_TEST_COUNT: random designs, 600 if not given.
#include "hw/hlsc/schedule/split_operations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/schedule/check.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"
#include "tests/unit/hw/hlsc/passes/random_expressions.h"

namespace vta::hlsc::schedule {
namespace {

Options options_of(double period_ns) {
  return {.period_ns = period_ns, .margin_ns = 0.1 * period_ns, .ram_output_registers = false};
}

TEST(SplitOperations, OfRandomExpressionsFitAndMeanTheSame) {
  constexpr uint64_t kTrials = 3;
  const uint64_t designs = support::test_count(600);
  for (uint64_t seed = 0; seed < designs && !HasFailure(); ++seed) {
    for (const double period_ns : {3.5, 4.0, 6.0}) {
      SCOPED_TRACE(fmt::format("expressions of seed {} at {} ns", seed, period_ns));
      const ir::Design before = random_expressions(seed);
      ir::Design after = random_expressions(seed);
      split_operations(after, options_of(period_ns));
      const Schedule made = schedule(after, options_of(period_ns));
      check(after, made);
      expect_same_meaning(before, after, kTrials);
    }
  }
}

// A pipelined loop that computes `%r` from `%a` and `%b`, of `width` bits.
std::string pipeline_of(uint32_t width, uint32_t result, const std::string& operation) {
  return fmt::format(R"(design d stream in : {0} x 2 stream in2 : {0} x 2 stream out : {1} x 2
process p {{
  loop l if 1:1 ii 1 {{
  }} while 1:1 {{
    %a : {0} = stream_read in 1:1
    %b : {0} = stream_read in2 1:1
    {2}
    stream_write out 1:1, %r
  }}
}})",
                     width, result, operation);
}

struct Case {
  const char* name;
  uint32_t width, result;
  const char* operation;
};

class Pipelined : public testing::TestWithParam<Case> {};

TEST_P(Pipelined, FitsWithIntervalOne) {
  const Case& it = GetParam();
  for (const double period_ns : {3.5, 4.0, 5.0, 8.0}) {
    SCOPED_TRACE(period_ns);
    const ir::Design before = design_of(pipeline_of(it.width, it.result, it.operation));
    ir::Design after = design_of(pipeline_of(it.width, it.result, it.operation));
    split_operations(after, options_of(period_ns));
    const Schedule made = schedule(after, options_of(period_ns));
    check(after, made);
    ASSERT_EQ(made.processes[0].nests.size(), 1);
    EXPECT_EQ(made.processes[0].nests.begin()->second.initiation_interval, 1);
    expect_same_meaning(before, after, 20);
  }
}

INSTANTIATE_TEST_SUITE_P(
    SplitOperations, Pipelined,
    testing::Values(Case{"Product8", 8, 16, "%r : 16 = mul signed %a, %b"},
                    Case{"Product16", 16, 32, "%r : 32 = mul %a, %b"},
                    Case{"Product32", 32, 64, "%r : 64 = mul signed %a, %b"},
                    Case{"Product64", 64, 64, "%r : 64 = mul %a, %b"},
                    Case{"Product90", 90, 128, "%r : 128 = mul signed %a, %b"},
                    Case{"ByTenth", 32, 64, "%r : 64 = mul %a, 0xcccccccd:32"},
                    Case{"ByMinusThree", 40, 40, "%r : 40 = mul %a, 0xfffffffffd:40"},
                    Case{"Sum64", 64, 64, "%r : 64 = sum %a, %b, %a"},
                    Case{"LongSum", 64, 64, "%r : 64 = sum %a, %b, %a, %b, %a, %b, %b, %b, %a"},
                    Case{"Difference", 100, 100, "%r : 100 = sub %a, %b"},
                    Case{"Left", 64, 64, "%r : 64 = shl %a, %b"},
                    Case{"Logical", 33, 33, "%r : 33 = lshr %a, %b"},
                    Case{"Arithmetic", 32, 32, "%r : 32 = ashr %a, %b"},
                    Case{"Equal", 128, 1, "%r : 1 = eq %a, %b"},
                    Case{"Different", 128, 1, "%r : 1 = ne %a, %b"},
                    Case{"Less", 128, 1, "%r : 1 = slt %a, %b"},
                    Case{"LessUnsigned", 128, 1, "%r : 1 = ult %a, %b"},
                    Case{"AtMost", 128, 1, "%r : 1 = sle %a, %b"},
                    Case{"AtMostUnsigned", 128, 1, "%r : 1 = ule %a, %b"}),
    [](const auto& given) { return std::string(given.param.name); });

TEST(SplitOperations, LeavesADesignThatFits) {
  const std::string text = pipeline_of(16, 32, "%r : 32 = mul %a, %b");
  ir::Design design = design_of(text);
  split_operations(design, options_of(10));
  EXPECT_EQ(ir::print(design), ir::print(design_of(text)));
}

// A sum over items cannot be split at interval 1: each addition needs the one before.
TEST(SplitOperations, OfARecurrenceNeedALongerInterval) {
  const std::string text = R"(design d stream in : 64 x 2 register total : 64
process p {
  loop l if 1:1 ii 1 {
  } while 1:1 {
    %t : 64 = reg_read total 1:1
    %a : 64 = stream_read in 1:1
    %r : 64 = add %t, %a
    reg_write total 1:1, %r
  }
})";
  ir::Design design = design_of(text);
  split_operations(design, options_of(4));
  const Error error = expect_error([&] { schedule(design, options_of(4)); });
  EXPECT_NE(std::string(error.what()).find("initiation interval 1 of loop l is not achievable"),
            std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find("the interval could be"), std::string::npos)
      << error.what();
}

TEST(SplitOperations, LeaveWhatCannotFitForTheRefusal) {
  ir::Design design = design_of(pipeline_of(32, 32, "%r : 32 = sum %a, %b, %a"));
  split_operations(design, options_of(3));
  const Error error = expect_error([&] { schedule(design, options_of(3)); });
  EXPECT_NE(std::string(error.what()).find("sum takes 3.8 ns"), std::string::npos) << error.what();
}

// The counters of a nest have no stages.
TEST(SplitOperations, LeaveCountersForTheRefusal) {
  const std::string text = R"(design d stream out : 64 x 2
process p {
  loop l if 1:1 ii 1 {
    phi %i : 64 = 0:64, %next
    %c : 1 = ult %i, 0xffffffffff:64
  } while %c {
    stream_write out 1:1, %i
    %next : 64 = add %i, 3:64
  }
})";
  ir::Design design = design_of(text);
  split_operations(design, options_of(3.5));
  const std::string error = error_in([&] { schedule(design, options_of(3.5)); });
  EXPECT_NE(error.find("takes"), std::string::npos) << error;
  EXPECT_NE(error.find("computes the counters"), std::string::npos) << error;
}

}  // namespace
}  // namespace vta::hlsc::schedule
