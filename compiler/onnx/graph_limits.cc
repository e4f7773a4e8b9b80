// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/graph_limits.h"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "base/errors/error.h"

namespace vta::onnx {
namespace {

// Saturates; the factors are not negative.
int64_t product(std::span<const int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors) {
    const bool is_more = factor > 0 && result > kMaxOperations / factor;
    result = is_more ? kMaxOperations + 1 : result * factor;
  }
  return result;
}

int64_t product(std::initializer_list<int64_t> factors) {
  return product(std::span(factors.begin(), factors.size()));
}

int64_t elems(const TensorType& type) { return product(type.shape); }

// The weights per element of axis 0.
int64_t elems_per_row(const TensorType& type) { return product(std::span(type.shape).subspan(1)); }

}  // namespace

int64_t operations(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs,
                   const TensorType& result) {
  switch (kind) {
    case OpKind::kConv2d:
    case OpKind::kDense:
      return product({elems(result), elems_per_row(inputs[1])});
    case OpKind::kConv2dTranspose:
      return product({elems(inputs[0]), elems_per_row(inputs[1])});
    case OpKind::kMatmul:
      return product({elems(result), inputs[0].shape.back()});
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return product({elems(result), attrs.kernel[0], attrs.kernel[1]});
    case OpKind::kReduceMean:
    case OpKind::kArgMax:
    case OpKind::kReduce:
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      return elems(inputs[0]);
    case OpKind::kNonMaxSuppression:
      return product({elems(inputs[1]), std::min(attrs.size, inputs[1].shape[2])});
    case OpKind::kNonZero:
    case OpKind::kCompress:
      return elems(inputs[0]);
    case OpKind::kUnique:
    case OpKind::kTopK:
      return product({elems(inputs[0]), 32});
    case OpKind::kLrn:
      return product({elems(result), attrs.size});
    default:
      return elems(result);
  }
}

Tensor new_constant(const std::vector<int64_t>& shape, DType dtype) {
  const bool has_elems = std::ranges::all_of(shape, [](int64_t size) { return size >= 1; });
  if (!has_elems || product(shape) > kMaxFilledElems) {
    fail(ErrorCode::kUnsupported, "needs a constant of shape [{}], supported are up to {} elements",
         fmt::join(shape, ", "), kMaxFilledElems);
  }
  return Tensor(TensorType{dtype, shape});
}

}  // namespace vta::onnx
