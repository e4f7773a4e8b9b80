// SPDX-License-Identifier: Apache-2.0
//
// Parallel loop over all processors.
#ifndef VTA_COMPILER_QUANTIZE_PARALLEL_H_
#define VTA_COMPILER_QUANTIZE_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace vta::quantize {

// Calls action(0) to action(count - 1) concurrently, in any order. Rethrows an exception of a call
// after all calls have ended.
void in_parallel(size_t count, const std::function<void(size_t)>& action);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_PARALLEL_H_
