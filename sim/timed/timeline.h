// SPDX-License-Identifier: Apache-2.0
//
// Timeline: the runs of a device as a file for Perfetto (chrome_trace.h; docs/vta_sim.md,
// "Timelines", lists its contents). One cycle is shown as one microsecond. Cycles are numbered over
// all runs of the device, as in waveforms (waveform.h).
#ifndef VTA_SIM_TIMED_TIMELINE_H_
#define VTA_SIM_TIMED_TIMELINE_H_

#include <span>
#include <string>
#include <vector>

#include "sim/timed/chrome_trace.h"
#include "sim/timed/instruction_work.h"
#include "sim/timed/run_listener.h"

namespace vta::sim {

class Timeline final : public RunListener {
 public:
  // As ChromeTrace.
  explicit Timeline(const std::string& path, const std::string& shown = "") : file_(path, shown) {}

  void begin(const driver::DeviceDescription& device) override;
  void add(const RecordedRun& run) override;
  // Ends the file. It is empty if begin() was never called. Errors: kIo.
  void finish() { file_.finish(); }

 private:
  void add_run(const RecordedRun& run);
  void add_layers(const RecordedRun& run);
  void add_process(const RecordedRun& run, Process process, uint32_t track);
  void add_instruction(const RecordedRun& run, const InstructionWork& work, uint32_t track);
  void add_start(const RecordedRun& run, Process process, uint32_t track);
  void add_tokens(const RecordedRun& run);
  void add_traffic(const RecordedRun& run, std::string_view name,
                   std::span<const MemoryMaster> masters);

  ChromeTrace file_;
  CoreConfig config_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMELINE_H_
