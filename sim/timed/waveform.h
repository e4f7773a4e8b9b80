// SPDX-License-Identifier: Apache-2.0
//
// Waveforms of a core that is simulated clock by clock.
//
// Cycles are numbered over all runs of a device: the first one of its first run is 0. Between two
// runs lie the quiet cycles in which the end of the first is found (run_clock.h); the reset before
// a run has no number.
#ifndef VTA_SIM_TIMED_WAVEFORM_H_
#define VTA_SIM_TIMED_WAVEFORM_H_

#include <cstdint>
#include <string>

#include "driver/device.h"
#include "sim/timed/run_clock.h"

namespace vta::sim {

struct WaveformRequest {
  std::string path;  // of the file, which is replaced; meanwhile there is <path>.hier too
  uint64_t first_cycle = 0;
  uint64_t end_cycle = UINT64_MAX;  // the first one that is not in the file
};

// A device that can write waveforms.
class WaveformDevice : public driver::Device {
 public:
  // Before the first run. A file that is not ended is complete when the device is gone; if no cycle
  // of the request was reached it has no bytes, or does not exist.
  // Errors: kUnsupported if the device's core has no signals.
  virtual void record(const WaveformRequest& request) = 0;

  // Ends the file. Returns how many cycles all runs had, those between them included.
  virtual uint64_t end_recording() = 0;
};

// The numbers that a run takes. `counters`: its, with cycles.
inline uint64_t numbered_cycles(const driver::Counters& counters) {
  return counters.cycles.value() + RunClock::kQuietCycles;
}

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_WAVEFORM_H_
