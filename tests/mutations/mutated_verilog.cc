// SPDX-License-Identifier: Apache-2.0
#include <Vmutated.h>
#include <Vmutated___024root.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "sim/rtl/fst_waveform.h"
#include "sim/rtl/rtl_core_of.h"
#include "tests/mutations/mutated_core.h"
#include "tests/support/axi_responses.h"
#include "tests/support/timed_run.h"

namespace vta::mutations {
namespace {

constexpr size_t kRunsPerInterruption = 2;
constexpr uint64_t kMaxInterruptedCycles = 4'000;  // long runs have few states more
constexpr uint64_t kFirstCycles = 200;

// What all mutated cores of a process share.
struct Selection {
  uint16_t mutant = 0;
  uint64_t evaluations_left = UINT64_MAX;  // of the model; its eval() throws EndlessRun at 0
  uint64_t arena_bytes = 0;                // what the core believes; 0: the arena's size
  uint32_t port_errors = 0;                // of all evaluations: bit i is that of MemoryMaster i
  uint8_t error_response = sim::kAxiSlaveError;
};
Selection selection;

// The cycles of a run, as evaluations: two for each cycle, and those of the reset and of the quiet
// cycles at the end.
uint64_t evaluations_of(uint64_t cycles) { return 2 * cycles + 100; }

class Model : public Vmutated {
 public:
  using Vmutated::Vmutated;
  void eval() {
    if (selection.evaluations_left-- == 0) throw EndlessRun();
    hls_mutant = selection.mutant;
    if (selection.arena_bytes != 0) dram_size_bytes = selection.arena_bytes;
    for (CData* response :
         {&fetch_port_rresp, &load_port_rresp, &uop_port_rresp, &acc_port_rresp, &store_port_bresp})
      if (*response != sim::kAxiOkay) *response = selection.error_response;
    Vmutated::eval();
    if (!rst) selection.port_errors |= errors();
  }

 private:
  uint32_t errors() const {
    return fetch_port_error | uint32_t{load_port_error} << 1 | uint32_t{uop_port_error} << 2 |
           uint32_t{acc_port_error} << 3 | uint32_t{store_port_error} << 4;
  }
};

// Begins a run and gives up after a part of its cycles, as at a deadline: the reset of the next run
// has to end whatever is in progress.
void interrupt(sim::TimedCore& core, const CoreRun& run, uint64_t cycles) {
  std::vector<uint8_t> arena;
  selection.evaluations_left = evaluations_of(cycles);
  try {
    support::run_on(core, run.program, arena);
  } catch (const EndlessRun&) {
  }
}

// Port errors of a program that accesses memory after the arena.
uint32_t port_errors_of(const support::GeneratedProgram& program, const CoreConfig& config) {
  const auto core = make_mutated_core({config, load_memory_config("ideal64")});
  std::vector<uint8_t> arena;
  selection.evaluations_left = evaluations_of(kMinCycles);
  selection.arena_bytes = 2 * program.arena.size();
  selection.port_errors = 0;
  support::run_on(*core, program, arena);
  return selection.port_errors;
}

}  // namespace

void select_mutant(uint16_t mutant) { selection.mutant = mutant; }

std::unique_ptr<sim::TimedCore> make_mutated_core(const CoreSetting& setting) {
  selection.evaluations_left = UINT64_MAX;
  return std::make_unique<sim::RtlCoreOf<Model, sim::NoWaveform>>(setting.config.extension,
                                                                  setting.memory);
}

uint64_t max_processor_seconds() { return 3600; }  // prepare_run() limits evaluations

bool mutated_cores_compute() { return true; }

void prepare_run(sim::TimedCore& core, const CoreRun& run, size_t index) {
  const uint64_t cycles = run.expected.counters.cycles.value_or(0);
  Random random(index);
  if (index % kRunsPerInterruption == 1 && cycles <= kMaxInterruptedCycles) {
    // Some processes work only at the start of a run.
    const uint64_t last = random.chance(50) ? std::min(cycles, kFirstCycles) : cycles;
    interrupt(core, run, static_cast<uint64_t>(random.between(0, static_cast<int64_t>(last))));
  }
  selection.evaluations_left = evaluations_of(kMaxSlowdown * cycles + kMinCycles);
}

bool has_wrong_port_errors() {
  if (selection.port_errors != 0) return true;
  const CoreConfig config = load_core_config(kCoreName);
  const auto programs = support::bus_error_programs(config);
  for (const uint8_t response : {sim::kAxiSlaveError, support::kAxiDecodeError}) {
    selection.error_response = response;
    for (size_t port = 0; port < programs.size(); ++port)
      if (port_errors_of(programs[port], config) != 1u << port) return true;
  }
  return false;
}

}  // namespace vta::mutations
