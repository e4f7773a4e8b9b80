// SPDX-License-Identifier: Apache-2.0
//
// RefusalLog: the log of refused connections, at a bounded rate, so that a flood does not fill a
// disk.
#ifndef VTA_RUNTIME_RPC_REFUSAL_LOG_H_
#define VTA_RUNTIME_RPC_REFUSAL_LOG_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace vta::rpc {

class RefusalLog {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr uint32_t kLinesPerInterval = 5;
  static constexpr std::chrono::seconds kInterval{1};

  explicit RefusalLog(std::function<void(const std::string& line)> log) : log_(std::move(log)) {}

  // Logs the line, or counts it if the interval has had its lines; the first line of a later
  // interval follows the count.
  void add(const std::string& line, Clock::time_point now = Clock::now()) {
    if (now - begin_ >= kInterval) {
      const uint64_t omitted = std::exchange(omitted_, 0);
      begin_ = now;
      num_lines_ = 0;
      if (omitted > 0) log_(std::to_string(omitted) + " more connections refused");
    }
    if (num_lines_ == kLinesPerInterval) {
      ++omitted_;
      return;
    }
    ++num_lines_;
    log_(line);
  }

 private:
  const std::function<void(const std::string& line)> log_;
  Clock::time_point begin_{};  // of the interval
  uint32_t num_lines_ = 0;
  uint64_t omitted_ = 0;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_REFUSAL_LOG_H_
