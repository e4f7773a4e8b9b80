// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_RANDOM_MEMORY_H_
#define VTA_TESTS_SUPPORT_RANDOM_MEMORY_H_

#include <cstdint>
#include <iterator>

#include "base/numbers/random.h"
#include "configs/memory_config.h"

namespace vta::support {

// The memory `random` with other delays of each seed: from one that never pauses to one that nearly
// always does, with all masters on one port or each on its own.
inline MemoryConfig random_memory(uint32_t seed) {
  constexpr uint32_t kPausePercents[] = {30, 0, 60, 85};
  constexpr uint32_t kExtraLatencies[] = {60, 3, 200};
  constexpr uint32_t kRequestGaps[] = {12, 0, 40};
  constexpr uint32_t kPorts[] = {kNumMemoryMasters, 1, 2};
  Random random(seed);
  const auto one_of = [&](const auto& values) {
    return values[random.between(0, static_cast<int64_t>(std::size(values)) - 1)];
  };
  MemoryConfig memory = load_memory_config("random");
  memory.seed = seed;
  memory.pause_percent = one_of(kPausePercents);
  memory.max_extra_latency_cycles = one_of(kExtraLatencies);
  memory.max_request_gap_cycles = one_of(kRequestGaps);
  const uint32_t ports = one_of(kPorts);
  for (uint32_t master = 0; master < kNumMemoryMasters; ++master)
    memory.port[master] = master % ports;
  return memory;
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_RANDOM_MEMORY_H_
