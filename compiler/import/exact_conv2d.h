// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_IMPORT_EXACT_CONV2D_H_
#define VTA_COMPILER_IMPORT_EXACT_CONV2D_H_

#include "runtime/tensor/op.h"

namespace vta::import {

// fp32 conv2d without bias, bit-exact on every machine. Every sum runs over (channel, row, column)
// of the kernel in that order, and each product and sum is rounded. oneDNN's convolution has no
// fixed order. The batch-norm statistics of synthetic weights are measured with it. Operands as
// infer_type() accepts them: x [1, c, h, w], weights [oc, c / groups, kh, kw].
Tensor exact_conv2d(const Attrs<OpKind::kConv2d>& attrs, const Tensor& x, const Tensor& weights);

// The same for conv2d_transpose, weights [ic, oc / groups, kh, kw]: a convolution with the rotated
// kernel over an input with zeros between its pixels. Padding is at most kernel - 1 pixels.
Tensor exact_conv2d_transpose(const Attrs<OpKind::kConv2dTranspose>& attrs, const Tensor& x,
                              const Tensor& weights);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_EXACT_CONV2D_H_
