// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/array.h"

#include <algorithm>

namespace vta::onnx {

int64_t num_elems(const Dims& dims) {
  constexpr int64_t kMaxElems = (int64_t{1} << 31) - 1;
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim < 0) {
      fail(ErrorCode::kCorrupt, "shape [{}] has a negative dimension", fmt::join(dims, ", "));
    }
    if (dim != 0 && count > kMaxElems / dim) {
      fail(ErrorCode::kCorrupt, "shape [{}] has more than {} elements", fmt::join(dims, ", "),
           kMaxElems);
    }
    count *= dim;
  }
  return count;
}

Array integers(Dims dims, std::vector<int64_t> values) {
  Array result;
  result.type = ElementType::kInt64;
  result.dims = std::move(dims);
  result.ints = std::move(values);
  return result;
}

std::string type_text(ElementType type, const Dims& dims) {
  return fmt::format("{}[{}]", to_string(type), fmt::join(dims, ", "));
}

std::string to_string(const Array& array) { return type_text(array.type, array.dims); }

Tensor to_tensor(const Array& array) {
  VTA_ASSERT(array.size() > 0, "tensors of the graph have elements");
  Tensor tensor({DType::kFloat32, array.dims.empty() ? Dims{1} : array.dims});
  const std::span<float> values = tensor.mutable_data<float>();
  if (array.is_float()) {
    std::copy(array.floats.begin(), array.floats.end(), values.begin());
  } else {
    std::transform(array.ints.begin(), array.ints.end(), values.begin(),
                   [](int64_t value) { return static_cast<float>(value); });
  }
  return tensor;
}

Tensor int32_tensor(const Array& array) {
  Tensor tensor({DType::kInt32, array.dims.empty() ? Dims{1} : array.dims});
  const std::span<int32_t> values = tensor.mutable_data<int32_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (array.ints[i] < lowest(ElementType::kInt32) ||
        array.ints[i] > highest(ElementType::kInt32)) {
      fail(ErrorCode::kUnsupported, "constant {} is outside int32", array.ints[i]);
    }
    values[i] = static_cast<int32_t>(array.ints[i]);
  }
  return tensor;
}

}  // namespace vta::onnx
