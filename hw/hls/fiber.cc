// SPDX-License-Identifier: Apache-2.0
#include "hw/hls/fiber.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <exception>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HLS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HLS_ASAN 1
#endif
#ifdef HLS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace hls {
namespace ctx = boost::context;

namespace {

// Enough for a process (its locals are a few words) and for an exception on its way out.
#ifdef HLS_ASAN
constexpr size_t kStackBytes = 512 * 1024;
#else
constexpr size_t kStackBytes = 64 * 1024;
#endif

constexpr uint32_t kHeartbeatsPerClockReading = 4096;

thread_local uint32_t heartbeat_credit = 0;

// Thrown through a process whose network is taken down; never leaves the fiber.
struct unwind {};
// Thrown through a process whose run has no time left.
struct expired {};

// Tells the address sanitizer which stack is in use around a switch; nothing in other builds.
struct stack_bounds {
  const void* bottom = nullptr;
  size_t size_bytes = 0;
};
void before_switch([[maybe_unused]] void** save, [[maybe_unused]] const stack_bounds& target) {
#ifdef HLS_ASAN
  __sanitizer_start_switch_fiber(save, target.bottom, target.size_bytes);
#endif
}
void after_switch([[maybe_unused]] void* saved, [[maybe_unused]] stack_bounds* origin) {
#ifdef HLS_ASAN
  __sanitizer_finish_switch_fiber(saved, origin ? &origin->bottom : nullptr,
                                  origin ? &origin->size_bytes : nullptr);
#endif
}

}  // namespace

struct scheduler::fiber {
  fiber(const char* process_name, std::function<void()> process)
      : name(process_name), body(std::move(process)) {
    ctx::protected_fixedsize_stack allocator(kStackBytes);
    ctx::stack_context stack = allocator.allocate();
    bounds = {static_cast<const char*>(stack.sp) - stack.size, stack.size};
    // Boost enters the new stack once already here. The sanitizer has to be told: it would put the
    // frame that stays there into memory of this thread, which may end before the fiber does. A
    // switch that is none tells this thread's own stack.
    stack_bounds own;
    void* saved = nullptr;
    before_switch(&saved, bounds);
    after_switch(saved, &own);
    before_switch(&saved, own);
    context = ctx::fiber(std::allocator_arg, ctx::preallocated(stack.sp, stack.size, stack),
                         allocator, [this](ctx::fiber&& from) { return enter(std::move(from)); });
    after_switch(saved, nullptr);
  }

  ctx::fiber enter(ctx::fiber&& from) {
    caller = std::move(from);
    after_switch(nullptr, &caller_bounds);
    try {
      if (!stopping) body();
    } catch (const unwind&) {
    } catch (...) {
      error = std::current_exception();
    }
    ended = true;
    before_switch(nullptr, caller_bounds);
    return std::move(caller);
  }

  // From the scheduler into the process, until it waits or ends.
  void resume() {
    fiber* const outer = current;
    current = this;
    void* saved = nullptr;
    before_switch(&saved, bounds);
    context = std::move(context).resume();
    after_switch(saved, nullptr);
    current = outer;
  }

  // From the process back to the scheduler.
  void suspend() {
    void* saved = nullptr;
    before_switch(&saved, caller_bounds);
    caller = std::move(caller).resume();
    after_switch(saved, &caller_bounds);
    if (stopping) throw unwind();
  }

  bool can_go_on() const {
    if (ended || halted) return false;
    return waits_at == nullptr || (for_room ? waits_at->can_write() : waits_at->can_read());
  }

  static thread_local fiber* current;

  const char* name;
  std::function<void()> body;
  ctx::fiber context, caller;
  stack_bounds bounds, caller_bounds;
  const channel* waits_at = nullptr;
  bool for_room = false, halted = false, ended = false, stopping = false;
  std::exception_ptr error;
  std::chrono::steady_clock::time_point deadline;
};

thread_local scheduler::fiber* scheduler::fiber::current = nullptr;

void channel::wait(bool for_room) {
  scheduler::fiber* self = scheduler::fiber::current;
  self->waits_at = this;
  self->for_room = for_room;
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
  if (std::chrono::steady_clock::now() >= scheduler::fiber::current->deadline) throw expired();
}

scheduler::scheduler() = default;

scheduler::~scheduler() {
  for (auto& fiber : fibers_) {
    fiber->stopping = true;
    if (!fiber->ended) fiber->resume();
  }
}

void scheduler::add(const char* name, std::function<void()> process) {
  fibers_.push_back(std::make_unique<fiber>(name, std::move(process)));
}

bool scheduler::run(std::chrono::steady_clock::time_point deadline) {
  heartbeat_credit = kHeartbeatsPerClockReading;
  for (auto& fiber : fibers_) fiber->deadline = deadline;
  for (bool any = true; any;) {
    any = false;
    for (auto& fiber : fibers_) {
      if (!fiber->can_go_on()) continue;
      any = true;
      fiber->resume();
      if (fiber->error) {
        try {
          std::rethrow_exception(fiber->error);
        } catch (const expired&) {
          return false;
        }
      }
    }
    if (any && std::chrono::steady_clock::now() >= deadline) return false;
  }
  return true;
}

std::vector<process_state> scheduler::states() const {
  std::vector<process_state> result;
  for (const auto& fiber : fibers_) {
    result.push_back({fiber->name, fiber->halted ? nullptr : fiber->waits_at, fiber->for_room});
  }
  return result;
}

}  // namespace hls
