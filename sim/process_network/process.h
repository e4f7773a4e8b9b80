// SPDX-License-Identifier: Apache-2.0
//
// Process networks with simulated time: the runtime of the cycle models that vta-hlsc generates
// (hw/hlsc/model).
//
// Every process has a local clock and runs ahead of the others as long as its inputs are known.
// Items carry the cycle in which they become visible (stream.h), so that streams do not depend on
// the order of execution. RAM ports (arbiter.h) and DRAM (shared_dram.h) do depend on it: there a
// process waits at a gate, until all other processes wait and no gate is earlier. Timed FIFOs are
// an idea of LightningSim (Sarkar and Hao, FCCM 2023).
#ifndef VTA_SIM_PROCESS_NETWORK_PROCESS_H_
#define VTA_SIM_PROCESS_NETWORK_PROCESS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "base/limits/deadline.h"
#include "hw/hls/coroutine.h"

namespace vta::process_network {

using Cycle = uint64_t;
constexpr Cycle kNever = ~Cycle{0};

class ProcessNetwork;

class Process {
 public:
  static constexpr uint32_t kNoObject = ~0u;

  Process(ProcessNetwork& network, const char* name, std::function<void()> body);

  const char* name() const { return name_; }
  ProcessNetwork& network() const { return network_; }

  // The local clock: the next actions are in this cycle or later.
  Cycle now = 0;

  // A wait: the process waited for an object of its design in the cycles [from, to). Of a stage
  // that waits for a stream and then for a port, the second wait is known first.
  struct Wait {
    Cycle from, to;
    uint32_t object;
  };
  void waited(uint32_t object, Cycle from, Cycle to) {
    if (from >= to) return;
    auto after = waits_.end();
    while (after != waits_.begin() && std::prev(after)->from >= to) --after;
    if (after != waits_.begin() && std::prev(after)->to == from &&
        std::prev(after)->object == object) {
      std::prev(after)->to = to;
    } else if (after == waits_.end()) {
      waits_.push_back({from, to, object});
    } else {
      waits_.insert(after, {from, to, object});
    }
  }
  // A process that waits will do so without being woken until cycle `at`; since `since` for its
  // object.
  void still_waits(Cycle at, Cycle since) { now = at, since_ = since; }
  // All waits in order. The last one ends at kNever if the process still waits; its object is
  // kNoObject if the process has ended.
  const std::vector<Wait>& waits() const { return waits_; }

  // --- For the bodies of processes ---

  // Waits until it is woken, for `object` since cycle `since`. `other`: the only process that can
  // wake it, or null.
  inline void wait(uint32_t object, Cycle since, const Process* other = nullptr);
  // Waits until all actions of others up to and including cycle `at` are known.
  inline void wait_at_gate(Cycle at);
  // Waits for either event. `gate` may be kNever, `object` kNoObject.
  inline void wait_for_any(uint32_t object, Cycle since, Cycle gate);
  // Ends the process in cycle `at`; does not return.
  [[noreturn]] void end(Cycle at);
  // Must be called regularly in long loops; ends the run after its deadline.
  inline void heartbeat();

  // True if the process does nothing before `other` wakes it.
  bool waits_for(const Process& other) const {
    return has_ended_ || (awaited_ == &other && !is_ready_);
  }

 private:
  friend class ProcessNetwork;
  void look_at_clock() const;

  ProcessNetwork& network_;
  const char* name_;
  std::vector<Wait> waits_;
  Cycle gate_ = kNever;
  uint32_t object_ = kNoObject;  // that it waits for
  Cycle since_ = kNever;
  const Process* awaited_ = nullptr;  // the only process that can wake it
  bool is_ready_ = false, has_ended_ = false;
  hls::coroutine body_;
};

// A source of events other than a process: DRAM.
class EventSource {
 public:
  virtual ~EventSource() = default;
  // The cycle of the next event, which depends on all earlier actions; kNever if there is none.
  virtual Cycle next_event() const = 0;
  // Processes that event and all following ones before ProcessNetwork::known_to().
  virtual void handle_events() = 0;
};

class ProcessNetwork {
 public:
  // Adds a process or a source, in order of priority at shared ports. Both must outlive the run.
  void add(Process& process);
  void add(EventSource& source) { sources_.push_back(&source); }

  // Cancels the run, as after its deadline. Callable from any thread.
  void stop() { stopped_ = true; }

  // Runs until all processes wait, or until `deadline`; returns false after the deadline. Call it
  // once. Rethrows an exception of a process.
  bool run(const Deadline& deadline);

  const std::vector<Process*>& processes() const { return processes_; }

  // Wakes `process`; its next action is in cycle `at` or later.
  void wake(Process& process, Cycle at);
  // An event source may act in cycle `at` or later.
  void expect(Cycle at) {
    ++epoch_;
    if (at < known_to_) known_to_ = at;
  }
  // Changes when a process is resumed or woken.
  uint64_t epoch() const { return epoch_; }
  // All actions before this cycle are known after a gate has been opened.
  Cycle known_to() const { return known_to_; }
  // The first cycle in which `other` may act without `process` knowing it.
  Cycle known_to(const Process& process, const Process& other) const {
    return granted_ == &process ? std::max(other.now, known_to_) : other.now;
  }
  // True if all actions up to and including cycle `at` are known to `process`, whose gate was
  // opened.
  bool knows(const Process& process, Cycle at) const {
    return granted_ == &process && at < known_to_;
  }

 private:
  friend class Process;
  bool is_over() const { return stopped_ || deadline_.has_passed(); }
  void resume(Process& process);
  // Opens the earliest gate; returns false if there is none.
  bool open_gate();

  std::vector<Process*> processes_;
  std::vector<EventSource*> sources_;
  std::vector<Process*> ready_;
  const Process* granted_ = nullptr;
  Cycle known_to_ = 0;
  uint64_t epoch_ = 0;
  Deadline deadline_;
  static constexpr uint32_t kHeartbeatsPerClockReading = 4096;
  uint32_t heartbeats_ = 0;
  std::atomic<bool> stopped_ = false;
};

// Inline, because the return after a stack switch is always mispredicted.
void Process::wait_for_any(uint32_t object, Cycle since, Cycle gate) {
  object_ = object;
  since_ = since;
  gate_ = gate;
  body_.suspend();
  object_ = kNoObject;
  gate_ = kNever;
}
void Process::wait(uint32_t object, Cycle since, const Process* other) {
  awaited_ = other;
  wait_for_any(object, since, kNever);
  awaited_ = nullptr;
}
void Process::wait_at_gate(Cycle at) { wait_for_any(kNoObject, kNever, at); }

void Process::heartbeat() {
  if (++network_.heartbeats_ % ProcessNetwork::kHeartbeatsPerClockReading == 0) look_at_clock();
}

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_PROCESS_H_
