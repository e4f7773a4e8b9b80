// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/cpu_counters.h"

#ifdef VTA_PAPI
#include <fmt/format.h>
#include <papi.h>
#endif

namespace vta::sim {

#ifdef VTA_PAPI

namespace {

struct Event {
  const char* name;
  const char* papi;
};
constexpr Event kEvents[] = {
    {"cycles", "perf::CYCLES"},
    {"instructions", "perf::INSTRUCTIONS"},
    {"cache_misses", "perf::CACHE-MISSES"},
    {"stalled_cycles_frontend", "perf::STALLED-CYCLES-FRONTEND"},
    {"stalled_cycles_backend", "perf::STALLED-CYCLES-BACKEND"},
};

bool is_ready() {
  return PAPI_is_initialized() != PAPI_NOT_INITED || PAPI_library_init(PAPI_VER_CURRENT) > 0;
}

// Adds an event to the set and tries whether it counts.
int add_event(int event_set, const char* name) {
  int code = 0;
  if (const int error = PAPI_event_name_to_code(name, &code); error != PAPI_OK) return error;
  return PAPI_add_event(event_set, code);
}

}  // namespace

CpuCounters::CpuCounters() {
  if (!is_ready()) {
    missing_ = "no CPU counters: PAPI does not work on this machine";
    return;
  }
  if (const int error = PAPI_create_eventset(&event_set_); error != PAPI_OK) {
    missing_ = fmt::format("no CPU counters: {}", PAPI_strerror(error));
    event_set_ = -1;
    return;
  }
  std::string reason;
  for (const Event& event : kEvents) {
    const int error = add_event(event_set_, event.papi);
    if (error == PAPI_OK) {
      names_.emplace_back(event.name);
      continue;
    }
    missing_ += (missing_.empty() ? "no CPU counters for " : ", ") + std::string(event.name);
    reason = PAPI_strerror(error);
  }
  if (!missing_.empty()) missing_ += ": " + reason;
  if (names_.empty()) return;
  if (const int error = PAPI_start(event_set_); error != PAPI_OK) {
    missing_ = fmt::format("no CPU counters: {}", PAPI_strerror(error));
    names_.clear();
  }
}

CpuCounters::~CpuCounters() {
  if (event_set_ < 0) return;
  if (!names_.empty()) PAPI_stop(event_set_, nullptr);
  PAPI_cleanup_eventset(event_set_);
  PAPI_destroy_eventset(&event_set_);
}

std::vector<double> CpuCounters::read() const {
  std::vector<long long> counts(names_.size());
  if (!names_.empty()) PAPI_read(event_set_, counts.data());
  return {counts.begin(), counts.end()};
}

#else

CpuCounters::CpuCounters() : missing_("no CPU counters: built without PAPI (libpapi-dev)") {}
CpuCounters::~CpuCounters() = default;
std::vector<double> CpuCounters::read() const { return {}; }

#endif

}  // namespace vta::sim
