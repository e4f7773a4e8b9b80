// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_PACE_H_
#define VTA_TESTS_HLS_PACE_H_

#include <cstdint>
#include <functional>
#include <string>

#include "base/numbers/random.h"

namespace vta::kernels {

// How fast the environment of a kernel is in a trial: always ready, every other cycle, or rarely.
inline int pace_of(uint64_t seed) {
  static constexpr int kPaces[] = {100, 50, 15};
  return kPaces[seed % 3];
}

// The number of cycles for which the environment makes a kernel wait at one of its streams, between
// one item and the next.
class Gaps {
 public:
  Gaps() : Gaps(0, 100, "") {}
  Gaps(uint64_t seed, int pace, const std::string& stream)
      : random_(seed ^ hash(stream)), pace_(pace) {}

  uint64_t next() {
    uint64_t cycles = 0;
    while (!random_.chance(pace_)) ++cycles;
    return cycles;
  }

 private:
  static uint64_t hash(const std::string& text) {  // FNV-1a
    uint64_t value = 0xcbf29ce484222325u;
    for (char c : text) value = (value ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
    return value;
  }

  Random random_;
  int pace_;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_PACE_H_
