// SPDX-License-Identifier: Apache-2.0
//
// One function an operator, grouped by the file that holds them. Each fills `output`, whose type
// infer_type() gave; operands were checked by it.
#ifndef VTA_RUNTIME_HOST_OPERATORS_H_
#define VTA_RUNTIME_HOST_OPERATORS_H_

#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

using Operands = std::vector<Tensor>;

// float_products.cc: by oneDNN
void conv2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void dense(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// float_elementwise.cc
void batch_norm(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void relu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void clip(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void add(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void softmax(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// pooling.cc
void max_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void avg_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void global_avg_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void global_sum_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// data_movement.cc: any element type
void flatten(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void strided_slice(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void pad(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// quantization.cc
void quantize(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void dequantize(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qadd(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// integer_products.cc
void qconv2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qdense(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_OPERATORS_H_
