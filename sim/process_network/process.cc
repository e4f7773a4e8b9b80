// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/process.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace vta::process_network {
namespace {

// Thrown through the body of a process after the deadline.
struct Expired {};

}  // namespace

Process::Process(ProcessNetwork& network, const char* name, std::function<void()> body)
    : network_(network), name_(name), body_(std::move(body)) {
  network.add(*this);
}

void Process::end(Cycle at) {
  has_ended_ = true;
  now = kNever;
  object_ = kNoObject;
  since_ = at + 1;
  for (;;) body_.suspend();
}

void Process::look_at_clock() const {
  if (network_.is_over()) throw Expired();
}

void ProcessNetwork::add(Process& process) { processes_.push_back(&process); }

void ProcessNetwork::wake(Process& process, Cycle at) {
  expect(at);
  if (std::exchange(process.is_ready_, true)) return;
  ready_.push_back(&process);
}

void ProcessNetwork::resume(Process& process) {
  process.is_ready_ = false;
  ++epoch_;
  process.body_.resume();
  if (process.body_.error()) std::rethrow_exception(process.body_.error());
}

bool ProcessNetwork::open_gate() {
  Process* first = nullptr;
  EventSource* source = nullptr;
  Cycle at = kNever, next = kNever;
  const auto offer = [&](Cycle gate, Process* process, EventSource* event) {
    if (gate >= at) {
      next = std::min(next, gate);
      return;
    }
    next = at;
    at = gate, first = process, source = event;
  };
  for (EventSource* event : sources_) offer(event->next_event(), nullptr, event);
  for (Process* process : processes_) offer(process->gate_, process, nullptr);
  if (at == kNever) return false;
  known_to_ = std::max(at + 1, next);
  if (source != nullptr) {
    source->handle_events();
    return true;
  }
  granted_ = first;
  resume(*first);
  granted_ = nullptr;
  return true;
}

bool ProcessNetwork::run(const Deadline& deadline) {
  deadline_ = deadline;
  try {
    for (Process* process : processes_) wake(*process, 0);
    do {
      while (!ready_.empty()) {
        Process& process = *ready_.back();
        ready_.pop_back();
        if (!process.has_ended_) resume(process);
      }
      if (++heartbeats_ % kHeartbeatsPerClockReading == 0 && is_over()) return false;
    } while (open_gate());
  } catch (const Expired&) {
    return false;
  }
  for (Process* process : processes_) process->waited(process->object_, process->since_, kNever);
  return true;
}

}  // namespace vta::process_network
