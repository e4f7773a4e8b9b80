// SPDX-License-Identifier: Apache-2.0
//
// Native implementation of processes and blocking: each process is a fiber. A fiber that blocks on
// a channel yields to the next one. When all are blocked the network is quiet: either all work is
// done, or it is a deadlock.
#ifndef VTA_HW_HLS_FIBER_H_
#define VTA_HW_HLS_FIBER_H_

#ifndef __HLSC__

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hls {

// An object that a process can block on: a name, a fill level and a capacity.
class channel {
 public:
  channel(const char* name, uint32_t capacity) : name_(name), capacity_(capacity) {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  const char* name() const { return name_; }
  uint32_t size() const { return size_; }
  bool can_read() const { return size_ > 0; }
  bool can_write() const { return size_ < capacity_; }

 protected:
  void wait_for_data() {
    while (!can_read()) wait(false);
  }
  void wait_for_space() {
    while (!can_write()) wait(true);
  }
  uint32_t size_ = 0;

 private:
  void wait(bool for_space);
  const char* name_;
  uint32_t capacity_;
};

// Ends the calling process until the next reset. Its queues keep their contents.
void halt();

// Call it regularly in long loops; it ends the run when the deadline has passed.
// Not inline: a fiber may resume in another thread, so a process must not cache the address of a
// thread-local counter.
void heartbeat();

// What a process waits for when the network is quiet.
struct process_state {
  std::string name;
  const channel* waits_at = nullptr;  // null if it halted
  bool for_space = false;
};

// Runs a network's processes until it is quiet; may be run again as long as run() returns true.
// Used by one thread at a time, not necessarily the same one.
class scheduler {
 public:
  scheduler();
  ~scheduler();  // unwinds the processes
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  void add(const char* name, std::function<void()> process);

  // Returns true once all processes are blocked, false if `deadline` passes or another thread sets
  // `stop` (may be null) first. Rethrows an exception that leaves a process.
  bool run(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* stop = nullptr);

  // In the order of add().
  std::vector<process_state> states() const;

  struct fiber;  // a process and its stack

 private:
  std::vector<std::unique_ptr<fiber>> fibers_;
};

}  // namespace hls

#else

#include "hw/hls/pragma.h"

namespace hls {

inline void halt() { __hls_halt(); }

}  // namespace hls

#endif  // __HLSC__

#endif  // VTA_HW_HLS_FIBER_H_
