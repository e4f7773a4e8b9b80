// SPDX-License-Identifier: Apache-2.0
//
// Type rules: data movement.
#include <algorithm>
#include <cmath>

#include "base/errors/counted.h"
#include "runtime/tensor/inference.h"

namespace vta {

TensorType Inference::flatten() const {
  int64_t rest = 1;
  for (size_t i = 1; i < inputs_[0].shape.size(); ++i) rest *= inputs_[0].shape[i];
  return {inputs_[0].dtype, {inputs_[0].shape[0], rest}};
}

// The size of the open axis of reshape's result: all elements that the other axes leave.
int64_t Inference::run_size(size_t open) const {
  int64_t others = 1;
  for (size_t i = 0; i < attrs_.shape.size(); ++i) others *= i == open ? 1 : attrs_.shape[i];
  const int64_t count = inputs_[0].num_elems();
  if (count % others != 0) refuse(0, fmt::format("a multiple of {}", counted(others, "element")));
  return count / others;
}

TensorType Inference::reshape() const {
  check_size("shape", attrs_.shape);
  TensorType result = {inputs_[0].dtype, attrs_.shape};
  if (!attrs_.open_axes.empty()) {
    need_range("number of open_axes", static_cast<int64_t>(attrs_.open_axes.size()), 1, 1);
    const int64_t open = attrs_.open_axes[0];
    need_range("open_axes", open, 0, static_cast<int64_t>(attrs_.shape.size()) - 1);
    if (in_run()) result.shape[static_cast<size_t>(open)] = run_size(static_cast<size_t>(open));
  }
  if (result.num_elems() != inputs_[0].num_elems()) {
    refuse(0, fmt::format("{} for shape [{}]", counted(result.num_elems(), "element"),
                          fmt::join(attrs_.shape, ", ")));
  }
  return result;
}

TensorType Inference::transpose() const {
  need_list("perm", attrs_.perm);
  TensorType result = inputs_[0];
  std::vector<bool> taken(result.shape.size());
  for (size_t i = 0; i < result.shape.size(); ++i) {
    const int64_t axis = attrs_.perm[i];
    need_range("perm", axis, 0, static_cast<int64_t>(result.shape.size()) - 1);
    if (taken[static_cast<size_t>(axis)]) {
      fail(ErrorCode::kInvalidArgument, "transpose: perm [{}] has axis {} twice",
           fmt::join(attrs_.perm, ", "), axis);
    }
    taken[static_cast<size_t>(axis)] = true;
    result.shape[i] = inputs_[0].shape[static_cast<size_t>(axis)];
  }
  return result;
}

TensorType Inference::concat() const {
  const size_t axis = need_axis("axis", attrs_.axis);
  TensorType result = inputs_[0];
  for (size_t i = 1; i < inputs_.size(); ++i) {
    need_dtype(i, {result.dtype});
    std::vector<int64_t> expected = inputs_[0].shape;
    if (inputs_[i].shape.size() == expected.size()) expected[axis] = inputs_[i].shape[axis];
    need_shape(i, expected, "an operand");
    result.shape[axis] += inputs_[i].shape[axis];
  }
  return result;
}

bool Inference::is_clamped(size_t axis) const {
  return std::ranges::find(attrs_.open_axes, static_cast<int64_t>(axis)) != attrs_.open_axes.end();
}

// The size of an open axis in a run: the bounds are clamped to the axis.
int64_t Inference::clamped_size(size_t axis) const {
  need_range("step", attrs_.step[axis], 1, kMaxElems);
  need_range("begin", attrs_.begin[axis], 0, kMaxElems);
  const int64_t end = std::min(attrs_.end[axis], inputs_[0].shape[axis]);
  return end > attrs_.begin[axis] ? (end - attrs_.begin[axis] - 1) / attrs_.step[axis] + 1 : 0;
}

TensorType Inference::strided_slice() const {
  need_list("begin", attrs_.begin);
  need_list("end", attrs_.end);
  need_list("step", attrs_.step);
  TensorType result = inputs_[0];
  for (size_t i = 0; i < result.shape.size(); ++i) {
    const int64_t size = inputs_[0].shape[i], begin = attrs_.begin[i], end = attrs_.end[i];
    if (in_run() && is_clamped(i)) {
      result.shape[i] = clamped_size(i);
    } else if (attrs_.step[i] > 0) {
      need_range("end", end, 1, size);
      need_range("begin", begin, 0, end - 1);
      need_range("step", attrs_.step[i], 1, kMaxElems);
      result.shape[i] = (end - begin - 1) / attrs_.step[i] + 1;
    } else {
      need_range("begin", begin, 0, size - 1);
      need_range("end", end, -1, begin - 1);
      need_range("step", attrs_.step[i], -kMaxElems, -1);
      result.shape[i] = (begin - end - 1) / -attrs_.step[i] + 1;
    }
  }
  return result;
}

void Inference::need_pad_value() const {
  need_finite("pad_value", attrs_.pad_value);
  if (inputs_[0].dtype == DType::kFloat32) return;
  const double limit = inputs_[0].dtype == DType::kInt8 ? 0x1p7 : 0x1p31;
  const double value = attrs_.pad_value;
  if (value != std::floor(value) || value < -limit || value >= limit) {
    fail(ErrorCode::kInvalidArgument, "pad: pad_value {} is not {} value", value,
         inputs_[0].dtype == DType::kInt8 ? "an int8" : "an int32");
  }
}

TensorType Inference::pad() const {
  need_list("before", attrs_.before);
  need_list("after", attrs_.after);
  need_pad_value();
  TensorType result = inputs_[0];
  for (size_t i = 0; i < result.shape.size(); ++i) {
    const int64_t limit =
        attrs_.pad_mode == PadMode::kReflect ? inputs_[0].shape[i] - 1 : kMaxElems;
    need_range("before", attrs_.before[i], 0, limit);
    need_range("after", attrs_.after[i], 0, limit);
    result.shape[i] += attrs_.before[i] + attrs_.after[i];
  }
  return result;
}

TensorType Inference::depth_to_space() const {
  need_rank(0, 4, "an image [n, c, h, w]");
  need_range("block", attrs_.block, 1, kMaxWindow);
  const std::vector<int64_t>& x = inputs_[0].shape;
  const int64_t area = attrs_.block * attrs_.block;
  if (x[1] % area != 0) refuse(0, fmt::format("channels divisible by {}", area));
  return {inputs_[0].dtype, {x[0], x[1] / area, x[2] * attrs_.block, x[3] * attrs_.block}};
}

}  // namespace vta
