// SPDX-License-Identifier: Apache-2.0
//
// Type rules: operators with a function of functions.def, and operators on indices.
#include <algorithm>

#include "base/errors/counted.h"
#include "runtime/tensor/inference.h"

namespace vta {

void Inference::need_number(size_t input) const {
  need_dtype(input, {DType::kFloat32, DType::kInt32});
}

void Inference::need_indices(size_t input) const { need_dtype(input, {DType::kInt32}); }

TensorType Inference::unary() const {
  need_number(0);
  return inputs_[0];
}

TensorType Inference::binary() const {
  need_number(0);
  TensorType result = broadcast(inputs_[0].dtype);
  if (is_comparison(attrs_.operation)) result.dtype = DType::kFloat32;
  return result;
}

TensorType Inference::cast() const {
  need_number(0);
  return {is_int32(attrs_.format) ? DType::kInt32 : DType::kFloat32, inputs_[0].shape};
}

TensorType Inference::reduce() const {
  need_number(0);
  if (!has_integer_result(attrs_.reduction)) need_dtype(0, {DType::kFloat32});
  return reduced();
}

TensorType Inference::cumulative() const {
  need_number(0);
  need_axis("axis", attrs_.axis);
  if (attrs_.reduction != Reduction::kSum && attrs_.reduction != Reduction::kProduct) {
    fail(ErrorCode::kInvalidArgument, "cumulative: reduction {} is not sum or product",
         to_string(attrs_.reduction));
  }
  return inputs_[0];
}

TensorType Inference::top_k() const {
  need_number(0);
  const size_t axis = need_axis("axis", attrs_.axis);
  TensorType result{DType::kInt32, inputs_[0].shape};
  if (inputs_.size() == 2) {
    need_indices(1);
    need_shape(1, {1}, "a size");
    result.open_axes = static_cast<uint8_t>(1 << axis);
    return result;
  }
  need_range("size", attrs_.size, 1, inputs_[0].shape[axis]);
  result.shape[axis] = attrs_.size;
  return result;
}

TensorType Inference::iota() const {
  need_indices(0);
  need_shape(0, {1}, "a count");
  need_range("size", attrs_.size, 1, kMaxElems);
  return {DType::kInt32, {attrs_.size}, 0b1};
}

TensorType Inference::non_zero() const {
  need_number(0);
  const auto rank = static_cast<int64_t>(inputs_[0].shape.size());
  return {DType::kInt32, {rank, inputs_[0].num_elems()}, 0b10};
}

TensorType Inference::unique() const {
  need_number(0);
  const int64_t size = inputs_[0].shape[need_axis("axis", attrs_.axis)];
  const bool is_open = attrs_.part != UniquePart::kInverse;
  return {DType::kInt32, {size}, static_cast<uint8_t>(is_open ? 1 : 0)};
}

TensorType Inference::non_max_suppression() const {
  const std::vector<int64_t>&boxes = inputs_[0].shape, &scores = inputs_[1].shape;
  need_dtype(0, {DType::kFloat32});
  need_dtype(1, {DType::kFloat32});
  if (boxes.size() != 3 || boxes[2] != 4) refuse(0, "boxes [images, boxes, 4]");
  if (scores.size() != 3 || scores[0] != boxes[0] || scores[2] != boxes[1])
    refuse(1, fmt::format("scores [{}, classes, {}]", boxes[0], boxes[1]));
  need_range("size", attrs_.size, 1, kMaxElems);
  need_finite("max_overlap", attrs_.max_overlap);
  need_finite("min_score", attrs_.min_score);
  const int64_t lists = boxes[0] * scores[1], most = std::min(attrs_.size, boxes[1]);
  if (lists > 0) need_range("size", most, 0, kMaxElems / lists);
  return {DType::kInt32, {lists * most, 3}, 0b1};
}

TensorType Inference::compress() const {
  need_dtype(1, {DType::kFloat32});
  if (inputs_[1].shape.size() != 1) refuse(1, "a list");
  const size_t axis = need_axis("axis", attrs_.axis);
  if (inputs_[1].shape[0] > inputs_[0].shape[axis])
    refuse(1, fmt::format("at most {} elements", inputs_[0].shape[axis]));
  TensorType result = inputs_[0];
  result.shape[axis] = inputs_[1].shape[0];
  result.open_axes = static_cast<uint8_t>(1 << axis);
  return result;
}

TensorType Inference::shape_of() const {
  return {DType::kInt32, {static_cast<int64_t>(inputs_[0].shape.size())}};
}

TensorType Inference::where() const {
  need_dtype(0, {DType::kFloat32});
  need_dtype(2, {inputs_[1].dtype});
  const std::vector<int64_t> of_both = broadcast_shape(inputs_[1].shape, inputs_[2].shape);
  return {inputs_[1].dtype, broadcast_shape(inputs_[0].shape, of_both)};
}

TensorType Inference::broadcast_to() const {
  need_indices(1);
  need_shape(1, {static_cast<int64_t>(attrs_.axes.size())}, "sizes of axes");
  need_list("shape", attrs_.shape);
  TensorType result = inputs_[0];
  for (int64_t axis : attrs_.axes) {
    const size_t at = need_axis("axes", axis);
    need_range("shape", attrs_.shape[at], std::max<int64_t>(result.shape[at], 1), kMaxElems);
    if (!in_run()) result.shape[at] = attrs_.shape[at];
    result.open_axes |= static_cast<uint8_t>(1 << at);
  }
  if (!in_run() && result.shape != attrs_.shape)
    refuse(0, fmt::format("[{}] but for the axes [{}]", fmt::join(attrs_.shape, ", "),
                          fmt::join(attrs_.axes, ", ")));
  return result;
}

TensorType Inference::tile() const {
  need_list("repeats", attrs_.repeats);
  TensorType result = inputs_[0];
  for (size_t i = 0; i < result.shape.size(); ++i) {
    need_range("repeats", attrs_.repeats[i], 1, kMaxElems);
    result.shape[i] *= attrs_.repeats[i];
  }
  return result;
}

TensorType Inference::gather() const {
  need_indices(1);
  const auto axis = static_cast<std::ptrdiff_t>(need_axis("axis", attrs_.axis));
  TensorType result = inputs_[0];
  const std::vector<int64_t>& indices = inputs_[1].shape;
  const auto at = result.shape.erase(result.shape.begin() + axis);
  result.shape.insert(at, indices.begin(), indices.end());
  return result;
}

TensorType Inference::gather_elements() const {
  need_indices(1);
  const size_t axis = need_axis("axis", attrs_.axis);
  const std::vector<int64_t>&x = inputs_[0].shape, &indices = inputs_[1].shape;
  if (indices.size() != x.size())
    refuse(1, fmt::format("{}, as input 0", counted(x.size(), "axis")));
  for (size_t i = 0; i < x.size(); ++i) {
    if (i != axis && indices[i] > x[i]) {
      refuse(1, fmt::format("at most {} elements along axis {}", x[i], i));
    }
  }
  return {inputs_[0].dtype, indices};
}

TensorType Inference::gather_nd() const {
  need_indices(1);
  const std::vector<int64_t>&x = inputs_[0].shape, &indices = inputs_[1].shape;
  const auto last = static_cast<int64_t>(indices.size()) - 1;
  const auto rank = static_cast<int64_t>(x.size());
  need_range("batch_axes", attrs_.batch_axes, 0, std::min(last, rank - 1));
  const int64_t depth = indices.back(), batch = attrs_.batch_axes;
  if (depth > rank - batch) {
    refuse(1, fmt::format("at most {} positions along the last axis", rank - batch));
  }
  for (int64_t i = 0; i < batch; ++i) {
    if (x[static_cast<size_t>(i)] != indices[static_cast<size_t>(i)]) {
      refuse(1, fmt::format("{} along axis {}, as input 0",
                            counted(x[static_cast<size_t>(i)], "element"), i));
    }
  }
  TensorType result{inputs_[0].dtype, {indices.begin(), indices.end() - 1}};
  result.shape.insert(result.shape.end(), x.begin() + batch + depth, x.end());
  if (result.shape.empty()) result.shape = {1};
  return result;
}

void Inference::need_reduction() const {
  need_number(0);
  need_indices(1);
  need_dtype(2, {inputs_[0].dtype});
  if (attrs_.reduction > Reduction::kMax) {
    fail(ErrorCode::kInvalidArgument, "{}: reduction {} is not last, sum, product, min or max",
         to_string(kind_), to_string(attrs_.reduction));
  }
}

TensorType Inference::scatter_elements() const {
  need_reduction();
  gather_elements();
  need_shape(2, inputs_[1].shape, "updates");
  return inputs_[0];
}

TensorType Inference::scatter_nd() const {
  need_reduction();
  need_shape(2, Inference(OpKind::kGatherNd, {}, {inputs_[0], inputs_[1]}).gather_nd().shape,
             "updates");
  return inputs_[0];
}

}  // namespace vta
