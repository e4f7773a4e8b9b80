// SPDX-License-Identifier: Apache-2.0
//
// Helper functions of constant folding.
#ifndef VTA_COMPILER_ONNX_FOLD_H_
#define VTA_COMPILER_ONNX_FOLD_H_

#include <functional>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

// An array of `dims` without values yet. Errors: kUnsupported above 2^28 elements, or above 2^22 if
// the values do not come from a file (`grows`).
Array make_array(ElementType type, Dims dims, bool grows = false);

// The value as an element of the integer type: modulo 2^bits, as in ONNX Runtime; bool: value != 0.
int64_t wrapped(int64_t value, ElementType type);

// An array whose element i is element source(i) of `from`.
Array gathered(const Array& from, Dims dims, const std::function<int64_t(int64_t)>& source,
               bool grows = false);

// The index along each axis of element `index` of a tensor of these dimensions, and the inverse.
Dims unraveled(int64_t index, const Dims& dims);
int64_t raveled(const Dims& indices, const Dims& dims);

// The element of a tensor that broadcasts to `to` for element `index` of the result.
int64_t broadcast_index(int64_t index, const Dims& from, const Dims& to);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_FOLD_H_
