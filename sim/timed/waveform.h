// SPDX-License-Identifier: Apache-2.0
//
// Waveforms of a core that is simulated cycle by cycle.
//
// Cycles are numbered over all runs of a device, from 0 in its first run. Between two runs are the
// quiet cycles in which the end of the first one is detected (run_clock.h); the reset before a run
// is not numbered.
#ifndef VTA_SIM_TIMED_WAVEFORM_H_
#define VTA_SIM_TIMED_WAVEFORM_H_

#include <cstdint>
#include <string>

#include "sim/timed/run_clock.h"
#include "sim/timed/run_listener.h"

namespace vta::sim {

struct WaveformRequest {
  std::string path;  // of the file, which is overwritten; <path>.hier exists temporarily
  uint64_t first_cycle = 0;
  uint64_t end_cycle = UINT64_MAX;  // the first cycle after the recorded ones
};

// A device that can also write waveforms.
class WaveformDevice : public RecordingDevice {
 public:
  // Call it before the first run. The file is complete after end_recording() or the destruction of
  // the device. If no requested cycle was reached, it is empty or does not exist.
  // Errors: kUnsupported if the device's core has no signals.
  virtual void record(const WaveformRequest& request) = 0;

  // Ends the file. Returns the number of cycles of all runs, including those between them.
  virtual uint64_t end_recording() = 0;
};

// How many cycle numbers a run takes. `counters`: of the run, with cycles.
inline uint64_t numbered_cycles(const hw::Counters& counters) {
  return counters.cycles.value() + RunClock::kQuietCycles;
}

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_WAVEFORM_H_
