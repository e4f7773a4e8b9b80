// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_MEMORY_BEAT_COUNTS_H_
#define VTA_SIM_MEMORY_BEAT_COUNTS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vta::sim {

// The number of beats that a master moved in each interval of cycles, from the start of a run.
class BeatCounts {
 public:
  static constexpr uint64_t kIntervalCycles = 256;

  // Counts `count` beats, one per cycle from `cycle` on.
  void add(uint64_t cycle, uint32_t count = 1) {
    while (count > 0) {
      const auto left = static_cast<uint32_t>(kIntervalCycles - cycle % kIntervalCycles);
      const uint32_t inside = std::min(count, left);
      of(cycle / kIntervalCycles) += inside;
      cycle += inside;
      count -= inside;
    }
  }
  // The counts up to the last interval with a beat.
  const std::vector<uint32_t>& beats() const { return beats_; }

  bool operator==(const BeatCounts&) const = default;

 private:
  uint32_t& of(uint64_t interval) {
    if (interval >= beats_.size()) beats_.resize(interval + 1);
    return beats_[interval];
  }
  std::vector<uint32_t> beats_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_BEAT_COUNTS_H_
