// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/register_times.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace vta::hlsc::estimate {
namespace {

using rtl::Expression;

// A process p whose register r of `width` bits takes `value` of its registers a, b and c; c takes
// `of_c` if that is not empty.
std::optional<RegisterTime> register_of(uint32_t width, const Expression& value,
                                        const Expression& of_c = {}) {
  rtl::Module process;
  process.name = "D_p";
  process.ports = {{true, true, width, "r"}};
  for (const char* name : {"a", "b", "c"})
    process.nets.push_back({rtl::NetKind::kRegister, width, name, {}});
  std::vector<rtl::Statement> body = {rtl::nonblocking(rtl::net("r", width), value)};
  if (!of_c.empty()) body.push_back(rtl::nonblocking(rtl::net("c", width), of_c));
  process.items = {rtl::Always{rtl::Trigger::kClock, std::move(body)}};
  rtl::Module top;
  top.name = "D";
  top.ports = {{true, false, width, "r"}};
  top.items = {rtl::Instance{"D_p", "i_p", {}, {{"r", rtl::net("r", width)}}}};
  const rtl::File file{"", {{process, {}}, {top, {}}}};
  const RegisterTimes times = register_times(file);
  const auto found = times.find({"p", "r"});
  return found == times.end() ? std::nullopt : std::optional(found->second);
}

// -1: it is in a DSP48E1.
double time_of(uint32_t width, const Expression& value, const Expression& of_c = {}) {
  const auto found = register_of(width, value, of_c);
  return found ? found->period_ns : -1;
}

TEST(RegisterTimes, OfACopyAreAFlipFlopANetAndTheBypass) {
  // clock to Q, the net's base, the slice's bypass, setup
  EXPECT_NEAR(time_of(1, rtl::net("a")), 0.456 + 0.245 + 0.104 - 0.052, 1e-9);
}

TEST(RegisterTimes, OfAGateHaveOneLutInTheRegistersSlice) {
  EXPECT_NEAR(time_of(1, rtl::net("a") & rtl::net("b")), 0.456 + 0.245 + 0.124 + 0.02 - 0.052,
              1e-9);
}

TEST(RegisterTimes, CountFlipFlopsWithoutConstants) {
  EXPECT_EQ(register_of(8, rtl::net("a", 8)).value().flip_flops, 8U);
  EXPECT_EQ(register_of(8, rtl::net("a", 8) & rtl::literal(8, 7)).value().flip_flops, 3U);
  EXPECT_EQ(register_of(8, rtl::net("a", 8) | rtl::literal(8, 1)).value().flip_flops, 7U);
}

TEST(RegisterTimes, GrowWithTheCarriesOfASum) {
  const auto of_sum = [](uint32_t width) {
    return time_of(width, rtl::net("a", width) + rtl::net("b", width));
  };
  EXPECT_LT(of_sum(4), of_sum(16));
  EXPECT_NEAR(of_sum(32) - of_sum(16), 16 * 0.174 / 4, 0.05);
}

TEST(RegisterTimes, HaveNoEntryForAProductWhichTheDspKeeps) {
  const auto times = time_of(12, rtl::net("a", 12) * rtl::net("b", 12));
  EXPECT_EQ(times, -1);
}

TEST(RegisterTimes, KnowRegistersThatOnlyTakeAConstant) {
  const Expression a = rtl::net("a", 16), b = rtl::net("b", 16), c = rtl::net("c", 16);
  EXPECT_EQ(time_of(16, a + c, rtl::literal(16, 0)), time_of(16, a));
  EXPECT_GT(time_of(16, a + c, b), time_of(16, a) + 1);
}

TEST(RegisterTimes, BeginAtTheRegisterOfAProduct) {
  const Expression a = rtl::net("a", 12), b = rtl::net("b", 12), c = rtl::net("c", 12);
  const double of_product = time_of(12, c & a, a * b);
  EXPECT_NEAR(of_product - time_of(12, c & a, b), 2.305 - 0.456 + 0.728, 1e-9);
  EXPECT_EQ(time_of(12, c + a, a * b), -1);  // the adder of the DSP48E1
}

}  // namespace
}  // namespace vta::hlsc::estimate
