// SPDX-License-Identifier: Apache-2.0
#include "hw/hls/coroutine.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>

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

// Enough for a process, whose locals are a few words, and for unwinding an exception.
#ifdef HLS_ASAN
constexpr size_t kStackBytes = 512 * 1024;
#else
constexpr size_t kStackBytes = 64 * 1024;
#endif

// Unwinds a body that is destroyed; never leaves the coroutine.
struct unwind {};

// Tells the address sanitizer about stack switches; empty in other builds.
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

struct coroutine::state {
  explicit state(std::function<void()> function) : body(std::move(function)) {
    ctx::protected_fixedsize_stack allocator(kStackBytes);
    ctx::stack_context stack = allocator.allocate();
    bounds = {static_cast<const char*>(stack.sp) - stack.size, stack.size};
    // Boost already enters the new stack here. The sanitizer must know: otherwise it would put the
    // frame that remains there into memory of this thread, which may end before the coroutine does.
    // An empty switch reports this thread's own stack.
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

  std::function<void()> body;
  ctx::fiber context, caller;
  stack_bounds bounds, caller_bounds;
  bool ended = false, stopping = false;
  std::exception_ptr error;
};

coroutine::coroutine(std::function<void()> body)
    : state_(std::make_unique<state>(std::move(body))) {}

coroutine::~coroutine() {
  state_->stopping = true;
  if (!state_->ended) resume();
}

void coroutine::resume() {
  void* saved = nullptr;
  before_switch(&saved, state_->bounds);
  state_->context = std::move(state_->context).resume();
  after_switch(saved, nullptr);
}

void coroutine::suspend() {
  void* saved = nullptr;
  before_switch(&saved, state_->caller_bounds);
  state_->caller = std::move(state_->caller).resume();
  after_switch(saved, &state_->caller_bounds);
  if (state_->stopping) throw unwind();
}

bool coroutine::has_ended() const { return state_->ended; }
const std::exception_ptr& coroutine::error() const { return state_->error; }

}  // namespace hls
