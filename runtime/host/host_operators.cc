// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/host_operators.h"

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

using Operator = void (*)(const OpAttrs&, const Operands&, Tensor&);

Operator operator_of(OpKind kind) {
  switch (kind) {
    case OpKind::kInput:
    case OpKind::kConstant:
      return nullptr;
    case OpKind::kConv2d:
      return conv2d;
    case OpKind::kDense:
      return dense;
    case OpKind::kBatchNorm:
      return batch_norm;
    case OpKind::kRelu:
      return relu;
    case OpKind::kClip:
      return clip;
    case OpKind::kAdd:
      return add;
    case OpKind::kAvgPool2d:
      return avg_pool2d;
    case OpKind::kSoftmax:
      return softmax;
    case OpKind::kMaxPool2d:
      return max_pool2d;
    case OpKind::kFlatten:
      return flatten;
    case OpKind::kStridedSlice:
      return strided_slice;
    case OpKind::kPad:
      return pad;
    case OpKind::kGlobalAvgPool2d:
      return global_avg_pool2d;
    case OpKind::kGlobalSumPool2d:
      return global_sum_pool2d;
    case OpKind::kQuantize:
      return quantize;
    case OpKind::kDequantize:
      return dequantize;
    case OpKind::kQConv2d:
      return qconv2d;
    case OpKind::kQDense:
      return qdense;
    case OpKind::kQAdd:
      return qadd;
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
