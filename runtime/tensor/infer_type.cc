// SPDX-License-Identifier: Apache-2.0
//
// Dispatch to an operator's type inference, and the checks that several operators share.
#include <algorithm>
#include <cmath>

#include "base/errors/counted.h"
#include "runtime/tensor/inference.h"
#include "runtime/tensor/leak.h"

namespace vta {
namespace {

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

constexpr Inference::Rule Inference::kRules[] = {
#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) &Inference::infer,
#include "runtime/tensor/ops.def"
};

TensorType Inference::infer() const { return (this->*kRules[static_cast<size_t>(kind_)])(); }

TensorType Inference::run() const {
  check_inputs();
  TensorType result = infer();
  check_size("the result", result.shape);
  return result;
}

void Inference::check_inputs() const {
  const auto count = static_cast<int>(inputs_.size());
  if (count < min_inputs(kind_) || count > max_inputs(kind_)) {
    fail(ErrorCode::kInvalidArgument, "{} has {}, expected {}", to_string(kind_),
         counted(count, "input"),
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
    fail(ErrorCode::kInvalidArgument, "{}: {} has {}, expected 1 to {}", to_string(kind_), what,
         counted(shape.size(), "axis"), kMaxRank);
  }
  int64_t count = 1;
  const int64_t least = in_run() && takes_open_axes(kind_) ? 0 : 1;
  for (int64_t dim : shape) {
    if (dim < least || dim > kMaxElems || (dim > 0 && count > kMaxElems / dim)) {
      fail(ErrorCode::kInvalidArgument,
           "{}: {} has shape {}, expected axes of at least {} and at most {} elements",
           to_string(kind_), what, shape_text(shape), least, kMaxElems);
    }
    count *= std::max<int64_t>(dim, 1);
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

void Inference::need_levels() const {
  need_finite("unit", attrs_.unit);
  if (attrs_.unit != 0) need_positive("unit", attrs_.unit);
  need_range("zero", attrs_.zero, -128, 127);
  need_range("result_zero", attrs_.result_zero, -128, 127);
}

void Inference::need_requantization() const {
  need_range("shift", attrs_.shift, attrs_.scaled ? 0 : -kMaxShift, kMaxShift);
  need_range("pre_shift", attrs_.pre_shift, 0, attrs_.scaled ? kMaxShift : 0);
  need_range("zero", attrs_.zero, -128, 127);
  if (attrs_.scaled) need_range("relu (with scaled)", attrs_.relu ? 1 : 0, 0, 0);
  if (!(attrs_.lo >= -128 && attrs_.lo <= attrs_.hi && attrs_.hi <= 127)) {
    fail(ErrorCode::kInvalidArgument, "{}: lo {} and hi {} are not a range within -128 to 127",
         to_string(kind_), attrs_.lo, attrs_.hi);
  }
  need_range("leak_shift", attrs_.leak_shift, 0, kMaxLeakShift);
  if (attrs_.leak != 0)
    need_range("leak", attrs_.leak, min_leak(attrs_.leak_shift), max_leak(attrs_.leak_shift));
  const bool has_offset = attrs_.leak != 0 && attrs_.result_zero != 0;
  need_range("result_zero (of a leak)", attrs_.result_zero, has_offset ? -128 : 0,
             has_offset ? static_cast<int64_t>(attrs_.hi) : 0);
  if (has_offset) {
    need_range("scaled (with result_zero)", attrs_.scaled ? 1 : 0, 1, 1);
    need_range("shift (with result_zero)", attrs_.shift, kMinOffsetShift, kMaxShift);
  }
  if (attrs_.lo != std::floor(attrs_.lo) || attrs_.hi != std::floor(attrs_.hi)) {
    fail(ErrorCode::kInvalidArgument, "{}: lo {} and hi {} are not both integers", to_string(kind_),
         attrs_.lo, attrs_.hi);
  }
}

TensorType infer_run_type(OpKind kind, const OpAttrs& attrs,
                          const std::vector<TensorType>& inputs) {
  return Inference(kind, attrs, inputs, Inference::Sizes::kOfRun).run();
}

}  // namespace vta
