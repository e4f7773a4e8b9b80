// SPDX-License-Identifier: Apache-2.0
//
// Size limits of networks, for all file formats. A small file can describe unlimited work;
// importers check these limits before they allocate or compute anything.
#ifndef VTA_COMPILER_ONNX_GRAPH_LIMITS_H_
#define VTA_COMPILER_ONNX_GRAPH_LIMITS_H_

#include <cstdint>
#include <vector>

#include "runtime/tensor/op.h"

namespace vta::onnx {

constexpr int64_t kMaxResultElems = int64_t{1} << 28;    // per operator
constexpr int64_t kMaxConstantElems = int64_t{1} << 28;  // of all constants
constexpr int64_t kMaxFilledElems = int64_t{1} << 24;    // of a constant that no file has
constexpr int64_t kMaxRunSize = int64_t{1} << 16;        // of an axis that only a run bounds
constexpr int64_t kMaxOperations = int64_t{1} << 41;     // of all operators

// An estimate of the multiply-accumulates, comparisons or copies for a result; at most
// kMaxOperations + 1.
int64_t operations(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs,
                   const TensorType& result);

// A constant for the importer to fill: a mask, positions. Errors: kUnsupported, before it is
// allocated, for an axis below 1 and for more than kMaxFilledElems.
Tensor new_constant(const std::vector<int64_t>& shape, DType dtype = DType::kFloat32);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_GRAPH_LIMITS_H_
