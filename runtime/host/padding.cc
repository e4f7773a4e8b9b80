// SPDX-License-Identifier: Apache-2.0
//
// pad: pads one axis after the other, from the last to the first, so that each step copies whole
// slices that are already complete.
#include <algorithm>
#include <cstring>

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

// The index whose element the padding at `i` (below 0 or at least `size`) repeats; -1: pad_value.
int64_t mirrored(PadMode mode, int64_t i, int64_t size) {
  switch (mode) {
    case PadMode::kConstant:
      return -1;
    case PadMode::kEdge:
      return i < 0 ? 0 : size - 1;
    case PadMode::kReflect:
      return i < 0 ? -i : 2 * (size - 1) - i;
  }
  return -1;
}

template <typename T>
class Padding {
 public:
  Padding(const Attrs<OpKind::kPad>& attrs, const Tensor& input, Tensor& output)
      : attrs_(attrs),
        shape_(input.shape()),
        value_(static_cast<T>(attrs.pad_value)),
        y_(output.mutable_data<T>().data()) {
    slice_elems_.assign(shape_.size() + 1, 1);
    for (size_t axis = shape_.size(); axis-- > 0;)
      slice_elems_[axis] = slice_elems_[axis + 1] * output.dim(axis);
    fill(0, input.data<T>().data(), y_);
  }

 private:
  // Writes the slice of the result at `to` from the slice of the input at `from`, for `axis` and
  // the axes after it; returns the end of the input slice.
  const T* fill(size_t axis, const T* from, T* to) {
    const int64_t size = shape_[axis], slice = slice_elems_[axis + 1];
    T* inside = to + attrs_.before[axis] * slice;
    if (axis + 1 == shape_.size()) {
      std::copy(from, from + size, inside);
      from += size;
    } else {
      for (int64_t i = 0; i < size; ++i) from = fill(axis + 1, from, inside + i * slice);
    }
    for (int64_t i = 1; i <= attrs_.before[axis]; ++i) pad_slice(inside, -i, size, slice);
    for (int64_t i = 0; i < attrs_.after[axis]; ++i) pad_slice(inside, size + i, size, slice);
    return from;
  }

  void pad_slice(T* inside, int64_t i, int64_t size, int64_t slice) const {
    const int64_t source = mirrored(attrs_.pad_mode, i, size);
    if (source < 0) {
      std::fill_n(inside + i * slice, slice, value_);
    } else {
      std::copy_n(inside + source * slice, slice, inside + i * slice);
    }
  }

  const Attrs<OpKind::kPad>& attrs_;
  const std::vector<int64_t>& shape_;
  const T value_;
  T* const y_;
  std::vector<int64_t> slice_elems_;  // of a result slice, per first axis
};

}  // namespace

void pad(const Attrs<OpKind::kPad>& attrs, const Operands& inputs, Tensor& output) {
  switch (output.dtype()) {
    case DType::kFloat32:
      Padding<float>(attrs, inputs[0], output);
      return;
    case DType::kInt8:
      Padding<int8_t>(attrs, inputs[0], output);
      return;
    case DType::kInt32:
      Padding<int32_t>(attrs, inputs[0], output);
      return;
  }
}

}  // namespace vta::host
