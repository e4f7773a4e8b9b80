// SPDX-License-Identifier: Apache-2.0
//
// A core whose cycles are counted: the Verilated one (sim/rtl), or a model of it (sim/cycle). What
// a device needs beside such a core, its memory, the ends of runs, the states of the stages, the
// device itself, is in this folder, sim/memory and sim/functional.
#ifndef VTA_SIM_TIMED_TIMED_CORE_H_
#define VTA_SIM_TIMED_TIMED_CORE_H_

#include <chrono>
#include <cstdint>

#include "sim/functional/native_core.h"
#include "sim/memory/dram_model.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

class TimedCore {
 public:
  virtual ~TimedCore() = default;

  // As NativeCore::run(); the result's counters have cycles: from the cycle in which the run is
  // asked for to the last one in which anything moves (run_clock.h). `observer` may be null; what
  // it throws ends the run, and the core can run again. A model has no beats to tell it of: null.
  virtual NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes,
                        uint32_t count, std::chrono::steady_clock::time_point deadline,
                        WriteObserver* observer) = 0;

  // Cores that compute natively tell it of the next runs; null: nobody.
  virtual void observe(core::Observer*) {}

  // What happens in the next runs goes to `trace`, which is empty before each; null: nowhere.
  virtual void record(RunTrace* trace) = 0;

  // Ends the file of a core that writes waveforms.
  virtual void end_waveform() {}
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMED_CORE_H_
