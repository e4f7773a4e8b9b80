// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_TENSOR_OP_KINDS_H_
#define VTA_RUNTIME_TENSOR_OP_KINDS_H_

#include "runtime/tensor/op.h"

namespace vta {

// All operators in the order of ops.def: static_asserts compare other tables with it.
inline constexpr OpKind kOpKinds[] = {
#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) OpKind::kind,
#include "runtime/tensor/ops.def"
};

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_OP_KINDS_H_
