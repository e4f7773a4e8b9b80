// SPDX-License-Identifier: Apache-2.0
//
// The timeline of a device's runs, for people: a file that Perfetto shows (chrome_trace.h; what is
// in it is listed in sim/README.md, "Timelines"). One cycle is one microsecond; cycles are numbered
// over all runs of the device, as those of waveforms are (waveform.h).
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
  std::string name;      // of what ran: a layer
  uint64_t first_cycle;  // its number
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
  // Ends the file; it has no bytes if it was never begun. Errors: kIo.
  void finish() { file_.finish(); }

 private:
  void add_layer(const TimelineRun& run);
  void add_process(const TimelineRun& run, Process process, uint32_t track);
  void add_instruction(const TimelineRun& run, const InstructionWork& work, uint32_t track);
  void add_start(const TimelineRun& run, Process process, uint32_t track);
  void add_tokens(const TimelineRun& run);
  void add_traffic(const TimelineRun& run, std::string_view name,
                   std::span<const MemoryMaster> masters);

  ChromeTrace file_;
  CoreConfig config_;
};

// A device that can show its runs so.
class TimelineDevice {
 public:
  virtual ~TimelineDevice() = default;
  // Before the first run; `timeline`, which it begins, outlives the last one.
  virtual void show_in(Timeline& timeline) = 0;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMELINE_H_
