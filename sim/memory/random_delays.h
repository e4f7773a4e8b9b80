// SPDX-License-Identifier: Apache-2.0
//
// The random delays of a memory. Each delay is a function of the seed, the master, the direction
// and the number of the burst within that master and direction. It does not depend on other masters
// or on time.
#ifndef VTA_SIM_MEMORY_RANDOM_DELAYS_H_
#define VTA_SIM_MEMORY_RANDOM_DELAYS_H_

#include <cstdint>

#include "configs/memory_config.h"

namespace vta::sim {

enum class Direction : uint8_t { kRead, kWrite };

struct BurstId {
  MemoryMaster master;
  Direction direction;
  uint64_t number;  // from 0
};

class RandomDelays {
 public:
  explicit RandomDelays(const MemoryConfig& config)
      : seed_(config.seed),
        max_latency_(config.max_extra_latency_cycles),
        max_request_gap_(config.max_request_gap_cycles),
        pause_percent_(config.pause_percent) {}

  // Added to the latency of a burst's data (read) or response (write).
  uint64_t latency(const BurstId& burst) const;
  // Cycles after the request of `burst` in which its master's next request is not accepted.
  uint64_t request_gap(const BurstId& burst) const;
  // Cycles between beat `beat` of `burst` and the next one.
  uint64_t pause(const BurstId& burst, uint32_t beat) const;

 private:
  uint64_t draw(const BurstId& burst, uint32_t what) const;

  const uint64_t seed_;
  const uint32_t max_latency_, max_request_gap_, pause_percent_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_RANDOM_DELAYS_H_
