// SPDX-License-Identifier: Apache-2.0
//
// The Verilated core with all mutants of a sample (schemata.py), of which one is selected.
#ifndef VTA_TESTS_MUTATIONS_MUTATED_CORE_H_
#define VTA_TESTS_MUTATIONS_MUTATED_CORE_H_

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "configs/memory_config.h"
#include "sim/timed/timed_core.h"

namespace vta::mutations {

// A run has taken more cycles than MutatedCore allows.
struct EndlessRun : std::runtime_error {
  EndlessRun() : std::runtime_error("the run has taken too many cycles") {}
};

// What all mutated cores of a process share.
struct Selection {
  uint16_t mutant = 0;                     // 0: the original
  uint64_t evaluations_left = UINT64_MAX;  // of the model; its eval() throws EndlessRun at 0
  uint64_t arena_bytes = 0;                // what the core believes; 0: the arena's size
  uint32_t port_errors = 0;                // of all evaluations: bit i is that of MemoryMaster i
};
Selection& selection();

// The cycles of a run, as evaluations: two for each cycle, and those of the reset and of the quiet
// cycles at the end.
inline uint64_t evaluations_of(uint64_t cycles) { return 2 * cycles + 100; }

std::unique_ptr<sim::TimedCore> make_mutated_core(bool extension, const MemoryConfig& memory);

}  // namespace vta::mutations

#endif  // VTA_TESTS_MUTATIONS_MUTATED_CORE_H_
