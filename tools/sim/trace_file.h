// SPDX-License-Identifier: Apache-2.0
//
// The option --trace of every subcommand that runs programs.
#ifndef VTA_TOOLS_SIM_TRACE_FILE_H_
#define VTA_TOOLS_SIM_TRACE_FILE_H_

#include <memory>
#include <string>

#include "driver/device.h"
#include "sim/timed/timeline.h"
#include "tools/sim/part_file.h"

namespace vta::sim {

// Writes the timeline of a device's runs. The file gets its final name at the end; if a run fails,
// the timeline ends there. Ctrl-C removes the file. Without --trace all functions do nothing.
//
//   TraceFile trace(path);      constructed before the device, so that it outlives it
//   trace.record(*device);      before the first run
//   trace.finish();             after the last run
class TraceFile {
 public:
  // `path`: "" disables the trace. Errors: kIo if the file cannot be written.
  explicit TraceFile(const std::string& path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Errors: kInvalidArgument for a device that records no timeline.
  void record(driver::Device& device);
  // Errors: kIo; the file is then removed.
  void finish();

 private:
  const std::string path_;
  std::unique_ptr<PartFile> file_;
  std::unique_ptr<Timeline> timeline_;
};

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_TRACE_FILE_H_
