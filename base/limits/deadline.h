// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_LIMITS_DEADLINE_H_
#define VTA_BASE_LIMITS_DEADLINE_H_

#include <atomic>
#include <chrono>

namespace vta {

// When a computation must end: at a point in time, or as soon as another thread sets a flag.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never
  // A point in time is a deadline: the conversion is implicit on purpose. `stop` may be null; it
  // must outlive the computation.
  Deadline(Clock::time_point time,  // NOLINT(google-explicit-constructor)
           const std::atomic<bool>* stop = nullptr)
      : time_(time), stop_(stop) {}

  bool is_stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  bool has_passed() const { return is_stopped() || Clock::now() >= time_; }

  Clock::time_point time() const { return time_; }
  const std::atomic<bool>* stop() const { return stop_; }

 private:
  Clock::time_point time_ = Clock::time_point::max();
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace vta

#endif  // VTA_BASE_LIMITS_DEADLINE_H_
