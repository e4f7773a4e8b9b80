// SPDX-License-Identifier: Apache-2.0
//
// The core with all mutants of a sample (schemata.py), of which one is selected: as Verilog
// (mutated_verilog.cc) or as a cycle model (mutated_model.cc).
#ifndef VTA_TESTS_MUTATIONS_MUTATED_CORE_H_
#define VTA_TESTS_MUTATIONS_MUTATED_CORE_H_

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "tests/mutations/core_runs.h"

namespace vta::mutations {

// A mutant that takes this many times as long as the original is noticed.
constexpr uint64_t kMaxSlowdown = 4;
constexpr uint64_t kMinCycles = 20'000;

// A run has taken too many cycles.
struct EndlessRun : std::runtime_error {
  EndlessRun() : std::runtime_error("the run has taken too many cycles") {}
};

// Selects the mutant of all cores of the process. 0: the original.
void select_mutant(uint16_t mutant);

std::unique_ptr<sim::TimedCore> make_mutated_core(const CoreSetting& setting);

// Processor time after which a mutant is one that does not end.
uint64_t max_processor_seconds();

// Whether runs leave the arena that the program leaves.
bool mutated_cores_compute();

// Called before each run: limits it, and may leave the core in another state. `index`: of the run.
void prepare_run(sim::TimedCore& core, const CoreRun& run, size_t index);

// Whether a port reports an error of the bus that it has not received, or misses one.
bool has_wrong_port_errors();

}  // namespace vta::mutations

#endif  // VTA_TESTS_MUTATIONS_MUTATED_CORE_H_
