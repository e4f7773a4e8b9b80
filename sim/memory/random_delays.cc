// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/random_delays.h"

#include "base/numbers/random.h"

namespace vta::sim {
namespace {

// The kinds of random values of a burst; the pause after beat n is kFirstPause + n.
constexpr uint32_t kLatency = 0, kRequestGap = 1, kFirstPause = 2;
constexpr uint32_t kMaxPauseCycles = 3;

uint64_t mix(uint64_t value) { return Random(value).next(); }

}  // namespace

uint64_t RandomDelays::draw(const BurstId& burst, uint32_t what) const {
  const uint64_t channel =
      static_cast<uint64_t>(burst.master) * 2 + static_cast<uint64_t>(burst.direction);
  return mix(mix(mix(seed_ + (channel << 32)) + burst.number) + what);
}

uint64_t RandomDelays::latency(const BurstId& burst) const {
  return max_latency_ == 0 ? 0 : draw(burst, kLatency) % (max_latency_ + 1);
}

uint64_t RandomDelays::request_gap(const BurstId& burst) const {
  return max_request_gap_ == 0 ? 0 : draw(burst, kRequestGap) % (max_request_gap_ + 1);
}

uint64_t RandomDelays::pause(const BurstId& burst, uint32_t beat) const {
  if (pause_percent_ == 0) return 0;
  const uint64_t value = draw(burst, kFirstPause + beat);
  return value % 100 < pause_percent_ ? 1 + (value >> 32) % kMaxPauseCycles : 0;
}

}  // namespace vta::sim
