// SPDX-License-Identifier: Apache-2.0
// hls_fifo against a queue.
#include <gtest/gtest.h>

#include <deque>

#include "tests/unit/hw_rtl/library.h"
#include "tests/unit/hw_rtl/pace.h"

namespace vta::rtl {
namespace {

constexpr int kSmall = 32;  // items; deeper FIFOs use block RAM

class Fifo : public testing::TestWithParam<int> {
 protected:
  int depth() const { return kFifoDepths[GetParam()]; }
  // Cycles from a push into an empty FIFO until the item is available.
  int latency() const { return depth() <= kSmall ? 1 : 2; }

  bool full() { return library_.pins.fifo_full[GetParam()]; }
  bool empty() { return library_.pins.fifo_empty[GetParam()]; }
  uint64_t front() { return library_.pins.fifo_dout[GetParam()]; }
  // A cycle with or without a push and a pop.
  void cycle(bool push, uint64_t item, bool pop) {
    library_.pins.fifo_push[GetParam()] = push;
    library_.pins.fifo_din = item;
    library_.pins.fifo_pop[GetParam()] = pop;
    library_.clock();
    library_.pins.fifo_push[GetParam()] = library_.pins.fifo_pop[GetParam()] = false;
    library_.settle();
  }
  void fill() {
    for (int i = 0; i < depth(); ++i) cycle(true, i, false);
  }

  Library library_;
};

TEST_P(Fifo, KeepsWhatIsPushedInOrder) {
  struct Item {
    uint64_t value;
    int pushed;
  };
  const uint64_t seed = 7000 + GetParam();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Pace pace(random, 2 * depth() + 5);
  std::deque<Item> model;
  bool was_full = false;
  for (int i = 0; i < 60 * depth() + 2000; ++i) {
    pace.next_cycle();
    const bool seen = !model.empty() && library_.cycle() >= model.front().pushed + latency();
    ASSERT_EQ(empty(), !seen) << "cycle " << i;
    ASSERT_EQ(full(), std::ssize(model) == depth()) << "cycle " << i;
    if (seen) ASSERT_EQ(front(), model.front().value) << "cycle " << i;
    was_full |= full();

    const bool push = !full() && pace.push(), pop = !empty() && pace.pop();
    const uint64_t item = random.next();
    if (pop) model.pop_front();
    if (push) model.push_back({item, library_.cycle()});
    cycle(push, item, pop);
  }
  EXPECT_TRUE(was_full);
}

// A FIFO of depth 1 is full until the cycle after the pop.
TEST_P(Fifo, MovesAnItemACycle) {
  constexpr int kItems = 3000;
  int pushed = 0, popped = 0, cycles = 0;
  for (; popped < kItems && cycles < 3 * kItems; ++cycles) {
    const bool push = !full(), pop = !empty();
    if (pop) ASSERT_EQ(front(), popped);
    cycle(push, pushed, pop);
    pushed += push;
    popped += pop;
  }
  EXPECT_EQ(cycles, depth() == 1 ? 2 * kItems : kItems + latency());
}

TEST_P(Fifo, IsEmptyAfterAReset) {
  fill();
  EXPECT_TRUE(full());
  library_.pins.rst = 1;
  library_.clock();
  library_.pins.rst = 0;
  library_.settle();
  EXPECT_TRUE(empty());
  EXPECT_FALSE(full());
  cycle(true, 42, false);
  cycle(false, 0, false);
  EXPECT_FALSE(empty());
  EXPECT_EQ(front(), 42);
}

TEST_P(Fifo, StopsTheSimulationAtAPushIntoAFullFifo) {
  fill();
  EXPECT_DEATH(cycle(true, 0, false), "");
}

TEST_P(Fifo, StopsTheSimulationAtAPopFromAnEmptyFifo) { EXPECT_DEATH(cycle(false, 0, true), ""); }

INSTANTIATE_TEST_SUITE_P(Depths, Fifo, testing::Range(0, static_cast<int>(std::size(kFifoDepths))),
                         [](const auto& info) { return std::to_string(kFifoDepths[info.param]); });

}  // namespace
}  // namespace vta::rtl
