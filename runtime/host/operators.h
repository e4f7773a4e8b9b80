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
void conv2d_transpose(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void dense(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void matmul(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// float_elementwise.cc
void batch_norm(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void relu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void clip(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void leaky_relu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void prelu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void sigmoid(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void tanh(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void hard_sigmoid(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void hard_swish(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void silu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void abs(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void exp(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void log(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void sqrt(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void erf(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void gelu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void softplus(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void mish(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void elu(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void power(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void add(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void sub(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void mul(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void div(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void min(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void max(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// float_axes.cc
void softmax(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void lrn(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void reduce_mean(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void arg_max(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// pooling.cc
void max_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void avg_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qavg_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void global_max_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void global_avg_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void global_sum_pool2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// resampling.cc
void resize2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// data_movement.cc, padding.cc: any element type
void flatten(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void reshape(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void transpose(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void concat(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void strided_slice(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void depth_to_space(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void pad(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// quantization.cc
void quantize(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void dequantize(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void lookup(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qadd(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qmul(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

// integer_products.cc, integer_transpose.cc
void qconv2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qconv2d_transpose(const OpAttrs& attrs, const Operands& inputs, Tensor& output);
void qdense(const OpAttrs& attrs, const Operands& inputs, Tensor& output);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_OPERATORS_H_
