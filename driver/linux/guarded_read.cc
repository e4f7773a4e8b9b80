// SPDX-License-Identifier: Apache-2.0
#include "driver/linux/guarded_read.h"

#include <csetjmp>
#include <csignal>
#include <mutex>

#include "driver/linux/memory_barrier.h"

namespace vta::driver {
namespace {

std::mutex mutex;  // one guarded read at a time: its state is global
struct sigaction before;
thread_local sigjmp_buf* volatile jump = nullptr;  // of this thread's guarded read

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    // The instruction is repeated, without this handler.
    ::sigaction(signal, &before, nullptr);
  } else {
    before.sa_handler(signal);
  }
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  if (jump != nullptr) siglongjmp(*jump, 1);
  pass_on(signal, info, context);
}

}  // namespace

std::optional<uint32_t> read_guarded(const volatile uint32_t* address) {
  const std::lock_guard lock(mutex);
  struct sigaction guard{};
  guard.sa_sigaction = on_bus_error;
  guard.sa_flags = SA_SIGINFO;
  sigemptyset(&guard.sa_mask);
  ::sigaction(SIGBUS, &guard, &before);
  sigjmp_buf target;
  volatile bool failed = true;
  volatile uint32_t value = 0;
  if (sigsetjmp(target, 1) == 0) {
    jump = &target;
    value = *address;
    memory_barrier();  // a bus error arrives before the next line
    failed = false;
  }
  jump = nullptr;
  ::sigaction(SIGBUS, &before, nullptr);
  return failed ? std::nullopt : std::optional<uint32_t>(value);
}

}  // namespace vta::driver
