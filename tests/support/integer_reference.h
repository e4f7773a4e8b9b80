// SPDX-License-Identifier: Apache-2.0
//
// Reference implementation of the integer operators from runtime/tensor/ops.def, written for
// simplicity: plain loops over [n, c, h, w], 64-bit sums truncated to 32 bits at the end. Shares no
// code with runtime/host or the core, which are tested against it.
#ifndef VTA_TESTS_SUPPORT_INTEGER_REFERENCE_H_
#define VTA_TESTS_SUPPORT_INTEGER_REFERENCE_H_

#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::test {

// x int8 [n, ic, ih, iw], w int8 [oc, ic / groups, kh, kw], b int32 [oc] -> int8 [n, oc, oh, ow].
// `numbers`: of operand 3, shifts or factors; empty means attrs.shift for all.
Tensor reference_qconv2d(const OpAttrs& attrs, const Tensor& x, const Tensor& w, const Tensor& b,
                         const std::vector<int32_t>& numbers = {});

// x int8 [n, ic, ih, iw], w int8 [ic, oc / groups, kh, kw], b int32 [oc] -> int8 [n, oc, oh, ow]
Tensor reference_qconv2d_transpose(const OpAttrs& attrs, const Tensor& x, const Tensor& w,
                                   const Tensor& b, const std::vector<int32_t>& numbers = {});

// x int8 [n, ic], w int8 [oc, ic], b int32 [oc] -> int8 [n, oc]
Tensor reference_qdense(const OpAttrs& attrs, const Tensor& x, const Tensor& w, const Tensor& b,
                        const std::vector<int32_t>& numbers = {});

// a, b int8 of one shape -> int8
Tensor reference_qadd(const OpAttrs& attrs, const Tensor& a, const Tensor& b);

// a, b int8, broadcast -> int8
Tensor reference_qmul(const OpAttrs& attrs, const Tensor& a, const Tensor& b);
Tensor reference_qmatmul(const OpAttrs& attrs, const Tensor& a, const Tensor& b);

// x int8 [n, c, h, w] -> int8
Tensor reference_qavg_pool2d(const OpAttrs& attrs, const Tensor& x);

bool is_in_reference(OpKind kind);

// The function of these for `kind`. Asserts that there is one.
Tensor reference_execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs);

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_INTEGER_REFERENCE_H_
