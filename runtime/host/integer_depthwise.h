// SPDX-License-Identifier: Apache-2.0
//
// The integer convolution whose groups have one input channel: row by row, each tap of the kernel
// added to the sums of one output plane. Gathering windows would leave most lanes empty.
#ifndef VTA_RUNTIME_HOST_INTEGER_DEPTHWISE_H_
#define VTA_RUNTIME_HOST_INTEGER_DEPTHWISE_H_

#include <vector>

#include "runtime/host/operators.h"

namespace vta::host {

// As qconv2d() with as many groups as input channels. `shifts`: of each output channel.
void qconv2d_depthwise(const OpAttrs& attrs, const Operands& inputs,
                       const std::vector<int32_t>& shifts, Tensor& output);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_INTEGER_DEPTHWISE_H_
