// SPDX-License-Identifier: Apache-2.0
#include "hw/hls/fiber.h"

#include "hw/hls/coroutine.h"

namespace hls {

namespace {

constexpr uint32_t kHeartbeatsPerClockReading = 4096;
constexpr uint32_t kRoundsPerClockReading = 64;  // of all processes

thread_local uint32_t heartbeat_credit = 0;

// Unwinds a process whose run is past its deadline.
struct expired {};

}  // namespace

struct scheduler::fiber {
  fiber(const char* process_name, std::function<void()> process)
      : name(process_name), body(std::move(process)) {}

  // Runs the process until it blocks or ends.
  void resume() {
    fiber* const outer = current;
    current = this;
    body.resume();
    current = outer;
  }
  void suspend() { body.suspend(); }

  // The run must end.
  bool is_over() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return true;
    return std::chrono::steady_clock::now() >= deadline;
  }

  bool is_ready() const {
    if (body.has_ended() || halted) return false;
    return waits_at == nullptr || (for_space ? waits_at->can_write() : waits_at->can_read());
  }

  static thread_local fiber* current;

  const char* name;
  const channel* waits_at = nullptr;
  bool for_space = false, halted = false;
  std::chrono::steady_clock::time_point deadline;
  const std::atomic<bool>* stop = nullptr;
  coroutine body;  // last: unwinding it may use the other members
};

thread_local scheduler::fiber* scheduler::fiber::current = nullptr;

void channel::wait(bool for_space) {
  scheduler::fiber* self = scheduler::fiber::current;
  self->waits_at = this;
  self->for_space = for_space;
  self->suspend();
  self->waits_at = nullptr;
}

void halt() {
  scheduler::fiber* self = scheduler::fiber::current;
  self->halted = true;
  for (;;) self->suspend();
}

void heartbeat() {
  if (--heartbeat_credit != 0) return;
  heartbeat_credit = kHeartbeatsPerClockReading;
  if (scheduler::fiber::current->is_over()) throw expired();
}

scheduler::scheduler() = default;

scheduler::~scheduler() = default;

void scheduler::add(const char* name, std::function<void()> process) {
  fibers_.push_back(std::make_unique<fiber>(name, std::move(process)));
}

bool scheduler::run(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* stop) {
  heartbeat_credit = kHeartbeatsPerClockReading;
  for (auto& fiber : fibers_) {
    fiber->deadline = deadline;
    fiber->stop = stop;
  }
  uint32_t round = 0;
  for (bool any = true; any; ++round) {
    any = false;
    for (auto& fiber : fibers_) {
      if (!fiber->is_ready()) continue;
      any = true;
      fiber->resume();
      if (const std::exception_ptr error = fiber->body.error()) {
        try {
          std::rethrow_exception(error);
        } catch (const expired&) {
          return false;
        }
      }
    }
    if (any && round % kRoundsPerClockReading == 0 && fibers_.front()->is_over()) return false;
  }
  return true;
}

std::vector<process_state> scheduler::states() const {
  std::vector<process_state> result;
  for (const auto& fiber : fibers_) {
    result.push_back({fiber->name, fiber->halted ? nullptr : fiber->waits_at, fiber->for_space});
  }
  return result;
}

}  // namespace hls
