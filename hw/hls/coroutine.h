// SPDX-License-Identifier: Apache-2.0
//
// A function with a stack of its own, which can be left in the middle and gone on with: what
// processes run on, natively (fiber.h) and in cycle models (sim/process_network).
#ifndef VTA_HW_HLS_COROUTINE_H_
#define VTA_HW_HLS_COROUTINE_H_

#include <exception>
#include <functional>
#include <memory>

namespace hls {

class coroutine {
 public:
  explicit coroutine(std::function<void()> body);
  ~coroutine();  // unwinds the body, if it stands in the middle
  coroutine(const coroutine&) = delete;
  coroutine& operator=(const coroutine&) = delete;

  // Into the body, until it suspends itself or ends. Any thread may do this, one at a time.
  void resume();
  // From the body back to who resumed it.
  void suspend();

  bool has_ended() const;
  // What left the body, if it was an exception.
  const std::exception_ptr& error() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace hls

#endif  // VTA_HW_HLS_COROUTINE_H_
