// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_MEMORY_BARRIER_H_
#define VTA_DRIVER_LINUX_MEMORY_BARRIER_H_

#include <atomic>

namespace vta::driver {

// Completes all accesses before it. The C++ fence does not order ordinary memory and device
// registers on ARM.
inline void memory_barrier() {
#if defined(__arm__) || defined(__aarch64__)
  asm volatile("dsb sy" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_MEMORY_BARRIER_H_
