// SPDX-License-Identifier: Apache-2.0
//
// The runs of parts and their layers as events of ONNX Runtime's profiles.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_PROFILER_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_PROFILER_H_

#include <chrono>
#include <memory>
#include <string>

#include "tools/onnxruntime_ep/profiling_api.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {

// One profile of a session or of a run; ONNX Runtime owns it.
ProfilerInterface* new_profiler();

// Whether a profile has an open event on this thread, as it has while it profiles a node's run.
bool is_profiled();

// Adds a run of a part on this thread, and its layers one after the other, to those profiles.
void add_to_profiles(const std::string& name, std::chrono::steady_clock::time_point start,
                     const vta_report& report);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PROFILER_H_
