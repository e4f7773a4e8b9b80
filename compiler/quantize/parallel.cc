// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/parallel.h"

#include <algorithm>
#include <thread>

#include "base/limits/parallel.h"

namespace vta::quantize {

void in_parallel(size_t count, const std::function<void(size_t)>& action) {
  constexpr size_t kMaxThreads = 16;  // each thread holds its own tensors
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  vta::in_parallel(count, std::min(processors, kMaxThreads),
                   [&](size_t, size_t index) { action(index); });
}

}  // namespace vta::quantize
