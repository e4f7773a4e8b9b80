// SPDX-License-Identifier: Apache-2.0
//
// What a network may ask for, whatever file it comes from. Small files can describe work without
// end; importers refuse it before they allocate or compute anything.
#ifndef VTA_COMPILER_ONNX_GRAPH_LIMITS_H_
#define VTA_COMPILER_ONNX_GRAPH_LIMITS_H_

#include <cstdint>
#include <vector>

#include "runtime/tensor/op.h"

namespace vta::onnx {

constexpr int64_t kMaxResultElems = int64_t{1} << 28;    // of one operator
constexpr int64_t kMaxConstantElems = int64_t{1} << 28;  // of all constants
constexpr int64_t kMaxOperations = int64_t{1} << 41;     // of all operators

// Multiply-accumulates, comparisons or copies that a result takes, roughly; kMaxOperations + 1
// where they are more than kMaxOperations.
int64_t operations(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs,
                   const TensorType& result);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_GRAPH_LIMITS_H_
