// SPDX-License-Identifier: Apache-2.0
// hls_tokens against a counter.
#include <gtest/gtest.h>

#include "tests/unit/hw_rtl/library.h"
#include "tests/unit/hw_rtl/pace.h"

namespace vta::rtl {
namespace {

class Tokens : public testing::TestWithParam<int> {
 protected:
  int depth() const { return kTokenDepths[GetParam()]; }
  bool full() { return library_.pins.tokens_full[GetParam()]; }
  bool empty() { return library_.pins.tokens_empty[GetParam()]; }
  int count() { return library_.pins.tokens_count[GetParam()]; }
  void cycle(bool push, bool pop) {
    library_.pins.tokens_push[GetParam()] = push;
    library_.pins.tokens_pop[GetParam()] = pop;
    library_.clock();
    library_.pins.tokens_push[GetParam()] = library_.pins.tokens_pop[GetParam()] = false;
    library_.settle();
  }

  Library library_;
};

TEST_P(Tokens, CountPushesMinusPops) {
  const uint64_t seed = 7100 + GetParam();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Pace pace(random, 2 * depth() + 5);
  int model = 0;
  bool was_full = false;
  for (int i = 0; i < 60 * depth() + 2000; ++i) {
    pace.next_cycle();
    ASSERT_EQ(count(), model) << "cycle " << i;
    ASSERT_EQ(empty(), model == 0) << "cycle " << i;
    ASSERT_EQ(full(), model == depth()) << "cycle " << i;
    was_full |= full();
    const bool push = !full() && pace.push(), pop = !empty() && pace.pop();
    model += push - pop;
    cycle(push, pop);
  }
  EXPECT_TRUE(was_full);
}

TEST_P(Tokens, StopTheSimulationAtAPushIntoAFullQueue) {
  for (int i = 0; i < depth(); ++i) cycle(true, false);
  EXPECT_DEATH(cycle(true, false), "");
}

TEST_P(Tokens, StopTheSimulationAtAPopFromAnEmptyQueue) { EXPECT_DEATH(cycle(false, true), ""); }

INSTANTIATE_TEST_SUITE_P(Depths, Tokens,
                         testing::Range(0, static_cast<int>(std::size(kTokenDepths))),
                         [](const auto& info) { return std::to_string(kTokenDepths[info.param]); });

}  // namespace
}  // namespace vta::rtl
