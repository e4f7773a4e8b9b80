// SPDX-License-Identifier: Apache-2.0
//
// Networks of processes in time: what the cycle models run on that vta-hlsc writes (hw/hlsc/model).
//
// Every process has a clock of its own and runs ahead of the others as far as what it takes from
// them is known: items carry the cycle in which they can be seen (stream.h), so that nothing about
// streams depends on who runs first. Where it does matter, at the ports of RAMs (arbiter.h) and in
// DRAM (shared_dram.h), a process stops at a gate, and goes on once everybody else stands still and
// nobody stands at an earlier one. The idea of timed FIFOs is LightningSim's (Sarkar and Hao, FCCM
// 2023).
#ifndef VTA_SIM_PROCESS_NETWORK_PROCESS_H_
#define VTA_SIM_PROCESS_NETWORK_PROCESS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

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

  // What it does from now on happens in this cycle or later.
  Cycle now = 0;

  // In the cycles [from, to) it stood still because of an object of its design.
  struct Wait {
    Cycle from, to;
    uint32_t object;
  };
  void waited(uint32_t object, Cycle from, Cycle to) {
    if (from >= to) return;
    if (!waits_.empty() && waits_.back().to == from && waits_.back().object == object) {
      waits_.back().to = to;
    } else {
      waits_.push_back({from, to, object});
    }
  }
  // In order. The last one reaches to kNever, as long as the process waits for what may never come;
  // its object is kNoObject where the process has ended.
  const std::vector<Wait>& waits() const { return waits_; }

  // For the bodies of processes.
  // Until somebody wakes it; meanwhile it waits for `object` since cycle `since`. `other`: who
  // alone can wake it, if there is one.
  inline void wait(uint32_t object, Cycle since, const Process* other = nullptr);
  // Until all that others do before and in cycle `at` is known.
  inline void wait_at_gate(Cycle at);
  // Like both: wakes for whichever comes first. `gate` may be kNever, `object` kNoObject.
  inline void wait_for_any(uint32_t object, Cycle since, Cycle gate);
  // The process has ended, in cycle `at`; does not return.
  [[noreturn]] void end(Cycle at);
  // To be called now and then in long loops; ends the run when its time is over.
  inline void heartbeat();

  // Whether it does nothing more before `other` does something that it waits for.
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
  uint32_t object_ = kNoObject;  // that it stands for
  Cycle since_ = kNever;
  const Process* awaited_ = nullptr;  // who alone can wake it
  bool is_ready_ = false, has_ended_ = false;
  hls::coroutine body_;
};

// What else has gates: DRAM.
class EventSource {
 public:
  virtual ~EventSource() = default;
  // The cycle of the next event that depends on all that happens before it; kNever if there is none
  // yet.
  virtual Cycle next_event() const = 0;
  // That event, and those after it whose cycles are below ProcessNetwork::known_to().
  virtual void handle_events() = 0;
};

class ProcessNetwork {
 public:
  // In the order in which they get their turns at shared ports. Both must outlive the network's
  // last run.
  void add(Process& process);
  void add(EventSource& source) { sources_.push_back(&source); }

  // From another thread: the run is of no interest any more, and ends as if its time were over.
  void stop() { stopped_ = true; }

  // Until nobody can go on, or `deadline`; false if that came first. Once only. An exception that
  // leaves a process is thrown on from here.
  bool run(std::chrono::steady_clock::time_point deadline);

  const std::vector<Process*>& processes() const { return processes_; }

  // `process` can go on; what it does next is in cycle `at` or later.
  void wake(Process& process, Cycle at);
  // Something else than a process may act in cycle `at` or later.
  void expect(Cycle at) {
    if (at < known_to_) known_to_ = at;
  }
  // What happens below this cycle is known where a gate has been opened.
  Cycle known_to() const { return known_to_; }
  // Whether everything is known that happens before and in cycle `at`, at the gate that `process`
  // stood at.
  bool knows(const Process& process, Cycle at) const {
    return granted_ == &process && at < known_to_;
  }

 private:
  friend class Process;
  bool is_over() const { return stopped_ || std::chrono::steady_clock::now() >= deadline_; }
  void resume(Process& process);
  // False: nobody stands at one.
  bool open_gate();

  std::vector<Process*> processes_;
  std::vector<EventSource*> sources_;
  std::vector<Process*> ready_;
  const Process* granted_ = nullptr;
  Cycle known_to_ = 0;
  std::chrono::steady_clock::time_point deadline_;
  static constexpr uint32_t kHeartbeatsPerClockReading = 4096;
  uint32_t heartbeats_ = 0;
  std::atomic<bool> stopped_ = false;
};

// Inline, because each return behind a switch of stacks is predicted wrongly.
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
