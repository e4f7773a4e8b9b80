// SPDX-License-Identifier: Apache-2.0
#include "base/limits/freed_memory.h"

#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace vta {

void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kLargestBlockBytes = 32 << 20, kMaxKeptBytes = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargestBlockBytes);
  ::mallopt(M_TRIM_THRESHOLD, kMaxKeptBytes);
#endif
}

}  // namespace vta
