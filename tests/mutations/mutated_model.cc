// SPDX-License-Identifier: Apache-2.0
//
// The model computes no data, as for the device `timing`: its control registers, counters, cycles,
// states of stages and records are those of the emitted code, not of the native core.
#include <model_mutants.h>

#include "sim/cycle/cycle_core_of.h"
#include "tests/mutations/mutated_core.h"

namespace vta::process_network {
uint16_t hls_mutant = 0;
}  // namespace vta::process_network

namespace vta::mutations {

void select_mutant(uint16_t mutant) { process_network::hls_mutant = mutant; }

std::unique_ptr<sim::TimedCore> make_mutated_core(const CoreSetting& setting) {
  return std::make_unique<sim::CycleCoreOf<process_network::MutatedModel>>(setting.config.extension,
                                                                           setting.memory, nullptr);
}

uint64_t max_processor_seconds() { return 20; }  // ten times those of the original

bool mutated_cores_compute() { return false; }

// Each run has a new model. One that does not end is ended with its process.
void prepare_run(sim::TimedCore&, const CoreRun&, size_t) {}

bool has_wrong_port_errors() { return false; }  // a model has no bus

}  // namespace vta::mutations
