// SPDX-License-Identifier: Apache-2.0
//
// Type rules: element-wise operators and operators along axes.
#include <algorithm>

#include "runtime/tensor/inference.h"

namespace vta {

TensorType Inference::source() const {
  fail(ErrorCode::kInvalidArgument, "{} has no operands to infer a type from", to_string(kind_));
}

TensorType Inference::elementwise() const {
  need_dtype(0, {DType::kFloat32});
  return inputs_[0];
}

TensorType Inference::function_of_alpha() const {
  need_finite("alpha", attrs_.alpha);
  return elementwise();
}

TensorType Inference::hard_sigmoid() const {
  need_finite("alpha", attrs_.alpha);
  need_finite("beta", attrs_.beta);
  return elementwise();
}

TensorType Inference::softmax() const {
  need_axis("axis", attrs_.axis);
  return elementwise();
}

std::vector<int64_t> Inference::broadcast_shape(std::vector<int64_t> a,
                                                std::vector<int64_t> b) const {
  const size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  for (size_t i = 0; i < rank; ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
      refuse(1,
             fmt::format("a shape that broadcasts with [{}]", fmt::join(inputs_[0].shape, ", ")));
    }
    if (a[i] == 1) a[i] = b[i];
  }
  return a;
}

TensorType Inference::broadcast(DType element) const {
  need_dtype(0, {element});
  need_dtype(1, {element});
  return {element, broadcast_shape(inputs_[0].shape, inputs_[1].shape)};
}

TensorType Inference::arithmetic() const { return broadcast(DType::kFloat32); }

TensorType Inference::qadd() const {
  need_requantization();
  need_range("shift_a", attrs_.shift_a, 0, kMaxShift);
  need_range("shift_b", attrs_.shift_b, 0, kMaxShift);
  const int64_t most = attrs_.scaled ? kMaxFactor : 0;
  need_range("factor_a", attrs_.factor_a, 0, most);
  need_range("factor_b", attrs_.factor_b, 0, most);
  need_range("addend", attrs_.addend, -(int64_t{1} << 31), (int64_t{1} << 31) - 1);
  need_bytes();
  need_shape(1, inputs_[0].shape, "a second operand");
  return inputs_[0];
}

// With a gate, the product and its rounding fit an int32.
TensorType Inference::qmul() const {
  need_requantization();
  need_range("gate", attrs_.gate, 0, kMaxFactor);
  const bool gated = attrs_.gate != 0;
  need_range("addend", attrs_.addend, gated ? -kMaxFactor : 0, gated ? kMaxFactor : 0);
  const int64_t most = gated ? std::min(kMaxFactor, kMaxGatedProduct / (128 * attrs_.gate)) : 0;
  need_range("factor_a", attrs_.factor_a, gated ? 1 : 0, most);
  return broadcast(DType::kInt8);
}

TensorType Inference::batch_norm() const {
  for (size_t i = 0; i < inputs_.size(); ++i) need_dtype(i, {DType::kFloat32});
  if (inputs_[0].shape.size() < 2) refuse(0, "a tensor [n, c, ...]");
  static constexpr const char* kMeaning[] = {"", "gamma", "beta", "mean", "variance"};
  for (size_t i = 1; i < inputs_.size(); ++i) need_shape(i, {inputs_[0].shape[1]}, kMeaning[i]);
  if (!(attrs_.epsilon >= 0 && attrs_.epsilon <= 1)) {
    fail(ErrorCode::kInvalidArgument, "batch_norm: epsilon {} is outside 0 to 1", attrs_.epsilon);
  }
  return inputs_[0];
}

TensorType Inference::clip() const {
  need_dtype(0, {DType::kFloat32});
  need_finite("lo", attrs_.lo);
  need_finite("hi", attrs_.hi);
  if (attrs_.lo > attrs_.hi) {
    fail(ErrorCode::kInvalidArgument, "clip: lo {} is above hi {}", attrs_.lo, attrs_.hi);
  }
  return inputs_[0];
}

TensorType Inference::prelu() const {
  const TensorType result = broadcast(DType::kFloat32);
  if (result != inputs_[0]) {
    refuse(1, fmt::format("a slope that broadcasts to [{}]", fmt::join(inputs_[0].shape, ", ")));
  }
  return result;
}

TensorType Inference::lrn() const {
  need_dtype(0, {DType::kFloat32});
  if (inputs_[0].shape.size() < 2) refuse(0, "a tensor [n, c, ...]");
  need_range("size", attrs_.size, 1, kMaxWindow);
  need_finite("alpha", attrs_.alpha);
  need_finite("beta", attrs_.beta);
  need_finite("bias", attrs_.bias);
  return inputs_[0];
}

TensorType Inference::reduce_mean() const {
  need_dtype(0, {DType::kFloat32});
  return reduced();
}

TensorType Inference::reduced() const {
  need_range("number of axes", static_cast<int64_t>(attrs_.axes.size()), 1, kMaxRank);
  std::vector<bool> gone(inputs_[0].shape.size());
  for (int64_t axis : attrs_.axes) gone[need_axis("axes", axis)] = true;
  TensorType result{inputs_[0].dtype, {}};
  for (size_t i = 0; i < gone.size(); ++i) {
    if (gone[i] && inputs_[0].shape[i] == 0) refuse(0, "elements along the reduced axes");
    if (!gone[i]) result.shape.push_back(inputs_[0].shape[i]);
    if (gone[i] && attrs_.keep_dims) result.shape.push_back(1);
  }
  if (result.shape.empty()) result.shape = {1};
  return result;
}

TensorType Inference::arg_max() const {
  need_dtype(0, {DType::kFloat32});
  const auto axis = static_cast<std::ptrdiff_t>(need_axis("axis", attrs_.axis));
  TensorType result{DType::kInt32, inputs_[0].shape};
  if (result.shape[static_cast<size_t>(axis)] == 0) refuse(0, "elements along the axis");
  result.shape[static_cast<size_t>(axis)] = 1;
  if (!attrs_.keep_dims && result.shape.size() > 1) result.shape.erase(result.shape.begin() + axis);
  return result;
}

TensorType Inference::lookup() const {
  need_bytes();
  need_shape(1, {256}, "a table");
  return inputs_[0];
}

TensorType Inference::quantize() const {
  need_dtype(0, {DType::kFloat32});
  need_range("frac_bits", attrs_.frac_bits, -kMaxFracBits, kMaxFracBits);
  need_levels();
  return {DType::kInt8, inputs_[0].shape};
}

TensorType Inference::dequantize() const {
  need_dtype(0, {DType::kInt8, DType::kInt32});
  need_range("frac_bits", attrs_.frac_bits, -kMaxFracBits, kMaxFracBits);
  need_levels();
  if (attrs_.unit != 0) need_dtype(0, {DType::kInt8});
  need_finite("divisor", attrs_.divisor);
  if (attrs_.divisor <= 0) {
    fail(ErrorCode::kInvalidArgument, "dequantize: divisor {} is not above 0", attrs_.divisor);
  }
  return {DType::kFloat32, inputs_[0].shape};
}

}  // namespace vta
