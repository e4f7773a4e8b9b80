// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's interface for the events of a provider in its profiles. It is of 1.25, the headers
// may be of 1.23: what they lack is found by its place, which stays the same in later versions.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_PROFILING_API_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_PROFILING_API_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tools/onnxruntime_ep/api.h"

namespace vta::onnxruntime_ep {

inline constexpr uint32_t kProfilingVersion = 25;

// Whether the ONNX Runtime that has loaded the library knows the interface.
bool has_profiling(const OrtApiBase& base);

// ONNX Runtime's OrtEpProfilerImpl. All but `release` return null or an error.
struct ProfilerInterface {
  uint32_t ort_version_supported;
  void (*release)(ProfilerInterface*) noexcept;
  // `elapsed_ns`: since the profile began.
  OrtStatus* (*start_profiling)(ProfilerInterface*, int64_t elapsed_ns) noexcept;
  // Around an event of ONNX Runtime, such as a node, on its thread.
  OrtStatus* (*start_event)(ProfilerInterface*, uint64_t id) noexcept;
  OrtStatus* (*stop_event)(ProfilerInterface*, uint64_t id, const void* event) noexcept;
  // `events`: of add_profiling_event().
  OrtStatus* (*end_profiling)(ProfilerInterface*, void* events) noexcept;
};

// OrtEp with the members of 1.25 after those of the headers.
struct EpWithProfiling : OrtEp {
  EpWithProfiling() : OrtEp{} {}
  // Sets the member CreateProfiler. Only if has_profiling().
  void set_create_profiler(OrtStatus* (*create)(OrtEp*, ProfilerInterface**) noexcept);

 private:
  void* later_[4] = {};
};

struct ProfilingEvent {
  const char* name;
  int32_t thread;
  int64_t start_us, duration_us;  // since the profile began
  const char* const* keys;        // of its arguments
  const char* const* values;
  size_t num_arguments;
};

// Appends an event to a profile.
void add_profiling_event(void* events, const ProfilingEvent& event);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PROFILING_API_H_
