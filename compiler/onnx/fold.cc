// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/fold.h"

namespace vta::onnx {

Array make_array(ElementType type, Dims dims, bool grows) {
  const int64_t limit = int64_t{1} << (grows ? 22 : 28);
  const int64_t count = num_elems(dims);
  if (count > limit) {
    fail(ErrorCode::kUnsupported, "a constant of shape [{}], supported are {} elements",
         fmt::join(dims, ", "), limit);
  }
  Array array;
  array.type = type;
  array.dims = std::move(dims);
  if (array.is_float()) {
    array.floats.resize(static_cast<size_t>(count));
  } else {
    array.ints.resize(static_cast<size_t>(count));
  }
  return array;
}

int64_t wrapped(int64_t value, ElementType type) {
  if (type == ElementType::kBool) return value != 0 ? 1 : 0;
  const int unused = 64 - bits(type);
  if (unused == 0) return value;
  const auto shifted = static_cast<uint64_t>(value) << unused;
  if (lowest(type) < 0) return static_cast<int64_t>(shifted) >> unused;
  return static_cast<int64_t>(shifted >> unused);
}

Array gathered(const Array& from, Dims dims, const std::function<int64_t(int64_t)>& source,
               bool grows) {
  Array result = make_array(from.type, std::move(dims), grows);
  for (int64_t i = 0; i < result.size(); ++i) {
    const auto at = static_cast<size_t>(source(i)), to = static_cast<size_t>(i);
    if (from.is_float()) {
      result.floats[to] = from.floats.at(at);
    } else {
      result.ints[to] = from.ints.at(at);
    }
  }
  return result;
}

Dims unraveled(int64_t index, const Dims& dims) {
  Dims indices(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    indices[i] = index % dims[i];
    index /= dims[i];
  }
  return indices;
}

int64_t raveled(const Dims& indices, const Dims& dims) {
  int64_t index = 0;
  for (size_t i = 0; i < dims.size(); ++i) index = index * dims[i] + indices[i];
  return index;
}

int64_t broadcast_index(int64_t index, const Dims& from, const Dims& to) {
  int64_t result = 0, stride = 1;
  for (size_t i = 0; i < to.size(); ++i) {
    const int64_t size = to[to.size() - 1 - i];
    const int64_t position = index % size;
    index /= size;
    if (i >= from.size()) continue;
    const int64_t own = from[from.size() - 1 - i];
    if (own != 1) result += position * stride;
    stride *= own;
  }
  return result;
}

}  // namespace vta::onnx
