// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random numbers, the same on every machine (unlike the distributions of <random>).
#ifndef VTA_BASE_NUMBERS_RANDOM_H_
#define VTA_BASE_NUMBERS_RANDOM_H_

#include <cmath>
#include <cstdint>

namespace vta {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [low, high], both included. The bias of the modulo is below 2^-32 for the ranges
  // used here.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (static_cast<uint64_t>(high - low) + 1));
  }
  bool chance(int percent) { return between(0, 99) < percent; }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Standard normal, approximated by the sum of twelve uniform numbers (Irwin-Hall): no
  // transcendental function, hence the same bits everywhere.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += unit();
    return sum;
  }

 private:
  uint64_t state_;
};

}  // namespace vta

#endif  // VTA_BASE_NUMBERS_RANDOM_H_
