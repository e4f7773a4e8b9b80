// SPDX-License-Identifier: Apache-2.0
//
// Integer depthwise convolution: each kernel tap is added to the sums of one output plane, row by
// row. Gathering windows as integer_products.cc does would leave most vector lanes empty.
#ifndef VTA_RUNTIME_HOST_INTEGER_DEPTHWISE_H_
#define VTA_RUNTIME_HOST_INTEGER_DEPTHWISE_H_

#include "runtime/host/operators.h"

namespace vta::host {

// qconv2d() with as many groups as input channels.
void qconv2d_depthwise(const Attrs<OpKind::kQConv2d>& attrs, const Operands& inputs,
                       Tensor& output);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_INTEGER_DEPTHWISE_H_
