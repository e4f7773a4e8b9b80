// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/host_operators.h"

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

using Operator = void (*)(const OpAttrs&, const Operands&, Tensor&);

struct Entry {
  OpKind kind;
  Operator compute;
};

// All but input and constant, which compute nothing.
constexpr Entry kOperators[] = {
    {OpKind::kConv2d, conv2d},
    {OpKind::kConv2dTranspose, conv2d_transpose},
    {OpKind::kDense, dense},
    {OpKind::kMatmul, matmul},
    {OpKind::kBatchNorm, batch_norm},
    {OpKind::kRelu, relu},
    {OpKind::kClip, clip},
    {OpKind::kLeakyRelu, leaky_relu},
    {OpKind::kPrelu, prelu},
    {OpKind::kSigmoid, sigmoid},
    {OpKind::kTanh, tanh},
    {OpKind::kHardSigmoid, hard_sigmoid},
    {OpKind::kHardSwish, hard_swish},
    {OpKind::kSilu, silu},
    {OpKind::kAbs, abs},
    {OpKind::kExp, exp},
    {OpKind::kLog, log},
    {OpKind::kSqrt, sqrt},
    {OpKind::kErf, erf},
    {OpKind::kGelu, gelu},
    {OpKind::kSoftplus, softplus},
    {OpKind::kMish, mish},
    {OpKind::kElu, elu},
    {OpKind::kPower, power},
    {OpKind::kAdd, add},
    {OpKind::kSub, sub},
    {OpKind::kMul, mul},
    {OpKind::kDiv, div},
    {OpKind::kMin, min},
    {OpKind::kMax, max},
    {OpKind::kAvgPool2d, avg_pool2d},
    {OpKind::kSoftmax, softmax},
    {OpKind::kLrn, lrn},
    {OpKind::kReduceMean, reduce_mean},
    {OpKind::kArgMax, arg_max},
    {OpKind::kFlatten, flatten},
    {OpKind::kReshape, reshape},
    {OpKind::kTranspose, transpose},
    {OpKind::kConcat, concat},
    {OpKind::kStridedSlice, strided_slice},
    {OpKind::kPad, pad},
    {OpKind::kDepthToSpace, depth_to_space},
    {OpKind::kMaxPool2d, max_pool2d},
    {OpKind::kGlobalMaxPool2d, global_max_pool2d},
    {OpKind::kGlobalAvgPool2d, global_avg_pool2d},
    {OpKind::kResize2d, resize2d},
    {OpKind::kGlobalSumPool2d, global_sum_pool2d},
    {OpKind::kQuantize, quantize},
    {OpKind::kDequantize, dequantize},
    {OpKind::kLookup, lookup},
    {OpKind::kQAvgPool2d, qavg_pool2d},
    {OpKind::kQConv2d, qconv2d},
    {OpKind::kQConv2dTranspose, qconv2d_transpose},
    {OpKind::kQDense, qdense},
    {OpKind::kQAdd, qadd},
    {OpKind::kQMul, qmul},
};

Operator operator_of(OpKind kind) {
  for (const Entry& entry : kOperators) {
    if (entry.kind == kind) return entry.compute;
  }
  return nullptr;
}

}  // namespace

Tensor execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs) {
  std::vector<TensorType> types;
  types.reserve(inputs.size());
  for (const Tensor& input : inputs) types.push_back(input.type());
  Tensor output(infer_type(kind, attrs, types));
  const Operator compute = operator_of(kind);
  VTA_ASSERT(compute != nullptr, "an operator that computes something");
  compute(attrs, inputs, output);
  return output;
}

}  // namespace vta::host
