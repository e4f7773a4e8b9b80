// SPDX-License-Identifier: Apache-2.0
//
// All operators of runtime/tensor/ops.def on the host: fp32 by oneDNN or plain loops, integers by
// exact loops that give the same bytes on every machine.
#ifndef VTA_RUNTIME_HOST_HOST_OPERATORS_H_
#define VTA_RUNTIME_HOST_HOST_OPERATORS_H_

#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// The operator's result, computed on the calling thread; thread-safe. Its sizes are those of the
// run: exact where the graph has upper bounds, and possibly 0.
// Errors: as infer_run_type(); kOutOfMemory or kUnsupported from oneDNN.
Tensor execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs);

// int32 of the same shape: the sums of products of a qconv2d, qconv2d_transpose or qdense, without
// the bias and before requantization. Errors: as execute().
Tensor sums_of_layer(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_HOST_OPERATORS_H_
