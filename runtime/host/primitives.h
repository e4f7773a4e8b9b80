// SPDX-License-Identifier: Apache-2.0
//
// The operators that host::Executor runs as oneDNN primitives: one table, read by fusion and by the
// executor. Every other operator, and every operation that its rule does not accept, runs by
// host::execute().
#ifndef VTA_RUNTIME_HOST_PRIMITIVES_H_
#define VTA_RUNTIME_HOST_PRIMITIVES_H_

#include <vector>

#include "runtime/host/executor.h"
#include "runtime/host/onednn.h"

namespace vta::host {

enum class PrimitiveKind {
  kConvolution,
  kDeconvolution,
  kInnerProduct,
  kSum,  // of two tensors of the same type
  kConcat,
  kLrn,
  kPooling,
  kGlobalPooling,
  kEltwise,
};

struct Eltwise {
  dnnl::algorithm algorithm = dnnl::algorithm::undef;
  float alpha = 0, beta = 0;
};

struct PrimitiveRule {
  OpKind kind;
  PrimitiveKind primitive;
  // Whether oneDNN computes this operation; its result is fp32.
  bool (*accepts)(const std::vector<Operation>& operations, const Operation& operation);
  Eltwise (*eltwise)(const OpAttrs& attrs) = nullptr;  // of kEltwise
};

// nullptr: host::execute() runs it.
const PrimitiveRule* primitive_of(const std::vector<Operation>& operations,
                                  const Operation& operation);

// `operation`: a convolution, a transposed one or a dense layer.
ProductShape product_shape(const std::vector<Operation>& operations, const Operation& operation);

// kPooling or kGlobalPooling.
dnnl::pooling_forward::primitive_desc describe_pool(const Operation& operation,
                                                    const TensorType& source,
                                                    const dnnl::memory::desc& layout,
                                                    bool is_global);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_PRIMITIVES_H_
