// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors/counted.h"
#include "compiler/onnx/fold.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

void set_reshaped(NodeContext& node, Dims dims) {
  Array result = node.constant(0, "data");
  result.dims = std::move(dims);
  node.set_constant(std::move(result));
}

Array sliced(const Array& from, const std::vector<SliceRange>& ranges) {
  Dims dims;
  for (const SliceRange& range : ranges) dims.push_back(range.count());
  return gathered(from, dims, [&](int64_t i) {
    Dims indices = unraveled(i, dims);
    for (size_t k = 0; k < indices.size(); ++k) {
      indices[k] = ranges[k].begin + indices[k] * ranges[k].step;
    }
    return raveled(indices, from.dims);
  });
}

}  // namespace

void fold_reshape(NodeContext& node) { set_reshaped(node, reshape_dims(node)); }
void fold_squeeze(NodeContext& node) { set_reshaped(node, squeeze_dims(node)); }
void fold_unsqueeze(NodeContext& node) { set_reshaped(node, unsqueeze_dims(node)); }
void fold_flatten(NodeContext& node) { set_reshaped(node, flatten_dims(node)); }

void fold_slice(NodeContext& node) {
  node.set_constant(sliced(node.constant(0, "data"), slice_ranges(node)));
}

void fold_split(NodeContext& node) {
  const Array& from = node.constant(0, "data");
  const SplitParts parts = split_parts(node);
  int64_t begin = 0;
  for (size_t i = 0; i < parts.sizes.size(); ++i) {
    std::vector<SliceRange> ranges;
    for (int64_t dim : from.dims) ranges.push_back({0, dim, 1});
    ranges[static_cast<size_t>(parts.axis)] = {begin, begin + parts.sizes[i], 1};
    begin += parts.sizes[i];
    node.set_constant(sliced(from, ranges), i);
  }
}

// The axes of the indices replace axis `axis` of the data.
void fold_gather(NodeContext& node) {
  const Array &data = node.constant(0, "data"), &indices = node.constant(1, "indices");
  if (indices.is_float()) fail(ErrorCode::kCorrupt, "indices are {}", to_string(indices));
  const auto axis = static_cast<size_t>(node.axis(node.integer("axis", 0), node.rank(0)));
  const int64_t size = data.dims[axis];
  for (int64_t index : indices.ints) {
    if (index < -size || index >= size) {
      fail(ErrorCode::kCorrupt, "index {} is outside an axis of {}", index,
           counted(size, "element"));
    }
  }
  const auto at_axis = static_cast<std::ptrdiff_t>(axis);
  int64_t inner = 1;
  for (size_t i = axis + 1; i < data.dims.size(); ++i) inner *= data.dims[i];
  Dims dims(data.dims.begin(), data.dims.begin() + at_axis);
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), data.dims.begin() + at_axis + 1, data.dims.end());
  const int64_t count = indices.size();
  node.set_constant(gathered(
      data, dims,
      [&](int64_t i) {
        const int64_t outer = i / (count * inner);
        const int64_t index = indices.ints[static_cast<size_t>(i / inner % count)];
        return (outer * size + (index < 0 ? index + size : index)) * inner + i % inner;
      },
      true));
}

void fold_concat(NodeContext& node) {
  const auto axis = static_cast<size_t>(concat_axis(node));
  Dims dims = node.input(0).dims;
  dims[axis] = 0;
  int64_t outer = 1;
  for (size_t i = 0; i < axis; ++i) outer *= dims[i];
  for (size_t i = 0; i < node.num_inputs(); ++i) dims[axis] += node.input(i).dims[axis];
  Array result = make_array(node.input(0).type, dims);
  result.floats.clear();
  result.ints.clear();
  for (int64_t row = 0; row < outer; ++row) {
    for (size_t i = 0; i < node.num_inputs(); ++i) {
      const Array& part = node.constant(i, "operand");
      const int64_t length = part.size() / outer;
      const auto append = [&](auto& to, const auto& from) {
        to.insert(to.end(), from.begin() + row * length, from.begin() + (row + 1) * length);
      };
      part.is_float() ? append(result.floats, part.floats) : append(result.ints, part.ints);
    }
  }
  node.set_constant(std::move(result));
}

void fold_transpose(NodeContext& node) {
  const Array& from = node.constant(0, "data");
  const Dims perm = transpose_perm(node);
  Dims dims;
  for (int64_t axis : perm) dims.push_back(from.dims[static_cast<size_t>(axis)]);
  node.set_constant(gathered(from, dims, [&](int64_t i) {
    const Dims indices = unraveled(i, dims);
    Dims source(indices.size());
    for (size_t k = 0; k < indices.size(); ++k) source[static_cast<size_t>(perm[k])] = indices[k];
    return raveled(source, from.dims);
  }));
}

void fold_expand(NodeContext& node) {
  const Array &from = node.constant(0, "data"), &shape = node.constant(1, "shape");
  if (shape.is_float() || shape.dims.size() > 1) {
    fail(ErrorCode::kCorrupt, "the shape is {}", to_string(shape));
  }
  const Dims dims = broadcast_dims(from.dims, shape.ints);
  node.set_constant(
      gathered(from, dims, [&](int64_t i) { return broadcast_index(i, from.dims, dims); }, true));
}

void fold_tile(NodeContext& node) {
  const Array &from = node.constant(0, "data"), &repeats = node.constant(1, "repeats");
  if (repeats.is_float() || repeats.ints.size() != from.dims.size()) {
    fail(ErrorCode::kCorrupt, "repeats are {} for {}", to_string(repeats), to_string(from));
  }
  constexpr int64_t kMaxRepeats = 1 << 24;
  Dims dims;
  for (size_t i = 0; i < from.dims.size(); ++i) {
    if (repeats.ints[i] < 0 || repeats.ints[i] > kMaxRepeats) {
      fail(ErrorCode::kUnsupported, "{} repeats", repeats.ints[i]);
    }
    dims.push_back(from.dims[i] * repeats.ints[i]);
  }
  node.set_constant(gathered(
      from, dims,
      [&](int64_t i) {
        Dims indices = unraveled(i, dims);
        for (size_t k = 0; k < indices.size(); ++k) indices[k] %= from.dims[k];
        return raveled(indices, from.dims);
      },
      true));
}

}  // namespace vta::onnx
