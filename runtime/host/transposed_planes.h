// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_HOST_TRANSPOSED_PLANES_H_
#define VTA_RUNTIME_HOST_TRANSPOSED_PLANES_H_

#include "runtime/host/operators.h"

namespace vta::host {

// conv2d_transpose in fp32, by plain loops.
void scatter_planes(const Attrs<OpKind::kConv2dTranspose>& attrs, const Operands& inputs,
                    Tensor& output);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_TRANSPOSED_PLANES_H_
