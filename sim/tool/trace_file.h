// SPDX-License-Identifier: Apache-2.0
//
// --trace, the same for every subcommand that runs something.
#ifndef VTA_SIM_TOOL_TRACE_FILE_H_
#define VTA_SIM_TOOL_TRACE_FILE_H_

#include <memory>
#include <string>

#include "driver/device.h"
#include "sim/timed/timeline.h"
#include "sim/tool/part_file.h"

namespace vta::sim {

// The timeline of a device's runs. The file gets its name at the end, also if the run fails on the
// way (then it ends there); Ctrl-C leaves none. Where there is no --trace nothing is done.
//
//   TraceFile trace(path);      before the device, so that it outlives it
//   trace.record(*device);      before the first run
//   trace.finish();             after the last
class TraceFile {
 public:
  // `path`: "" for none. Errors: kIo if the file cannot be written.
  explicit TraceFile(const std::string& path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Errors: kInvalidArgument for a device that shows no timeline.
  void record(driver::Device& device);
  // Errors: kIo, and then there is no file.
  void finish();

 private:
  const std::string path_;
  std::unique_ptr<PartFile> file_;
  std::unique_ptr<Timeline> timeline_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_TRACE_FILE_H_
