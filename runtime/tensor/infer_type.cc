// SPDX-License-Identifier: Apache-2.0
//
// The checks that all operators share, the types of what works element by element or along axes,
// and the way from an operator to its function.
#include <algorithm>
#include <cmath>

#include "runtime/tensor/inference.h"

namespace vta {
namespace {

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

TensorType Inference::run() const {
  check_inputs();
  TensorType result = infer();
  check_size("the result", result.shape);
  return result;
}

void Inference::check_inputs() const {
  const auto count = static_cast<int>(inputs_.size());
  if (count < min_inputs(kind_) || count > max_inputs(kind_)) {
    fail(ErrorCode::kInvalidArgument, "{} has {} inputs, expected {}", to_string(kind_), count,
         min_inputs(kind_) == max_inputs(kind_)
             ? fmt::format("{}", min_inputs(kind_))
             : fmt::format("{} to {}", min_inputs(kind_), max_inputs(kind_)));
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    check_size(fmt::format("input {}", i), inputs_[i].shape);
  }
}

void Inference::check_size(const std::string& what, const std::vector<int64_t>& shape) const {
  if (shape.empty() || shape.size() > kMaxRank) {
    fail(ErrorCode::kInvalidArgument, "{}: {} has {} axes, expected 1 to {}", to_string(kind_),
         what, shape.size(), kMaxRank);
  }
  int64_t count = 1;
  for (int64_t dim : shape) {
    if (dim < 1 || dim > kMaxElems || count > kMaxElems / dim) {
      fail(ErrorCode::kInvalidArgument,
           "{}: {} has shape {}, expected axes of at least 1 and at most {} elements",
           to_string(kind_), what, shape_text(shape), kMaxElems);
    }
    count *= dim;
  }
}

void Inference::refuse(size_t input, const std::string& expectation) const {
  fail(ErrorCode::kInvalidArgument, "{}: input {} is {}, expected {}", to_string(kind_), input,
       to_string(inputs_[input]), expectation);
}

void Inference::need_rank(size_t input, size_t rank, const char* expectation) const {
  if (inputs_[input].shape.size() != rank) refuse(input, expectation);
}

void Inference::need_dtype(size_t input, std::initializer_list<DType> allowed) const {
  std::vector<const char*> names;
  for (DType dtype : allowed) {
    if (inputs_[input].dtype == dtype) return;
    names.push_back(to_string(dtype));
  }
  refuse(input, fmt::format("{} elements", fmt::join(names, " or ")));
}

void Inference::need_shape(size_t input, const std::vector<int64_t>& shape,
                           const char* meaning) const {
  if (inputs_[input].shape != shape) {
    refuse(input, fmt::format("{} of shape {}", meaning, shape_text(shape)));
  }
}

void Inference::need_range(const char* attr, int64_t value, int64_t low, int64_t high) const {
  if (value < low || value > high) {
    fail(ErrorCode::kInvalidArgument, "{}: {} {} is outside {} to {}", to_string(kind_), attr,
         value, low, high);
  }
}

void Inference::need_list(const char* attr, const std::vector<int64_t>& list) const {
  if (list.size() != inputs_[0].shape.size()) {
    refuse(0, fmt::format("as many axes as {} has numbers ({})", attr, list.size()));
  }
}

void Inference::need_finite(const char* attr, double value) const {
  if (!std::isfinite(value)) {
    fail(ErrorCode::kInvalidArgument, "{}: {} {} is not finite", to_string(kind_), attr, value);
  }
}

void Inference::need_positive(const char* attr, double value) const {
  need_finite(attr, value);
  if (value <= 0) {
    fail(ErrorCode::kInvalidArgument, "{}: {} {} is not above 0", to_string(kind_), attr, value);
  }
}

size_t Inference::need_axis(const char* attr, int64_t axis) const {
  const auto rank = static_cast<int64_t>(inputs_[0].shape.size());
  need_range(attr, axis, -rank, rank - 1);
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

void Inference::need_bytes() const {
  for (size_t i = 0; i < inputs_.size(); ++i) need_dtype(i, {DType::kInt8});
}

void Inference::need_requantization() const {
  need_range("shift", attrs_.shift, -kMaxShift, kMaxShift);
  if (!(attrs_.lo >= -128 && attrs_.lo <= attrs_.hi && attrs_.hi <= 127)) {
    fail(ErrorCode::kInvalidArgument, "{}: lo {} and hi {} are no range within -128 to 127",
         to_string(kind_), attrs_.lo, attrs_.hi);
  }
  if (attrs_.lo != std::floor(attrs_.lo) || attrs_.hi != std::floor(attrs_.hi)) {
    fail(ErrorCode::kInvalidArgument, "{}: lo {} and hi {} are not both integers", to_string(kind_),
         attrs_.lo, attrs_.hi);
  }
}

TensorType Inference::elementwise() const {
  need_dtype(0, {DType::kFloat32});
  return inputs_[0];
}

std::vector<int64_t> Inference::broadcast_shape(std::vector<int64_t> a,
                                                std::vector<int64_t> b) const {
  const size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  for (size_t i = 0; i < rank; ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
      refuse(1, fmt::format("a shape that broadcasts with {}", shape_text(inputs_[0].shape)));
    }
    a[i] = std::max(a[i], b[i]);
  }
  return a;
}

TensorType Inference::broadcast(DType element) const {
  need_dtype(0, {element});
  need_dtype(1, {element});
  return {element, broadcast_shape(inputs_[0].shape, inputs_[1].shape)};
}

TensorType Inference::same_shapes(DType element) const {
  need_dtype(0, {element});
  need_dtype(1, {element});
  need_shape(1, inputs_[0].shape, "a second operand");
  return inputs_[0];
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
    refuse(1, fmt::format("a slope that broadcasts to {}", shape_text(inputs_[0].shape)));
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
  need_range("number of axes", static_cast<int64_t>(attrs_.axes.size()), 1, kMaxRank);
  std::vector<bool> gone(inputs_[0].shape.size());
  for (int64_t axis : attrs_.axes) gone[need_axis("axes", axis)] = true;
  TensorType result{DType::kFloat32, {}};
  for (size_t i = 0; i < gone.size(); ++i) {
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
  need_range("frac_bits", attrs_.frac_bits, -64, 64);
  return {DType::kInt8, inputs_[0].shape};
}

TensorType Inference::dequantize() const {
  need_dtype(0, {DType::kInt8, DType::kInt32});
  need_range("frac_bits", attrs_.frac_bits, -64, 64);
  need_finite("divisor", attrs_.divisor);
  if (attrs_.divisor <= 0) {
    fail(ErrorCode::kInvalidArgument, "dequantize: divisor {} is not above 0", attrs_.divisor);
  }
  return {DType::kFloat32, inputs_[0].shape};
}

TensorType Inference::infer() const {
  constexpr DType kF32 = DType::kFloat32, kI8 = DType::kInt8, kI32 = DType::kInt32;
  switch (kind_) {
    case OpKind::kInput:
    case OpKind::kConstant:
      fail(ErrorCode::kInvalidArgument, "{} has no operands to infer a type from",
           to_string(kind_));
    case OpKind::kConv2d:
      return conv2d(kF32, kF32);
    case OpKind::kConv2dTranspose:
      return conv2d_transpose(kF32, kF32);
    case OpKind::kDense:
      return dense(kF32, kF32);
    case OpKind::kMatmul:
      return matmul();
    case OpKind::kBatchNorm:
      return batch_norm();
    case OpKind::kClip:
      return clip();
    case OpKind::kLeakyRelu:
    case OpKind::kElu:
    case OpKind::kPower:
      need_finite("alpha", attrs_.alpha);
      return elementwise();
    case OpKind::kHardSigmoid:
      need_finite("alpha", attrs_.alpha);
      need_finite("beta", attrs_.beta);
      return elementwise();
    case OpKind::kRelu:
    case OpKind::kSigmoid:
    case OpKind::kTanh:
    case OpKind::kHardSwish:
    case OpKind::kSilu:
    case OpKind::kAbs:
    case OpKind::kExp:
    case OpKind::kLog:
    case OpKind::kSqrt:
    case OpKind::kErf:
    case OpKind::kGelu:
    case OpKind::kSoftplus:
    case OpKind::kMish:
      return elementwise();
    case OpKind::kPrelu:
      return prelu();
    case OpKind::kAdd:
    case OpKind::kSub:
    case OpKind::kMul:
    case OpKind::kDiv:
    case OpKind::kMin:
    case OpKind::kMax:
      return broadcast(kF32);
    case OpKind::kSoftmax:
      need_axis("axis", attrs_.axis);
      return elementwise();
    case OpKind::kLrn:
      return lrn();
    case OpKind::kReduceMean:
      return reduce_mean();
    case OpKind::kArgMax:
      return arg_max();
    case OpKind::kAvgPool2d:
      need_dtype(0, {kF32});
      return pool();
    case OpKind::kMaxPool2d:
      need_dtype(0, {kF32, kI8});
      return pool();
    case OpKind::kQAvgPool2d:
      need_bytes();
      need_range("shift", attrs_.shift, -kMaxAverageShift, kMaxAverageShift);
      return pool();
    case OpKind::kFlatten:
      return flatten();
    case OpKind::kReshape:
      return reshape();
    case OpKind::kTranspose:
      return transpose();
    case OpKind::kConcat:
      return concat();
    case OpKind::kStridedSlice:
      return strided_slice();
    case OpKind::kPad:
      return pad();
    case OpKind::kDepthToSpace:
      return depth_to_space();
    case OpKind::kGlobalMaxPool2d:
      need_dtype(0, {kF32, kI8});
      return global_pool(inputs_[0].dtype);
    case OpKind::kGlobalAvgPool2d:
      need_dtype(0, {kF32, kI8});
      return global_pool(inputs_[0].dtype == kI8 ? kI32 : kF32);
    case OpKind::kGlobalSumPool2d:
      need_dtype(0, {kI8});
      return global_pool(kI32);
    case OpKind::kResize2d:
      return resize2d();
    case OpKind::kQuantize:
      return quantize();
    case OpKind::kDequantize:
      return dequantize();
    case OpKind::kLookup:
      return lookup();
    case OpKind::kQConv2d:
      need_requantization();
      return conv2d(kI8, kI32);
    case OpKind::kQConv2dTranspose:
      need_requantization();
      return conv2d_transpose(kI8, kI32);
    case OpKind::kQDense:
      need_requantization();
      return dense(kI8, kI32);
    case OpKind::kQAdd:
      need_requantization();
      need_range("shift_a", attrs_.shift_a, 0, kMaxShift);
      need_range("shift_b", attrs_.shift_b, 0, kMaxShift);
      return same_shapes(kI8);
    case OpKind::kQMul:
      need_requantization();
      return broadcast(kI8);
  }
  VTA_ASSERT(false, "an operator of ops.def");
  return {};
}

TensorType infer_type(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs) {
  return Inference(kind, attrs, inputs).run();
}

}  // namespace vta
