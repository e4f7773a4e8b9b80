// SPDX-License-Identifier: Apache-2.0
//
// --wave and --wave-cycles, the same for every subcommand that runs something.
#ifndef VTA_SIM_TOOL_WAVEFORM_FILE_H_
#define VTA_SIM_TOOL_WAVEFORM_FILE_H_

#include <memory>
#include <string>

#include "driver/device.h"
#include "runtime/base/command_line.h"
#include "sim/timed/waveform.h"
#include "sim/tool/part_file.h"

namespace vta::sim {

struct WaveformOptions {
  std::string file;    // "" for none
  std::string cycles;  // "FIRST:END", "FIRST:", ":END"; "" for all
};

void add_waveform_options(Command& command, WaveformOptions& options);

// The file gets its name at the end, also if the run fails on the way (then it ends there); Ctrl-C
// leaves none. Where there is no --wave nothing is done.
//
//   WaveformFile waveform(options);      before the device, so that it outlives it
//   waveform.record(*device);            before the first run
//   waveform.finish();                   after the last
class WaveformFile {
 public:
  // Errors: UsageError for cycles without a file, that are not two numbers, or none; kIo if the
  // file cannot be written.
  explicit WaveformFile(const WaveformOptions& options);

  // Errors: kInvalidArgument for a device without waveforms.
  void record(driver::Device& device);
  // Errors: kInvalidArgument if the run had fewer cycles than were asked for; then there is no
  // file.
  void finish();

 private:
  const WaveformOptions options_;
  WaveformRequest request_;
  WaveformDevice* device_ = nullptr;
  std::unique_ptr<PartFile> file_;  // null where nothing is to be done
  std::unique_ptr<RemovedOnInterruption> hierarchy_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_WAVEFORM_FILE_H_
