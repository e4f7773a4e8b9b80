// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runtime/program/program.h"

namespace vta {
namespace {

using Offsets = std::optional<std::vector<int64_t>>;

bool is_packable(const TensorType& type) {
  const bool has_layout = type.dtype == DType::kInt8 || type.dtype == DType::kInt32;
  return has_layout && (type.shape.size() == 2 || type.shape.size() == 4);
}

// The bytes of int32 numbers are not together.
bool has_one_byte(const TensorType& type) { return type.dtype == DType::kInt8; }

// With one image, or one group of images, a range of whole blocks is contiguous.
bool has_one_image_group(const TensorType& type, const CoreConfig& core) {
  return type.shape.size() == 2 || type.shape[0] <= core.batch;
}

Offsets concat_offsets(const Attrs<OpKind::kConcat>& attrs, const std::vector<TensorType>& inputs,
                       const TensorType& output, const CoreConfig& core) {
  const auto rank = static_cast<int64_t>(output.shape.size());
  if (attrs.axis != 1 && attrs.axis != 1 - rank) return std::nullopt;
  if (!has_one_image_group(output, core)) return std::nullopt;
  std::vector<int64_t> offsets;
  int64_t offset = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i + 1 < inputs.size() && inputs[i].shape[1] % core.block_out != 0) return std::nullopt;
    offsets.push_back(offset);
    offset += static_cast<int64_t>(packed_size_bytes(inputs[i], core));
  }
  return offsets;
}

Offsets slice_offsets(const Attrs<OpKind::kStridedSlice>& attrs, const TensorType& input,
                      const TensorType& output, const CoreConfig& core) {
  if (output.shape.size() != input.shape.size() || !has_one_image_group(input, core) ||
      attrs.begin.size() != input.shape.size() || attrs.step.size() != input.shape.size()) {
    return std::nullopt;
  }
  const int64_t first = attrs.begin[1];
  if (attrs.step[1] != 1 || first < 0 || first % core.block_out != 0) return std::nullopt;
  for (size_t axis = 0; axis < input.shape.size(); ++axis) {
    if (axis == 1) continue;
    if (attrs.step[axis] != 1 || output.shape[axis] != input.shape[axis]) return std::nullopt;
  }
  TensorType before = input;
  before.shape[1] = first;
  const int64_t bytes = first == 0 ? 0 : static_cast<int64_t>(packed_size_bytes(before, core));
  return std::vector<int64_t>{-bytes};
}

// Whether both are vectors, [n, c] or [n, c, 1, 1], of the same n and c.
bool are_same_vectors(const TensorType& input, const TensorType& output) {
  const auto is_vector = [](const TensorType& type) {
    return type.shape.size() == 2 || (type.shape[2] == 1 && type.shape[3] == 1);
  };
  const bool same = input.shape[0] == output.shape[0] && input.shape[1] == output.shape[1];
  return same && is_vector(input) && is_vector(output);
}

// Whether [groups][blocks] of vectors becomes [blocks][groups], or the reverse.
bool changes_layout(const TensorType& input, const TensorType& output, const CoreConfig& core) {
  return input.shape.size() != output.shape.size() && input.shape[0] > core.batch &&
         input.shape[1] > core.block_in;
}

Offsets flat_offsets(const TensorType& input, const TensorType& output, const CoreConfig& core) {
  if (!are_same_vectors(input, output) || changes_layout(input, output, core)) return std::nullopt;
  return std::vector<int64_t>{0};
}

}  // namespace

Offsets view_offsets(OpKind op, const OpAttrs& attrs, const std::vector<TensorType>& inputs,
                     const TensorType& output, const CoreConfig& core) {
  if (inputs.empty() || !is_packable(output) || !std::ranges::all_of(inputs, is_packable)) {
    return std::nullopt;
  }
  const bool moves_channels = op == OpKind::kConcat || op == OpKind::kStridedSlice;
  if (moves_channels && !has_one_byte(output)) return std::nullopt;
  switch (op) {
    case OpKind::kConcat:
      return concat_offsets(attrs, inputs, output, core);
    case OpKind::kStridedSlice:
      return slice_offsets(attrs, inputs[0], output, core);
    case OpKind::kFlatten:
    case OpKind::kReshape:
      return flat_offsets(inputs[0], output, core);
    default:
      return std::nullopt;
  }
}

bool moves_rows(OpKind op, const TensorType& input, const TensorType& output,
                const CoreConfig& core) {
  return (op == OpKind::kFlatten || op == OpKind::kReshape) && is_packable(input) &&
         is_packable(output) && has_one_byte(input) && are_same_vectors(input, output) &&
         changes_layout(input, output, core);
}

}  // namespace vta
