// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_TENSOR_AVERAGE_SHIFT_H_
#define VTA_RUNTIME_TENSOR_AVERAGE_SHIFT_H_

namespace vta {

// The largest shift of qavg_pool2d, to the right or (negative) to the left.
inline constexpr int kMaxAverageShift = 16;

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_AVERAGE_SHIFT_H_
