// SPDX-License-Identifier: Apache-2.0
//
// The functions that compute the operators, one per line of ops.def. Each fills `output`, which has
// the type that infer_run_type() gave, with at least one element; infer_run_type() has checked the
// operands. Functions of operators whose size depends on data replace it by one of the exact size.
//
//   conv2d, conv2d_transpose, dense, matmul       float_products.cc (oneDNN)
//   fp32, element by element                      float_elementwise.cc
//   softmax, lrn, reduce_mean, arg_max            float_axes.cc
//   unary, binary, cast, reduce, cumulative       functions.cc
//   where, tile, broadcast_to, gather*, scatter*, top_k  indexed.cc
//   iota, non_zero, unique, compress, shape_of    selection.cc
//   non_max_suppression                           suppression.cc
//   pools, fp32 and integer                       pooling.cc
//   resize2d                                      resampling.cc
//   data movement, any element type               data_movement.cc, padding.cc
//   quantize, dequantize, lookup, qadd, qmul      quantization.cc
//   qconv2d                                       integer_convolution.cc
//   qdense, qmatmul                               integer_products.cc
//   depthwise qconv2d                             integer_depthwise.cc
//   qconv2d_transpose                             integer_transpose.cc
//   input, constant (errors)                      host_operators.cc
#ifndef VTA_RUNTIME_HOST_OPERATORS_H_
#define VTA_RUNTIME_HOST_OPERATORS_H_

#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

using Operands = std::vector<Tensor>;

#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) \
  void name(const Attrs<OpKind::kind>& attrs, const Operands& inputs, Tensor& output);
#include "runtime/tensor/ops.def"

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_OPERATORS_H_
