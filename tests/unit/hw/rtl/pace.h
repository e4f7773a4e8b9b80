// SPDX-License-Identifier: Apache-2.0
//
// Random rates of the two ends of a queue: from time to time one of them nearly stops, or never
// pauses.
#ifndef VTA_TESTS_UNIT_HW_RTL_PACE_H_
#define VTA_TESTS_UNIT_HW_RTL_PACE_H_

#include <iterator>

#include "base/numbers/random.h"

namespace vta::rtl {

class Pace {
 public:
  // The rates change every `cycles`.
  Pace(Random& random, int cycles) : random_(random), cycles_(cycles) {}

  void next_cycle() {
    if (cycle_++ % cycles_ != 0) return;
    push_ = percent();
    pop_ = percent();
  }
  bool push() { return random_.chance(push_); }
  bool pop() { return random_.chance(pop_); }

 private:
  int percent() {
    constexpr int kPercents[] = {0, 5, 50, 95, 100, 100};
    return kPercents[random_.between(0, std::size(kPercents) - 1)];
  }

  Random& random_;
  int cycles_;
  int cycle_ = 0;
  int push_ = 0, pop_ = 0;
};

}  // namespace vta::rtl

#endif  // VTA_TESTS_UNIT_HW_RTL_PACE_H_
