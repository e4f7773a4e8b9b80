// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_IMPORT_EXACT_CONV2D_H_
#define VTA_COMPILER_IMPORT_EXACT_CONV2D_H_

#include "runtime/tensor/op.h"

namespace vta::import {

// conv2d in fp32 without bias whose every sum runs over (channel, row, column) of the kernel in
// that order, each product and sum rounded: the same bits on every machine, which oneDNN's
// convolution does not give. Synthetic weights depend on it: their batch-norm statistics are
// measured behind it. Operands as infer_type() accepts them: x [1, c, h, w], weights [oc, c /
// groups, kh, kw].
Tensor exact_conv2d(const OpAttrs& attrs, const Tensor& x, const Tensor& weights);

// The same for conv2d_transpose, weights [ic, oc / groups, kh, kw]: as a convolution with the
// kernel turned round over an input with zeros between its pixels. At most kernel - 1 pixels are
// padded.
Tensor exact_conv2d_transpose(const OpAttrs& attrs, const Tensor& x, const Tensor& weights);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_EXACT_CONV2D_H_
