// SPDX-License-Identifier: Apache-2.0
#include "base/limits/memory_limit.h"

// Called by libFuzzer before the first input. The default limit is half of the machine's memory,
// which is more than -rss_limit_mb on most: whether an input is refused would depend on the
// machine.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  constexpr uint64_t kLimitBytes = 512U << 20U;
  vta::set_memory_limit_bytes(kLimitBytes);
  return 0;
}
