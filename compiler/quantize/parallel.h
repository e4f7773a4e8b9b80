// SPDX-License-Identifier: Apache-2.0
//
// The same work on many things, on all processors.
#ifndef VTA_COMPILER_QUANTIZE_PARALLEL_H_
#define VTA_COMPILER_QUANTIZE_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace vta::quantize {

// Calls action(0) to action(count - 1), in any order and several at a time. What one of them throws
// is thrown again when all have ended.
void in_parallel(size_t count, const std::function<void(size_t)>& action);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_PARALLEL_H_
