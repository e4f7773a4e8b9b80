// SPDX-License-Identifier: Apache-2.0
//
// The options --wave and --wave-cycles of every subcommand that runs programs.
#ifndef VTA_TOOLS_SIM_WAVEFORM_FILE_H_
#define VTA_TOOLS_SIM_WAVEFORM_FILE_H_

#include <memory>
#include <string>

#include "base/command_line/command_line.h"
#include "driver/device.h"
#include "sim/timed/waveform.h"
#include "tools/sim/part_file.h"

namespace vta::sim {

struct WaveformOptions {
  std::string file;    // "" for none
  std::string cycles;  // "FIRST:END", "FIRST:", ":END"; "" for all
};

void add_waveform_options(Command& command, WaveformOptions& options);

// Writes the waveform of a device's runs. The file gets its final name at the end; if a run fails,
// the waveform ends there. Ctrl-C removes the file. Without --wave all functions do nothing.
//
//   WaveformFile waveform(options);      constructed before the device, so that it outlives it
//   waveform.record(*device);            before the first run
//   waveform.finish();                   after the last run
class WaveformFile {
 public:
  // Errors: UsageError for cycles without a file, and for cycles that are not a non-empty range of
  // two numbers; kIo if the file cannot be written.
  explicit WaveformFile(const WaveformOptions& options);

  // Errors: kInvalidArgument for a device that records no waveforms.
  void record(driver::Device& device);
  // Errors: kInvalidArgument if the run had fewer cycles than requested, kIo if the file is not
  // complete; it is then removed.
  void finish();

 private:
  const WaveformOptions options_;
  WaveformRequest request_;
  WaveformDevice* device_ = nullptr;
  std::unique_ptr<PartFile> file_;  // null without --wave
  std::unique_ptr<RemovedOnInterruption> hierarchy_;
};

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_WAVEFORM_FILE_H_
