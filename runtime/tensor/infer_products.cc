// SPDX-License-Identifier: Apache-2.0
//
// Type rules: convolutions, dense layers and matrix products.
#include <algorithm>

#include "base/errors/counted.h"
#include "runtime/tensor/inference.h"

namespace vta {

void Inference::need_window() const {
  for (int64_t value : attrs_.kernel) need_range("kernel", value, 1, kMaxWindow);
  for (int64_t value : attrs_.stride) need_range("stride", value, 1, kMaxWindow);
  for (int64_t value : attrs_.dilation) need_range("dilation", value, 1, kMaxWindow);
  for (int64_t value : attrs_.pad) need_range("pad", value, 0, kMaxWindow);
}

// Operand 2, and operand 3 of the integer operators.
void Inference::need_bias(DType bias, int64_t out_channels) const {
  if (inputs_.size() < 3) return;
  need_dtype(2, {bias});
  need_shape(2, {out_channels}, "a bias [oc]");
  if (inputs_.size() < 4) return;
  need_dtype(3, {DType::kInt32});
  need_shape(3, {out_channels}, attrs_.scaled ? "factors [oc]" : "shifts [oc]");
  if (!attrs_.scaled) need_range("shift (with an operand of shifts)", attrs_.shift, 0, 0);
}

// Operand types and groups of a convolution or transposed convolution.
void Inference::need_groups(DType element, const char* weights) const {
  need_window();
  need_dtype(0, {element});
  need_rank(0, 4, "an image [n, c, h, w]");
  need_dtype(1, {element});
  need_rank(1, 4, weights);
  const int64_t channels = inputs_[0].shape[1];
  need_range("groups", attrs_.groups, 1, channels);
  if (channels % attrs_.groups != 0) {
    refuse(0, fmt::format("channels divisible by {} groups", attrs_.groups));
  }
}

TensorType Inference::convolution(DType element, DType bias) const {
  need_groups(element, "weights [oc, ic / groups, kh, kw]");
  const int64_t channels = inputs_[0].shape[1], out_channels = inputs_[1].shape[0];
  need_shape(1, {out_channels, channels / attrs_.groups, attrs_.kernel[0], attrs_.kernel[1]},
             "weights [oc, ic / groups, kh, kw]");
  if (out_channels % attrs_.groups != 0) {
    refuse(1, fmt::format("output channels divisible by {} groups", attrs_.groups));
  }
  need_bias(bias, out_channels);
  return {
      element,
      {inputs_[0].shape[0], out_channels, window_positions(0, false), window_positions(1, false)}};
}

TensorType Inference::conv2d() const { return convolution(DType::kFloat32, DType::kFloat32); }

TensorType Inference::qconv2d() const {
  need_requantization();
  const TensorType result = convolution(DType::kInt8, DType::kInt32);
  const int64_t taps = attrs_.kernel[0] * attrs_.kernel[1];
  need_range("products", attrs_.products, 0, inputs_[1].shape[1] * taps);
  return result;
}

TensorType Inference::transposed_convolution(DType element, DType bias) const {
  need_groups(element, "weights [ic, oc / groups, kh, kw]");
  const int64_t channels = inputs_[0].shape[1], group_channels = inputs_[1].shape[1];
  need_shape(1, {channels, group_channels, attrs_.kernel[0], attrs_.kernel[1]},
             "weights [ic, oc / groups, kh, kw]");
  need_range("output channels", group_channels, 1, kMaxElems / attrs_.groups);
  TensorType result = {element, {inputs_[0].shape[0], group_channels * attrs_.groups}};
  for (size_t axis = 0; axis < 2; ++axis) {
    need_range("output_pad", attrs_.output_pad[axis], 0, kMaxWindow);
    const int64_t full = (inputs_[0].shape[2 + axis] - 1) * attrs_.stride[axis] +
                         attrs_.dilation[axis] * (attrs_.kernel[axis] - 1) +
                         attrs_.output_pad[axis] + 1;
    need_range("pad", attrs_.pad[axis] + attrs_.pad[axis + 2], 0, full - 1);
    result.shape.push_back(full - attrs_.pad[axis] - attrs_.pad[axis + 2]);
  }
  need_bias(bias, result.shape[1]);
  return result;
}

TensorType Inference::conv2d_transpose() const {
  return transposed_convolution(DType::kFloat32, DType::kFloat32);
}

TensorType Inference::qconv2d_transpose() const {
  need_requantization();
  return transposed_convolution(DType::kInt8, DType::kInt32);
}

TensorType Inference::dense_layer(DType element, DType bias) const {
  need_dtype(0, {element});
  need_rank(0, 2, "rows [n, ic]");
  need_dtype(1, {element});
  need_rank(1, 2, "weights [oc, ic]");
  const int64_t out_channels = inputs_[1].shape[0];
  need_shape(1, {out_channels, inputs_[0].shape[1]}, "weights [oc, ic]");
  need_bias(bias, out_channels);
  return {element, {inputs_[0].shape[0], out_channels}};
}

TensorType Inference::dense() const { return dense_layer(DType::kFloat32, DType::kFloat32); }

TensorType Inference::qdense() const {
  need_requantization();
  return dense_layer(DType::kInt8, DType::kInt32);
}

TensorType Inference::matrix_product(DType element) const {
  for (size_t i = 0; i < 2; ++i) {
    need_dtype(i, {element});
    if (inputs_[i].shape.size() < 2) refuse(i, "a matrix [..., rows, columns]");
  }
  std::vector<int64_t> a = inputs_[0].shape, b = inputs_[1].shape;
  const int64_t columns = b.back(), inner = a.back();
  b.pop_back();
  if (b.back() != inner) refuse(1, fmt::format("a matrix of {}", counted(inner, "row")));
  b.pop_back();
  a.pop_back();
  const int64_t rows = a.back();
  a.pop_back();
  std::vector<int64_t> shape = broadcast_shape(a, b);
  shape.insert(shape.end(), {rows, columns});
  return {element, shape};
}

TensorType Inference::matmul() const { return matrix_product(DType::kFloat32); }

TensorType Inference::qmatmul() const {
  constexpr int64_t kMaxInt32 = (int64_t{1} << 31) - 1;
  need_requantization();
  need_range("factor_a", attrs_.factor_a, attrs_.scaled ? 1 : 0, attrs_.scaled ? kMaxInt32 : 0);
  need_range("addend", attrs_.addend, attrs_.scaled ? -kMaxInt32 : 0,
             attrs_.scaled ? kMaxInt32 : 0);
  const TensorType result = matrix_product(DType::kInt8);
  need_range("products", attrs_.products, 0, inputs_[0].shape.back());
  return result;
}

}  // namespace vta
