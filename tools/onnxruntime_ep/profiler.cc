// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/profiler.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  std::string name;
  int32_t thread;
  Clock::time_point start;
  Clock::duration duration;
  std::vector<std::pair<const char*, std::string>> arguments;
};

// The events of one profile. Threads that run nodes add to it.
class Recording {
 public:
  explicit Recording(const OrtEp& provider) : provider_(&provider) {}

  bool is_of(const OrtEp& provider) const { return &provider == provider_; }
  bool has_ended() const { return has_ended_; }

  void begin(Clock::time_point start) {
    const std::scoped_lock lock(mutex_);
    start_ = start;
    events_.clear();
    has_ended_ = false;
  }

  void add(std::vector<Event> events) {
    const std::scoped_lock lock(mutex_);
    if (!has_ended_) std::ranges::move(events, std::back_inserter(events_));
  }

  void write(void* profile) {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    const std::vector<Event> events = std::exchange(events_, {});
    for (const Event& event : events) write(profile, event);
  }

  void end() {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    events_.clear();
  }

 private:
  static int64_t microseconds(Clock::duration duration) {
    return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  }

  void write(void* profile, const Event& event) const {
    std::vector<const char*> keys, values;
    for (const auto& [key, value] : event.arguments) {
      keys.push_back(key);
      values.push_back(value.c_str());
    }
    add_profiling_event(profile,
                        {event.name.c_str(), event.thread, microseconds(event.start - start_),
                         microseconds(event.duration), keys.data(), values.data(), keys.size()});
  }

  const OrtEp* const provider_;
  std::atomic<bool> has_ended_ = false;
  std::mutex mutex_;
  Clock::time_point start_;
  std::vector<Event> events_;
};

// The profiles of the events that ONNX Runtime has open on this thread. A node within a run has
// its profile twice. A run that ONNX Runtime refuses, as for the shape of an input, stays open: so
// runs of other providers are told apart, and profiles that have ended are dropped.
thread_local std::vector<std::shared_ptr<Recording>> open_recordings;

struct Profiler : ProfilerInterface {
  explicit Profiler(const OrtEp& provider)
      : ProfilerInterface{}, recording(std::make_shared<Recording>(provider)) {}

  std::shared_ptr<Recording> recording;
};

Recording& recording_of(ProfilerInterface* self) {
  return *static_cast<Profiler*>(self)->recording;
}

void close_event(const Recording& recording) {
  const auto last = std::ranges::find(open_recordings.rbegin(), open_recordings.rend(), &recording,
                                      [](const auto& open) { return open.get(); });
  if (last != open_recordings.rend()) open_recordings.erase(std::next(last).base());
}

std::vector<std::pair<const char*, std::string>> arguments_of(const vta_counters& counters) {
  std::vector<std::pair<const char*, std::string>> arguments;
  if (counters.has_cycles != 0) arguments.emplace_back("cycles", std::to_string(counters.cycles));
  arguments.emplace_back("gemm_counter", std::to_string(counters.gemm_counter));
  arguments.emplace_back("alu_counter", std::to_string(counters.alu_counter));
  arguments.emplace_back("dram_bytes",
                         std::to_string(counters.inp_load_nbytes + counters.wgt_load_nbytes +
                                        counters.acc_load_nbytes + counters.uop_load_nbytes +
                                        counters.out_store_nbytes));
  return arguments;
}

}  // namespace

ProfilerInterface* new_profiler(const OrtEp& provider) {
  auto profiler = std::make_unique<Profiler>(provider);
  profiler->ort_version_supported = kProfilingVersion;
  profiler->release = [](ProfilerInterface* self) noexcept {
    recording_of(self).end();
    delete static_cast<Profiler*>(self);
  };
  profiler->start_profiling = [](ProfilerInterface* self, int64_t elapsed_ns) noexcept {
    recording_of(self).begin(Clock::now() - std::chrono::nanoseconds(elapsed_ns));
    return static_cast<OrtStatus*>(nullptr);
  };
  profiler->start_event = [](ProfilerInterface* self, uint64_t) noexcept {
    return guarded([&] {
      std::erase_if(open_recordings, [](const auto& open) { return open->has_ended(); });
      open_recordings.push_back(static_cast<Profiler*>(self)->recording);
    });
  };
  profiler->stop_event = [](ProfilerInterface* self, uint64_t, const void*) noexcept {
    close_event(recording_of(self));
    return static_cast<OrtStatus*>(nullptr);
  };
  profiler->end_profiling = [](ProfilerInterface* self, void* events) noexcept {
    return guarded([&] { recording_of(self).write(events); });
  };
  return profiler.release();
}

bool is_profiled(const OrtEp& provider) {
  return std::ranges::any_of(open_recordings, [&](const auto& open) {
    return open->is_of(provider) && !open->has_ended();
  });
}

void add_to_profiles(const OrtEp& provider, const std::string& name, Clock::time_point start,
                     const vta_report& report) {
  const auto thread = static_cast<int32_t>(gettid());
  const vta_run_report& totals = *vta_report_totals(&report);
  std::vector<Event> events = {
      {name, thread, start, Clock::now() - start, arguments_of(totals.counters)}};
  for (size_t i = 0; i < totals.num_layers; ++i) {
    const vta_layer_report& layer = *vta_report_layer(&report, i);
    const auto duration =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(layer.seconds));
    Event event{layer.name, thread, start, duration, arguments_of(layer.counters)};
    event.arguments.emplace_back("op", layer.op);
    event.arguments.emplace_back("where", layer.where);
    event.arguments.emplace_back("macs", std::to_string(layer.macs));
    events.push_back(std::move(event));
    start += duration;
  }
  std::vector<std::shared_ptr<Recording>> recordings = open_recordings;
  std::erase_if(recordings, [&](const auto& open) { return !open->is_of(provider); });
  std::ranges::sort(recordings);
  const auto repeated = std::ranges::unique(recordings);
  recordings.erase(repeated.begin(), repeated.end());
  for (const std::shared_ptr<Recording>& recording : recordings) recording->add(events);
}

}  // namespace vta::onnxruntime_ep
