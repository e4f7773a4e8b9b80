// SPDX-License-Identifier: Apache-2.0
//
// A stackful coroutine. Processes run on it natively (fiber.h) and in cycle models
// (sim/process_network).
#ifndef VTA_HW_HLS_COROUTINE_H_
#define VTA_HW_HLS_COROUTINE_H_

#include <exception>
#include <functional>
#include <memory>

namespace hls {

class coroutine {
 public:
  explicit coroutine(std::function<void()> body);
  ~coroutine();  // unwinds a suspended body
  coroutine(const coroutine&) = delete;
  coroutine& operator=(const coroutine&) = delete;

  // Runs the body until it suspends itself or ends. Any thread may call it, one at a time.
  void resume();
  // Called by the body: returns to the caller of resume().
  void suspend();

  bool has_ended() const;
  // The exception that left the body, or null.
  const std::exception_ptr& error() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace hls

#endif  // VTA_HW_HLS_COROUTINE_H_
