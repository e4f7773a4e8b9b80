// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/trace_file.h"

namespace vta::sim {

TraceFile::TraceFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_ = std::make_unique<PartFile>("--trace", path);
  timeline_ = std::make_unique<Timeline>(file_->part(), "--trace " + path);
}

TraceFile::~TraceFile() {
  try {
    finish();
  } catch (const Error&) {  // the run has failed too, and its error is the one to report
  }
}

void TraceFile::record(driver::Device& device) {
  if (file_ == nullptr) return;
  const auto recorded = dynamic_cast<RecordingDevice*>(&device);
  if (recorded == nullptr) {
    const driver::DeviceDescription description = device.describe();
    fail(ErrorCode::kInvalidArgument, "--trace {}: device '{}' {}; use 'cycle', 'timing' or 'rtl'",
         path_, description.uri, description.timed ? "records no timeline" : "counts no cycles");
  }
  recorded->record_runs(*timeline_);
}

void TraceFile::finish() {
  if (timeline_ == nullptr) return;
  const std::unique_ptr<Timeline> timeline = std::move(timeline_);
  try {
    timeline->finish();
  } catch (const Error&) {
    file_->remove();
    throw;
  }
  file_->finish();
}

}  // namespace vta::sim
