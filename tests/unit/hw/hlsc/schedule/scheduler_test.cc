// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/scheduler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/hlsc/ir/text.h"
#include "tests/support/error_in.h"

namespace vta::hlsc::schedule {
namespace {

ir::Design product() {
  return ir::parse(R"(design d stream in : 32 x 2 stream out : 64 x 2
process p {
  %x : 32 = stream_read in 1:1
  %1.square : 64 = mul %x, %x
  stream_write out 1:1, %1.square
})",
                   "d.hlsir");
}

TEST(Scheduler, RefusesAnOperationThatIsSlowerThanTheClock) {
  EXPECT_NO_THROW(schedule(product(), {}));
  const Error error =
      expect_error([&] { schedule(product(), {.period_ns = 7, .margin_ns = 0.7}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(std::string(error.what())
                .find("process p: mul 'square' takes 9.0 ns; a clock period of 7.0 ns leaves 6.3"),
            std::string::npos)
      << error.what();
}

std::string refusal_of(const std::string& text, const Options& options) {
  return error_in([&] { schedule(ir::parse(text, "d.hlsir"), options); });
}

// Each sum has n terms, in a state machine and in a pipeline.
TEST(Scheduler, RefusesASumThatIsSlowerThanTheClock) {
  for (const size_t terms : {3, 8, 200}) {
    for (const char* loop : {"", "  loop l if 1:1 ii 1 {\n  } while 1:1 {\n"}) {
      std::string sum = "    %s : 64 = sum %x";
      for (size_t i = 1; i < terms; ++i) sum += ", %x";
      const std::string text = fmt::format(
          "design d stream in : 64 x 2 stream out : 64 x 2\nprocess p {{\n{}"
          "    %x : 64 = stream_read in 1:1\n{}\n    stream_write out 1:1, %s\n{}}}",
          loop, sum, *loop == 0 ? "" : "  }\n");
      EXPECT_NE(refusal_of(text, {.period_ns = 3, .margin_ns = 0.3}).find("sum takes "),
                std::string::npos)
          << terms << loop;
      EXPECT_EQ(refusal_of(text, {.period_ns = 40, .margin_ns = 4}), "") << terms << loop;
    }
  }
}

TEST(Scheduler, MakesMoreStepsForAFasterClock) {
  const ir::Design design = ir::parse(R"(design d stream in : 32 x 2 stream out : 32 x 2
process p {
  %x : 32 = stream_read in 1:1
  %a : 32 = add %x, 7:32
  %b : 32 = add %a, %x
  %c : 32 = xor %b, %a
  stream_write out 1:1, %c
})",
                                      "d.hlsir");
  const auto steps = [&](double period_ns) {
    const Schedule made = schedule(design, {.period_ns = period_ns, .margin_ns = 0.5});
    return made.processes[0].num_steps.begin()->second;
  };
  EXPECT_GT(steps(5), steps(20));
}

}  // namespace
}  // namespace vta::hlsc::schedule
