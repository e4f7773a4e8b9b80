// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_MEMORY_BEAT_COUNTS_H_
#define VTA_SIM_MEMORY_BEAT_COUNTS_H_

#include <cstdint>
#include <vector>

namespace vta::sim {

// How many beats a master moved in each stretch of so many cycles, from a run's first one on.
class BeatCounts {
 public:
  static constexpr uint64_t kStretchCycles = 256;

  // `count` beats, one a cycle from `cycle` on.
  void add(uint64_t cycle, uint32_t count = 1) {
    for (; count > 0; --count) ++of(cycle++ / kStretchCycles);
  }
  // Up to the last stretch in which there was one.
  const std::vector<uint32_t>& beats() const { return beats_; }

  bool operator==(const BeatCounts&) const = default;

 private:
  uint32_t& of(uint64_t stretch) {
    if (stretch >= beats_.size()) beats_.resize(stretch + 1);
    return beats_[stretch];
  }
  std::vector<uint32_t> beats_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_BEAT_COUNTS_H_
