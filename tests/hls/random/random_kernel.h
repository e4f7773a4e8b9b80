// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_RANDOM_RANDOM_KERNEL_H_
#define VTA_TESTS_HLS_RANDOM_RANDOM_KERNEL_H_

#include <cstdint>
#include <string>

namespace vta::kernels {

// A legal kernel in the form of the files in tests/hls/kernels; the same seed gives the same kernel
// everywhere. It can be pipelined at its initiation intervals. Only counters (and a register that
// is marked late) control a pipelined loop and the streams that it reads. No stream or memory is
// accessed more often than the interval allows, and every recurrence goes through one operation.
std::string random_kernel(uint64_t seed);

// The name of its class, and of its file (without .cc).
std::string random_kernel_name(uint64_t seed);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_RANDOM_KERNEL_H_
