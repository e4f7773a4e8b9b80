// SPDX-License-Identifier: Apache-2.0
//
// Shapes and element types of every operator's result. All sizes are below 2^31, so that no product
// of two overflows int64_t.
#include <cmath>
#include <initializer_list>

#include "runtime/tensor/op.h"

namespace vta {
namespace {

constexpr int64_t kMaxElems = (int64_t{1} << 31) - 1;  // of a tensor, and of each axis
constexpr int64_t kMaxWindow = 1 << 16;                // of kernel, stride, pad and dilation
constexpr int64_t kMaxShift = 31;                      // of an int32
constexpr size_t kMaxRank = 8;

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

// One call of infer_type(): the operands and what messages need.
class Inference {
 public:
  Inference(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs)
      : kind_(kind), attrs_(attrs), inputs_(inputs) {}

  TensorType run() const {
    check_inputs();
    TensorType result = infer();
    check_size("the result", result.shape);
    return result;
  }

 private:
  TensorType infer() const;

  void check_inputs() const {
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

  void check_size(const std::string& what, const std::vector<int64_t>& shape) const {
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

  [[noreturn]] void refuse(size_t input, const std::string& expectation) const {
    fail(ErrorCode::kInvalidArgument, "{}: input {} is {}, expected {}", to_string(kind_), input,
         to_string(inputs_[input]), expectation);
  }
  void need_rank(size_t input, size_t rank, const char* expectation) const {
    if (inputs_[input].shape.size() != rank) refuse(input, expectation);
  }
  void need_dtype(size_t input, std::initializer_list<DType> allowed) const {
    std::vector<const char*> names;
    for (DType dtype : allowed) {
      if (inputs_[input].dtype == dtype) return;
      names.push_back(to_string(dtype));
    }
    refuse(input, fmt::format("{} elements", fmt::join(names, " or ")));
  }
  void need_shape(size_t input, const std::vector<int64_t>& shape, const char* meaning) const {
    if (inputs_[input].shape != shape) {
      refuse(input, fmt::format("{} of shape {}", meaning, shape_text(shape)));
    }
  }
  void need_range(const char* attr, int64_t value, int64_t low, int64_t high) const {
    if (value < low || value > high) {
      fail(ErrorCode::kInvalidArgument, "{}: {} {} is outside {} to {}", to_string(kind_), attr,
           value, low, high);
    }
  }
  void need_list(const char* attr, const std::vector<int64_t>& list) const {
    if (list.size() != inputs_[0].shape.size()) {
      refuse(0, fmt::format("as many axes as {} has numbers ({})", attr, list.size()));
    }
  }
  void need_finite(const char* attr, double value) const {
    if (!std::isfinite(value)) {
      fail(ErrorCode::kInvalidArgument, "{}: {} {} is not finite", to_string(kind_), attr, value);
    }
  }

  void need_window() const;
  void need_requantization() const;
  int64_t window_positions(size_t axis, bool ceil_mode) const;
  TensorType conv2d(DType element, DType bias, DType result) const;
  TensorType dense(DType element, DType bias, DType result) const;
  TensorType pool() const;
  TensorType global_pool(DType result) const;
  TensorType batch_norm() const;
  TensorType clip() const;
  TensorType add(DType element) const;
  TensorType flatten() const;
  TensorType strided_slice() const;
  TensorType pad() const;
  TensorType quantize() const;
  TensorType dequantize() const;

  OpKind kind_;
  const OpAttrs& attrs_;
  const std::vector<TensorType>& inputs_;
};

void Inference::need_window() const {
  for (int64_t value : attrs_.kernel) need_range("kernel", value, 1, kMaxWindow);
  for (int64_t value : attrs_.stride) need_range("stride", value, 1, kMaxWindow);
  for (int64_t value : attrs_.dilation) need_range("dilation", value, 1, kMaxWindow);
  for (int64_t value : attrs_.pad) need_range("pad", value, 0, kMaxWindow);
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

// How many windows fit along height (axis 0) or width (axis 1).
int64_t Inference::window_positions(size_t axis, bool ceil_mode) const {
  const int64_t size = inputs_[0].shape[2 + axis];
  const int64_t padded = size + attrs_.pad[axis] + attrs_.pad[axis + 2];
  const int64_t extent = (attrs_.kernel[axis] - 1) * attrs_.dilation[axis] + 1;
  if (extent > padded) {
    refuse(0, fmt::format("a padded {} of at least the kernel's {}, not {}",
                          axis == 0 ? "height" : "width", extent, padded));
  }
  const int64_t stride = attrs_.stride[axis];
  const int64_t room = padded - extent;
  int64_t count = room / stride + 1;
  // A further, partial window counts only if it starts before the padding behind the input.
  if (ceil_mode && room % stride != 0 && count * stride < size + attrs_.pad[axis]) ++count;
  return count;
}

TensorType Inference::conv2d(DType element, DType bias, DType result) const {
  need_window();
  need_dtype(0, {element});
  need_rank(0, 4, "an image [n, c, h, w]");
  need_dtype(1, {element});
  need_rank(1, 4, "weights [oc, ic / groups, kh, kw]");
  const int64_t channels = inputs_[0].shape[1], out_channels = inputs_[1].shape[0];
  need_range("groups", attrs_.groups, 1, channels);
  if (channels % attrs_.groups != 0) {
    refuse(0, fmt::format("channels divisible by {} groups", attrs_.groups));
  }
  need_shape(1, {out_channels, channels / attrs_.groups, attrs_.kernel[0], attrs_.kernel[1]},
             "weights [oc, ic / groups, kh, kw]");
  if (out_channels % attrs_.groups != 0) {
    refuse(1, fmt::format("output channels divisible by {} groups", attrs_.groups));
  }
  if (inputs_.size() == 3) {
    need_dtype(2, {bias});
    need_shape(2, {out_channels}, "a bias [oc]");
  }
  return {
      result,
      {inputs_[0].shape[0], out_channels, window_positions(0, false), window_positions(1, false)}};
}

TensorType Inference::dense(DType element, DType bias, DType result) const {
  need_dtype(0, {element});
  need_rank(0, 2, "rows [n, ic]");
  need_dtype(1, {element});
  need_rank(1, 2, "weights [oc, ic]");
  const int64_t out_channels = inputs_[1].shape[0];
  need_shape(1, {out_channels, inputs_[0].shape[1]}, "weights [oc, ic]");
  if (inputs_.size() == 3) {
    need_dtype(2, {bias});
    need_shape(2, {out_channels}, "a bias [oc]");
  }
  return {result, {inputs_[0].shape[0], out_channels}};
}

TensorType Inference::pool() const {
  need_window();
  need_rank(0, 4, "an image [n, c, h, w]");
  for (size_t i = 0; i < 4; ++i) {
    // Otherwise a window could lie in the padding alone.
    need_range("pad", attrs_.pad[i], 0, attrs_.kernel[i % 2] - 1);
  }
  TensorType result = inputs_[0];
  result.shape[2] = window_positions(0, attrs_.ceil_mode);
  result.shape[3] = window_positions(1, attrs_.ceil_mode);
  return result;
}

TensorType Inference::global_pool(DType result) const {
  need_rank(0, 4, "an image [n, c, h, w]");
  return {result, {inputs_[0].shape[0], inputs_[0].shape[1], 1, 1}};
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

TensorType Inference::add(DType element) const {
  need_dtype(0, {element});
  need_dtype(1, {element});
  need_shape(1, inputs_[0].shape, "a second operand");
  return inputs_[0];
}

TensorType Inference::flatten() const {
  int64_t rest = 1;
  for (size_t i = 1; i < inputs_[0].shape.size(); ++i) rest *= inputs_[0].shape[i];
  return {inputs_[0].dtype, {inputs_[0].shape[0], rest}};
}

TensorType Inference::strided_slice() const {
  need_list("begin", attrs_.begin);
  need_list("end", attrs_.end);
  need_list("step", attrs_.step);
  TensorType result = inputs_[0];
  for (size_t i = 0; i < result.shape.size(); ++i) {
    need_range("end", attrs_.end[i], 1, inputs_[0].shape[i]);
    need_range("begin", attrs_.begin[i], 0, attrs_.end[i] - 1);
    need_range("step", attrs_.step[i], 1, kMaxElems);
    result.shape[i] = (attrs_.end[i] - attrs_.begin[i] - 1) / attrs_.step[i] + 1;
  }
  return result;
}

TensorType Inference::pad() const {
  need_list("before", attrs_.before);
  need_list("after", attrs_.after);
  TensorType result = inputs_[0];
  for (size_t i = 0; i < result.shape.size(); ++i) {
    need_range("before", attrs_.before[i], 0, kMaxElems);
    need_range("after", attrs_.after[i], 0, kMaxElems);
    result.shape[i] += attrs_.before[i] + attrs_.after[i];
  }
  return result;
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
      return conv2d(kF32, kF32, kF32);
    case OpKind::kDense:
      return dense(kF32, kF32, kF32);
    case OpKind::kBatchNorm:
      return batch_norm();
    case OpKind::kClip:
      return clip();
    case OpKind::kAdd:
      return add(kF32);
    case OpKind::kRelu:
    case OpKind::kSoftmax:
      need_dtype(0, {kF32});
      return inputs_[0];
    case OpKind::kAvgPool2d:
      need_dtype(0, {kF32});
      return pool();
    case OpKind::kMaxPool2d:
      need_dtype(0, {kF32, kI8});
      return pool();
    case OpKind::kFlatten:
      return flatten();
    case OpKind::kStridedSlice:
      return strided_slice();
    case OpKind::kPad:
      return pad();
    case OpKind::kGlobalAvgPool2d:
      need_dtype(0, {kF32, kI8});
      return global_pool(inputs_[0].dtype == kI8 ? kI32 : kF32);
    case OpKind::kGlobalSumPool2d:
      need_dtype(0, {kI8});
      return global_pool(kI32);
    case OpKind::kQuantize:
      return quantize();
    case OpKind::kDequantize:
      return dequantize();
    case OpKind::kQConv2d:
      need_requantization();
      return conv2d(kI8, kI32, kI8);
    case OpKind::kQDense:
      need_requantization();
      return dense(kI8, kI32, kI8);
    case OpKind::kQAdd:
      need_requantization();
      need_range("shift_a", attrs_.shift_a, 0, kMaxShift);
      need_range("shift_b", attrs_.shift_b, 0, kMaxShift);
      return add(kI8);
  }
  VTA_ASSERT(false, "an operator of ops.def");
  return {};
}

}  // namespace

TensorType infer_type(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs) {
  return Inference(kind, attrs, inputs).run();
}

}  // namespace vta
