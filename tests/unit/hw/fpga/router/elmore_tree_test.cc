// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/elmore_tree.h"

#include <gtest/gtest.h>

namespace vta::router {
namespace {

constexpr Node kPin{0}, kOut{1}, kLong{2}, kIn{3}, kOther{4};

SwitchTiming buffer(float ps, float ohm, float input_ff) {
  return {{ps, ps, ps, ps}, ohm, input_ff, true};
}
SwitchTiming pass_transistor() { return {{}, 0, 0, false}; }

TEST(ElmoreTree, ChargesAConductorByItsDriver) {
  ElmoreTree tree;
  tree.add(kPin, kOut, buffer(10, 1000, 5), {200, 4});
  // 1000 ohm * 4 fF + 200 ohm * 4 fF / 2
  EXPECT_FLOAT_EQ(tree.delays_to(kOut).slow_max, 10 + 4.4F);
}

TEST(ElmoreTree, LoadsAConductorWithTheInputsOfTheBuffersThatItDrives) {
  ElmoreTree tree;
  tree.add(kPin, kOut, buffer(10, 1000, 5), {200, 4});
  tree.add(kOut, kIn, buffer(20, 500, 7), {});
  tree.add(kOut, kOther, buffer(20, 500, 9), {});
  // 1000 ohm * (4 + 7 + 9) fF + 200 ohm * (2 + 7 + 9) fF
  EXPECT_FLOAT_EQ(tree.delays_to(kOut).slow_max, 10 + 20 + 3.6F);
  EXPECT_FLOAT_EQ(tree.delays_to(kIn).slow_max, 20);
}

TEST(ElmoreTree, LoadsADriverThroughPassTransistors) {
  ElmoreTree tree;
  tree.add(kPin, kOut, buffer(0, 1000, 0), {0, 4});
  tree.add(kOut, kLong, pass_transistor(), {100, 6});
  tree.add(kLong, kIn, buffer(0, 500, 7), {0, 100});
  EXPECT_FLOAT_EQ(tree.delays_to(kOut).slow_max, 4 + 6 + 7);
  EXPECT_FLOAT_EQ(tree.delays_to(kLong).slow_max, 0.1F * (3 + 7));
}

TEST(ElmoreTree, RefusesASecondDriver) {
  ElmoreTree tree;
  EXPECT_TRUE(tree.add(kPin, kIn, {}, {}));
  EXPECT_FALSE(tree.add(kOut, kIn, {}, {}));
  EXPECT_EQ(tree.source_of(kIn), kPin);
  EXPECT_EQ(tree.source_of(kPin), std::nullopt);
}

}  // namespace
}  // namespace vta::router
