// SPDX-License-Identifier: Apache-2.0
//
// A loop on several threads.
#ifndef VTA_BASE_LIMITS_PARALLEL_H_
#define VTA_BASE_LIMITS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace vta {

// Calls action(worker, 0) to action(worker, count - 1), in any order, on at most `workers` threads
// with the numbers 0 to workers - 1, of which 0 is the caller's. Calls of one worker do not
// overlap. After an exception no other call begins; it is rethrown when all have ended.
void in_parallel(size_t count, size_t workers,
                 const std::function<void(size_t worker, size_t index)>& action);

// The same with a thread for each processor, at most 16: each may hold tensors of its own.
void in_parallel(size_t count, const std::function<void(size_t index)>& action);

}  // namespace vta

#endif  // VTA_BASE_LIMITS_PARALLEL_H_
