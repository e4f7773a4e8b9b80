// SPDX-License-Identifier: Apache-2.0
//
// RunListener: gets the record of every run of a device, for timelines and reports.
#ifndef VTA_SIM_TIMED_RUN_LISTENER_H_
#define VTA_SIM_TIMED_RUN_LISTENER_H_

#include <span>
#include <string>

#include "driver/device.h"
#include "hw/isa/instruction.h"
#include "sim/functional/native_core.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

// Valid during RunListener::add().
struct RecordedRun {
  std::string name;
  std::span<const driver::RunPart> parts;  // layers; none: the run is one layer
  std::span<const driver::PartEnd> part_ends;
  uint64_t first_cycle;  // the number of the run's first cycle, over all runs (waveform.h)
  std::span<const isa::InstructionBits> stream;
  const RunTrace& trace;
  const NativeRun& end;
};

class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void begin(const driver::DeviceDescription& device) = 0;
  virtual void add(const RecordedRun& run) = 0;
};

// A device that can record its runs.
class RecordingDevice : public driver::Device {
 public:
  // Call it before the first run. Calls listener.begin(); `listener` must outlive the last run.
  virtual void record_runs(RunListener& listener) = 0;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_RUN_LISTENER_H_
