// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_CYCLE_BEAT_RECORD_H_
#define VTA_SIM_CYCLE_BEAT_RECORD_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "hw/hls/burst.h"
#include "sim/process_network/dram_ports.h"

namespace vta::sim {

// The beats that the functional core reads, passed to the cycle model in another thread, which
// waits for beats that have not been read yet.
class BeatRecord : public hls::beat_sink, public process_network::BeatSource {
 public:
  void beat(uint64_t value) override {
    const std::lock_guard lock(mutex_);
    beats_.push_back(value);
    if (is_awaited_) more_.notify_one();
  }
  // Marks the end: no more beats follow.
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    more_.notify_one();
  }
  // Beats beyond the end are 0: only a cancelled run reads them.
  uint64_t content(uint64_t number) override {
    std::unique_lock lock(mutex_);
    is_awaited_ = true;
    more_.wait(lock, [&] { return number < beats_.size() || has_ended_; });
    is_awaited_ = false;
    return number < beats_.size() ? beats_[number] : 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::vector<uint64_t> beats_;
  bool has_ended_ = false, is_awaited_ = false;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_BEAT_RECORD_H_
