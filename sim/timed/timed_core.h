// SPDX-License-Identifier: Apache-2.0
//
// TimedCore: a core that counts cycles. Implemented by the Verilated core (sim/rtl) and the cycle
// model (sim/cycle). The rest of a device with such a core (memory, end of a run, states of the
// stages, the device itself) is in this folder, sim/memory and sim/functional.
#ifndef VTA_SIM_TIMED_TIMED_CORE_H_
#define VTA_SIM_TIMED_TIMED_CORE_H_

#include <cstdint>

#include "sim/functional/native_core.h"
#include "sim/memory/dram_model.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

class TimedCore {
 public:
  virtual ~TimedCore() = default;

  // As NativeCore::run(), and the result's counters have cycles: from the start of the run to the
  // last cycle in which anything moves (run_clock.h). `observer` may be null, and must be null for
  // a model, which has no data beats; an exception that it throws ends the run, and the core can
  // run again.
  virtual NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes,
                        uint32_t count, const Deadline& deadline, WriteObserver* observer) = 0;

  // Records the next runs into `trace`, which must be empty before each run; null: no recording.
  virtual void record(RunTrace* trace) = 0;

  // Ends the waveform file, if the core writes one.
  virtual void end_waveform() {}
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMED_CORE_H_
