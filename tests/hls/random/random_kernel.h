// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_RANDOM_RANDOM_KERNEL_H_
#define VTA_TESTS_HLS_RANDOM_RANDOM_KERNEL_H_

#include <cstdint>
#include <string>

namespace vta::kernels {

// A legal kernel in the form of the files in tests/hls/kernels, the same one for the same seed
// everywhere. It may be pipelined at the intervals that it asks for: nothing but counters (and a
// register that is said to be late) decides how a pipelined loop goes on and which streams it
// reads, no stream or memory is used more often than the interval allows, and what goes from one
// iteration to the next does so through one operation.
std::string random_kernel(uint64_t seed);

// Of its class, and of the file that it should stand in (without .cc).
std::string random_kernel_name(uint64_t seed);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_RANDOM_KERNEL_H_
