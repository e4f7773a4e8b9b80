// SPDX-License-Identifier: Apache-2.0
//
// Timeline: the runs of a device as a file for Perfetto (chrome_trace.h; sim/README.md,
// "Timelines", lists its contents). One cycle is shown as one microsecond. Cycles are numbered over
// all runs of the device, as in waveforms (waveform.h).
#ifndef VTA_SIM_TIMED_TIMELINE_H_
#define VTA_SIM_TIMED_TIMELINE_H_

#include <span>
#include <string>
#include <vector>

#include "driver/device.h"
#include "hw/isa/instruction.h"
#include "sim/functional/native_core.h"
#include "sim/timed/chrome_trace.h"
#include "sim/timed/instruction_work.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

struct TimelineRun {
  std::string name;
  std::span<const driver::RunPart> parts;  // layers; none: the run is one layer
  std::span<const driver::PartEnd> part_ends;
  uint64_t first_cycle;  // the number of the run's first cycle
  std::span<const isa::InstructionBits> stream;
  const RunTrace& trace;
  const NativeRun& end;
};

class Timeline {
 public:
  // Errors: kIo.
  explicit Timeline(const std::string& path) : file_(path) {}

  void begin(const driver::DeviceDescription& device);
  void add(const TimelineRun& run);
  // Ends the file. It is empty if begin() was never called. Errors: kIo.
  void finish() { file_.finish(); }

 private:
  void add_run(const TimelineRun& run);
  void add_layers(const TimelineRun& run);
  void add_process(const TimelineRun& run, Process process, uint32_t track);
  void add_instruction(const TimelineRun& run, const InstructionWork& work, uint32_t track);
  void add_start(const TimelineRun& run, Process process, uint32_t track);
  void add_tokens(const TimelineRun& run);
  void add_traffic(const TimelineRun& run, std::string_view name,
                   std::span<const MemoryMaster> masters);

  ChromeTrace file_;
  CoreConfig config_;
};

// A device that can write its runs to a timeline.
class TimelineDevice {
 public:
  virtual ~TimelineDevice() = default;
  // Call it before the first run. Begins `timeline`, which must outlive the last run.
  virtual void show_in(Timeline& timeline) = 0;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMELINE_H_
