// SPDX-License-Identifier: Apache-2.0
//
// Every operator of runtime/tensor/ops.def on the host: fp32 by oneDNN (or plain loops where it has
// none), integers by our own exact loops, the same bytes on every machine.
#ifndef VTA_RUNTIME_HOST_HOST_OPERATORS_H_
#define VTA_RUNTIME_HOST_HOST_OPERATORS_H_

#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// The operator's result. Works on the calling thread alone; any number of threads may call it.
// Errors: those of infer_type(); kOutOfMemory or kUnsupported where oneDNN gives up.
Tensor execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_HOST_OPERATORS_H_
