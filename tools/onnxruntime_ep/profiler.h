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

// One profile of the provider's session or of a run of it; ONNX Runtime owns it.
ProfilerInterface* new_profiler(const OrtEp& provider);

// Whether a profile of the provider has an open event on this thread, as it has while it profiles a
// node's run.
bool is_profiled(const OrtEp& provider);

// Adds a run of a part on this thread, and its layers one after the other, to those profiles.
void add_to_profiles(const OrtEp& provider, const std::string& name,
                     std::chrono::steady_clock::time_point start, const vta_report& report);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PROFILER_H_
