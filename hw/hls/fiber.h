// SPDX-License-Identifier: Apache-2.0
//
// Native meaning of processes and waiting: each process is a fiber; one that cannot go on at a
// channel gives the thread to the next. When none can go on the network is quiet: all work is done,
// or it is a deadlock.
#ifndef VTA_HW_HLS_FIBER_H_
#define VTA_HW_HLS_FIBER_H_

#ifndef __HLSC__

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hls {

// What a process can wait at: something with a name, a fill level and a capacity.
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

// Ends the calling process for good. Its queues stay as they are.
void halt();

// To be called now and then in long loops; ends the run when its time is over.
// Not inline: a fiber may go on in another thread, so a process must not remember where the counter
// of a thread lies.
void heartbeat();

// Where a process stands when the network is quiet.
struct process_state {
  std::string name;
  const channel* waits_at = nullptr;  // null if it halted
  bool for_space = false;
};

// Runs a network's processes to quiescence, again and again as long as run() is true; used by one
// thread at a time, not always the same.
class scheduler {
 public:
  scheduler();
  ~scheduler();  // unwinds the processes
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  void add(const char* name, std::function<void()> process);

  // Until no process can go on, or `deadline`; false if that came first. An exception that leaves a
  // process is thrown on from here.
  bool run(std::chrono::steady_clock::time_point deadline);

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
