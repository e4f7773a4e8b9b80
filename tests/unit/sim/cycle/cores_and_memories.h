// SPDX-License-Identifier: Apache-2.0
//
// The parameters of tests that compare the cycle model with the Verilated core: every Verilated
// core with every memory of configs/memories, and how fast the memory `random` is.
#ifndef VTA_TESTS_UNIT_SIM_CYCLE_CORES_AND_MEMORIES_H_
#define VTA_TESTS_UNIT_SIM_CYCLE_CORES_AND_MEMORIES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "configs/config_files.h"
#include "configs/memory_config.h"
#include "tests/support/random_memory.h"
#include "tests/support/rtl_cores.h"

namespace vta::sim {

struct CoreAndMemory {
  std::string core, memory;
  uint64_t share;  // without a given seed, the test runs one program in so many
};

inline std::vector<CoreAndMemory> cores_and_memories() {
  std::vector<CoreAndMemory> all;
  for (const std::string& core : support::rtl_cores()) {
    for (const std::string& memory : installed_config_names("memories"))
      all.push_back({core, memory, core == "tiny_1x8" ? uint64_t{1} : uint64_t{20}});
  }
  return all;
}

// The memory of a test with a seed; `random` has other delays with each.
inline MemoryConfig memory_of(const std::string& name, uint64_t seed) {
  if (name == "random") return support::random_memory(static_cast<uint32_t>(seed));
  MemoryConfig memory = load_memory_config(name);
  memory.seed = static_cast<uint32_t>(seed);
  return memory;
}

inline std::string name_of(const CoreAndMemory& given) {
  std::string name = given.core + "_" + given.memory;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace vta::sim

#endif  // VTA_TESTS_UNIT_SIM_CYCLE_CORES_AND_MEMORIES_H_
