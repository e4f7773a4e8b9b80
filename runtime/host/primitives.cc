// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/primitives.h"

#include <algorithm>

#include "runtime/host/onednn_version.h"

namespace vta::host {
namespace {

using dnnl::memory;
using Operations = std::vector<Operation>;

const TensorType& input_type(const Operations& operations, const Operation& operation, size_t i) {
  return operations[operation.inputs[i]].type;
}

bool always(const Operations&, const Operation&) { return true; }

// The weights are reordered once, when the executor is made.
bool is_supported_product(const Operations& operations, const Operation& operation) {
  const bool has_constant_weights =
      std::all_of(operation.inputs.begin() + 1, operation.inputs.end(),
                  [&](size_t input) { return operations[input].kind == OpKind::kConstant; });
  return has_constant_weights && is_supported(product_shape(operations, operation));
}

// oneDNN counts the padding in a window that extends beyond the padded image; ops.def does not.
bool is_supported_pool(const Operations&, const Operation& operation) {
  const OpAttrs& a = operation.attrs;
  return a.dilation == std::array<int64_t, 2>{1, 1} && !(a.ceil_mode && a.count_include_pad);
}

bool has_float_operand(const Operations& operations, const Operation& operation) {
  return input_type(operations, operation, 0).dtype == DType::kFloat32;
}

bool has_operands_of_one_type(const Operations& operations, const Operation& operation) {
  return input_type(operations, operation, 0) == input_type(operations, operation, 1);
}

bool is_concat_of_images(const Operations&, const Operation& operation) {
  return operation.type.shape.size() == 4 && operation.inputs.size() > 1;
}

bool is_odd_lrn_of_image(const Operations&, const Operation& operation) {
  return operation.type.shape.size() == 4 && operation.attrs.size % 2 == 1;
}

float number(double x) { return static_cast<float>(x); }

template <dnnl::algorithm kAlgorithm>
Eltwise plain(const OpAttrs&) {
  return {kAlgorithm};
}
Eltwise clip(const OpAttrs& attrs) {
  return {dnnl::algorithm::eltwise_clip, number(attrs.lo), number(attrs.hi)};
}
Eltwise leaky_relu(const OpAttrs& attrs) {
  return {dnnl::algorithm::eltwise_relu, number(attrs.alpha)};
}
Eltwise silu(const OpAttrs&) { return {dnnl::algorithm::eltwise_swish, 1}; }
#if VTA_ONEDNN_HAS_HARD_SWISH
// x * clip(alpha * x + beta, 0, 1). oneDNN 2 ignores alpha and beta and always uses these values.
Eltwise hard_swish(const OpAttrs&) { return {dnnl::algorithm::eltwise_hardswish, 1.0f / 6, 0.5f}; }
#endif

constexpr PrimitiveRule kRules[] = {
    {OpKind::kConv2d, PrimitiveKind::kConvolution, is_supported_product},
    {OpKind::kConv2dTranspose, PrimitiveKind::kDeconvolution, is_supported_product},
    {OpKind::kDense, PrimitiveKind::kInnerProduct, is_supported_product},
    {OpKind::kAdd, PrimitiveKind::kSum, has_operands_of_one_type},
    {OpKind::kConcat, PrimitiveKind::kConcat, is_concat_of_images},
    {OpKind::kLrn, PrimitiveKind::kLrn, is_odd_lrn_of_image},
    {OpKind::kMaxPool2d, PrimitiveKind::kPooling, is_supported_pool},
    {OpKind::kAvgPool2d, PrimitiveKind::kPooling, is_supported_pool},
    {OpKind::kGlobalMaxPool2d, PrimitiveKind::kGlobalPooling, has_float_operand},
    {OpKind::kGlobalAvgPool2d, PrimitiveKind::kGlobalPooling, has_float_operand},
    {OpKind::kRelu, PrimitiveKind::kEltwise, always, plain<dnnl::algorithm::eltwise_relu>},
    {OpKind::kClip, PrimitiveKind::kEltwise, always, clip},
    {OpKind::kLeakyRelu, PrimitiveKind::kEltwise, always, leaky_relu},
    {OpKind::kSigmoid, PrimitiveKind::kEltwise, always, plain<dnnl::algorithm::eltwise_logistic>},
    {OpKind::kTanh, PrimitiveKind::kEltwise, always, plain<dnnl::algorithm::eltwise_tanh>},
#if VTA_ONEDNN_HAS_HARD_SWISH
    {OpKind::kHardSwish, PrimitiveKind::kEltwise, always, hard_swish},
#endif
    {OpKind::kSilu, PrimitiveKind::kEltwise, always, silu},
};
static_assert(std::ranges::all_of(kRules,
                                  [](const PrimitiveRule& rule) {
                                    return rule.accepts != nullptr &&
                                           (rule.primitive == PrimitiveKind::kEltwise) ==
                                               (rule.eltwise != nullptr);
                                  }),
              "every rule has a condition, and exactly those of kEltwise an algorithm");

// oneDNN's primitives are made for sizes that are known before a run.
bool has_open_axes(const Operations& operations, const Operation& operation) {
  return operation.type.is_open() || std::ranges::any_of(operation.inputs, [&](size_t input) {
           return operations[input].type.is_open();
         });
}

}  // namespace

const PrimitiveRule* primitive_of(const Operations& operations, const Operation& operation) {
  if (operation.type.dtype != DType::kFloat32 || has_open_axes(operations, operation))
    return nullptr;
  const auto* rule = std::ranges::find(kRules, operation.kind, &PrimitiveRule::kind);
  return rule != std::end(kRules) && rule->accepts(operations, operation) ? rule : nullptr;
}

ProductShape product_shape(const Operations& operations, const Operation& operation) {
  return product_shape(operation.kind, operation.attrs, input_type(operations, operation, 0),
                       input_type(operations, operation, 1), operation.type);
}

dnnl::pooling_forward::primitive_desc describe_pool(const Operation& operation,
                                                    const TensorType& source,
                                                    const memory::desc& layout, bool is_global) {
  const OpAttrs& a = operation.attrs;
  const memory::dims &in = source.shape, &out = operation.type.shape;
  const bool is_max =
      operation.kind == OpKind::kMaxPool2d || operation.kind == OpKind::kGlobalMaxPool2d;
  memory::dims kernel = {in[2], in[3]}, stride = {1, 1}, before = {0, 0}, after = {0, 0};
  if (!is_global) {
    kernel = {a.kernel[0], a.kernel[1]};
    stride = {a.stride[0], a.stride[1]};
    before = {a.pad[0], a.pad[1]};
    for (size_t axis = 0; axis < 2; ++axis) {  // as far as the windows reach
      const int64_t reached = (out[2 + axis] - 1) * stride[axis] + kernel[axis];
      after[axis] = std::max<int64_t>(0, reached - in[2 + axis] - before[axis]);
    }
  }
  const auto average = a.count_include_pad ? dnnl::algorithm::pooling_avg_include_padding
                                           : dnnl::algorithm::pooling_avg_exclude_padding;
  return describe_pooling(is_max ? dnnl::algorithm::pooling_max : average, layout, any_layout(out),
                          stride, kernel, before, after);
}

}  // namespace vta::host
