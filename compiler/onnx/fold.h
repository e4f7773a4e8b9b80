// SPDX-License-Identifier: Apache-2.0
//
// What functions that compute constants share.
#ifndef VTA_COMPILER_ONNX_FOLD_H_
#define VTA_COMPILER_ONNX_FOLD_H_

#include <functional>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

// An array without values yet of `dims`. Errors: kUnsupported beyond 2^28 elements, or, where the
// values do not come from a file (`grows`), beyond 2^22.
Array make_array(ElementType type, Dims dims, bool grows = false);

// The integer that an element of the type holds: modulo 2^bits, as ONNX Runtime wraps; of bool, not
// 0.
int64_t wrapped(int64_t value, ElementType type);

// Element i of the result is element source(i) of `from`.
Array gathered(const Array& from, Dims dims, const std::function<int64_t(int64_t)>& source,
               bool grows = false);

// The indices along every axis of element `index` of a tensor of these dimensions, and back.
Dims unraveled(int64_t index, const Dims& dims);
int64_t raveled(const Dims& indices, const Dims& dims);

// Of a tensor that broadcasts to `to`, the element for element `index` of the result.
int64_t broadcast_index(int64_t index, const Dims& from, const Dims& to);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_FOLD_H_
