// SPDX-License-Identifier: Apache-2.0
//
// Data movement: operators that copy elements of any type.
#include <cstring>

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

// Copies a box of elements between two row-major arrays: `counts` elements per axis, from `from`
// with `from_strides` to `to` with `to_strides` (strides in bytes).
struct BoxCopy {
  size_t element_bytes;
  std::vector<int64_t> counts, from_strides, to_strides;

  void run(const uint8_t* from, uint8_t* to, size_t axis = 0) const {
    if (axis == counts.size()) {
      std::memcpy(to, from, element_bytes);
      return;
    }
    const bool dense_line = axis + 1 == counts.size() && from_strides[axis] == to_strides[axis] &&
                            from_strides[axis] == static_cast<int64_t>(element_bytes);
    if (dense_line) {
      std::memcpy(to, from, static_cast<size_t>(counts[axis]) * element_bytes);
      return;
    }
    for (int64_t i = 0; i < counts[axis]; ++i) {
      run(from + i * from_strides[axis], to + i * to_strides[axis], axis + 1);
    }
  }
};

std::vector<int64_t> byte_strides(const TensorType& type) {
  std::vector<int64_t> strides(type.shape.size());
  auto stride = static_cast<int64_t>(size_bytes(type.dtype));
  for (size_t axis = strides.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= type.shape[axis];
  }
  return strides;
}

}  // namespace

void flatten(const NoAttrs&, const Operands& inputs, Tensor& output) {
  output = inputs[0].reshaped(output.shape());
}

void strided_slice(const Attrs<OpKind::kStridedSlice>& attrs, const Operands& inputs,
                   Tensor& output) {
  const std::vector<int64_t> strides = byte_strides(inputs[0].type());
  BoxCopy copy{size_bytes(output.dtype()), output.shape(), strides, byte_strides(output.type())};
  int64_t first = 0;
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    first += attrs.begin[axis] * strides[axis];
    copy.from_strides[axis] *= attrs.step[axis];
  }
  copy.run(inputs[0].bytes().data() + first, output.mutable_bytes().data());
}

void reshape(const Attrs<OpKind::kReshape>&, const Operands& inputs, Tensor& output) {
  output = inputs[0].reshaped(output.shape());
}

void transpose(const Attrs<OpKind::kTranspose>& attrs, const Operands& inputs, Tensor& output) {
  const std::vector<int64_t> strides = byte_strides(inputs[0].type());
  BoxCopy copy{size_bytes(output.dtype()), output.shape(), {}, byte_strides(output.type())};
  for (int64_t axis : attrs.perm) {
    copy.from_strides.push_back(strides[static_cast<size_t>(axis)]);
  }
  copy.run(inputs[0].bytes().data(), output.mutable_bytes().data());
}

void concat(const Attrs<OpKind::kConcat>& attrs, const Operands& inputs, Tensor& output) {
  const auto rank = static_cast<int64_t>(output.shape().size());
  const auto axis = static_cast<size_t>(attrs.axis < 0 ? attrs.axis + rank : attrs.axis);
  const std::vector<int64_t> strides = byte_strides(output.type());
  uint8_t* to = output.mutable_bytes().data();
  for (const Tensor& input : inputs) {
    const BoxCopy copy{size_bytes(output.dtype()), input.shape(), byte_strides(input.type()),
                       strides};
    copy.run(input.bytes().data(), to);
    to += input.dim(axis) * strides[axis];
  }
}

void depth_to_space(const Attrs<OpKind::kDepthToSpace>& attrs, const Operands& inputs,
                    Tensor& output) {
  const std::vector<int64_t>& y = output.shape();
  const int64_t h = inputs[0].dim(2), w = inputs[0].dim(3), block = attrs.block;
  // [n, row, column, c, h, w] or [n, c, row, column, h, w] -> [n, c, h, row, w, column]
  Attrs<OpKind::kTranspose> moved;
  std::vector<int64_t> shape;
  if (attrs.crd) {
    shape = {y[0], y[1], block, block, h, w};
    moved.perm = {0, 1, 4, 2, 5, 3};
  } else {
    shape = {y[0], block, block, y[1], h, w};
    moved.perm = {0, 3, 4, 1, 5, 2};
  }
  Tensor split({output.dtype(), {y[0], y[1], h, block, w, block}});
  transpose(moved, {inputs[0].reshaped(shape)}, split);
  output = split.reshaped(y);
}

void unfold2d(const Attrs<OpKind::kUnfold2d>& attrs, const Operands& inputs, Tensor& output) {
  Tensor x = inputs[0];
  if (x.dtype() == DType::kFloat32) {
    x = Tensor({DType::kInt8, inputs[0].shape()});
    quantize(attrs, inputs, x);
  }
  const int64_t channels = x.dim(1), h = x.dim(2), w = x.dim(3);
  const auto from = x.data<int8_t>();
  auto to = output.mutable_data<int8_t>().begin();
  for (int64_t plane = 0; plane < output.dim(0) * output.dim(1); ++plane) {
    const int64_t n = plane / output.dim(1), tap = plane % output.dim(1) / channels;
    const int64_t channel = n * channels + plane % channels;
    const int64_t top = tap / attrs.kernel[1] * attrs.dilation[0] - attrs.pad[0];
    const int64_t left = tap % attrs.kernel[1] * attrs.dilation[1] - attrs.pad[1];
    for (int64_t i = 0; i < output.dim(2) * output.dim(3); ++i) {
      const int64_t row = i / output.dim(3) * attrs.stride[0] + top;
      const int64_t column = i % output.dim(3) * attrs.stride[1] + left;
      const bool is_inside = row >= 0 && row < h && column >= 0 && column < w;
      *to++ = is_inside ? from[static_cast<size_t>((channel * h + row) * w + column)]
                        : static_cast<int8_t>(attrs.zero);
    }
  }
}

}  // namespace vta::host
