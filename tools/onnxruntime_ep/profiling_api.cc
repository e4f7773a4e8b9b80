// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/profiling_api.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/numbers/parse_number.h"

namespace vta::onnxruntime_ep {
namespace {

// Places in OrtEp and OrtEpApi, in pointers.
constexpr size_t kCreateProfiler = 16;
constexpr size_t kCreateProfilingEvent = 65;
constexpr size_t kReleaseProfilingEvent = 66;
constexpr size_t kAddEvents = 72;

constexpr int kKernelEvent = 2;  // its category

template <typename Function>
Function ep_function(size_t place) {
  Function function = nullptr;
  std::memcpy(&function,
              reinterpret_cast<const std::byte*>(&Ort::GetEpApi()) + place * sizeof(void*),
              sizeof function);
  return function;
}

}  // namespace

bool has_profiling(const OrtApiBase& base) {
  std::string_view version = base.GetVersionString();  // "1.25.0"; to ask for a later API prints
  if (!version.starts_with("1.")) return false;
  version.remove_prefix(2);
  const auto minor = parse_number<uint32_t>(version.substr(0, version.find('.')));
  return minor && *minor >= kProfilingVersion;
}

void EpWithProfiling::set_create_profiler(OrtStatus* (*create)(OrtEp*,
                                                               ProfilerInterface**) noexcept) {
  static_assert(sizeof(EpWithProfiling) > kCreateProfiler * sizeof(void*));
  std::memcpy(
      reinterpret_cast<std::byte*>(static_cast<OrtEp*>(this)) + kCreateProfiler * sizeof(void*),
      &create, sizeof create);
  ort_version_supported = std::max(ort_version_supported, kProfilingVersion);
}

void add_profiling_event(void* events, const ProfilingEvent& event) {
  const auto create =
      ep_function<OrtStatus* (*)(int, int32_t, int32_t, const char*, int64_t, int64_t,
                                 const char* const*, const char* const*, size_t, void**)>(
          kCreateProfilingEvent);
  const auto release = ep_function<void (*)(void*)>(kReleaseProfilingEvent);
  const auto add = ep_function<OrtStatus* (*)(void*, const void* const*, size_t)>(kAddEvents);
  void* made = nullptr;
  Ort::ThrowOnError(create(kKernelEvent, getpid(), event.thread, event.name, event.start_us,
                           event.duration_us, event.keys, event.values, event.num_arguments,
                           &made));
  OrtStatus* const status = add(events, &made, 1);
  release(made);
  Ort::ThrowOnError(status);
}

}  // namespace vta::onnxruntime_ep
