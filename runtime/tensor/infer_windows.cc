// SPDX-License-Identifier: Apache-2.0
//
// Type rules: windows of convolutions and pools, resizing.
#include "runtime/tensor/average.h"
#include "runtime/tensor/average_shift.h"
#include "runtime/tensor/inference.h"

namespace vta {

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
  const int64_t slack = padded - extent;
  int64_t count = slack / stride + 1;
  // A partial last window counts only if it starts before the trailing padding.
  if (ceil_mode && slack % stride != 0 && count * stride < size + attrs_.pad[axis]) ++count;
  return count;
}

void Inference::need_element_in_every_window(size_t axis) const {
  const int64_t reach = (attrs_.kernel[axis] - 1) * attrs_.dilation[axis];
  need_range("pad", attrs_.pad[axis], 0, reach);
  need_range("pad", attrs_.pad[axis + 2], 0, reach);
  // Otherwise a window could step over the whole input.
  const int64_t size = inputs_[0].shape[2 + axis];
  if (attrs_.kernel[axis] > 1 && attrs_.dilation[axis] > size) {
    need_range("dilation", attrs_.dilation[axis], 1, size);
  }
}

TensorType Inference::pool() const {
  need_window();
  need_rank(0, 4, "an image [n, c, h, w]");
  TensorType result = inputs_[0];
  for (size_t axis = 0; axis < 2; ++axis) {
    need_element_in_every_window(axis);
    result.shape[2 + axis] = window_positions(axis, attrs_.ceil_mode);
  }
  return result;
}

TensorType Inference::avg_pool() const {
  need_dtype(0, {DType::kFloat32});
  return pool();
}

TensorType Inference::max_pool() const {
  need_dtype(0, {DType::kFloat32, DType::kInt8});
  return pool();
}

TensorType Inference::qavg_pool() const {
  need_bytes();
  need_range("shift", attrs_.shift, -kMaxAverageShift, kMaxAverageShift);
  need_levels();
  need_finite("ratio", attrs_.ratio);
  if (attrs_.ratio != 0) need_positive("ratio", attrs_.ratio);
  const TensorType result = pool();
  need_range("kernel's area", attrs_.kernel[0] * attrs_.kernel[1], 1, kMaxAverageElems);
  return result;
}

TensorType Inference::global_pool(DType result) const {
  need_rank(0, 4, "an image [n, c, h, w]");
  return {result, {inputs_[0].shape[0], inputs_[0].shape[1], 1, 1}};
}

TensorType Inference::global_max_pool() const {
  need_dtype(0, {DType::kFloat32, DType::kInt8});
  return global_pool(inputs_[0].dtype);
}

TensorType Inference::global_avg_pool() const {
  need_dtype(0, {DType::kFloat32, DType::kInt8});
  return global_pool(inputs_[0].dtype == DType::kInt8 ? DType::kInt32 : DType::kFloat32);
}

TensorType Inference::global_sum_pool() const {
  need_bytes();
  return global_pool(DType::kInt32);
}

TensorType Inference::unfold2d() const {
  need_window();
  need_dtype(0, {DType::kFloat32, DType::kInt8});
  need_rank(0, 4, "an image [n, c, h, w]");
  const int64_t most = inputs_[0].dtype == DType::kFloat32 ? kMaxFracBits : 0;
  need_range("frac_bits", attrs_.frac_bits, -most, most);
  need_levels();
  const std::vector<int64_t>& x = inputs_[0].shape;
  const int64_t taps = attrs_.kernel[0] * attrs_.kernel[1];
  need_range("kernel's area", taps, 1, kMaxElems / x[1]);
  // The padded image is made while it is packed (runtime/program/unfold_packing.cc).
  const int64_t height = x[2] + attrs_.pad[0] + attrs_.pad[2];
  const int64_t width = x[3] + attrs_.pad[1] + attrs_.pad[3];
  need_range("padded area", height * width, 1, kMaxElems / x[1]);
  return {DType::kInt8,
          {x[0], taps * x[1], window_positions(0, false), window_positions(1, false)}};
}

TensorType Inference::resize2d() const {
  need_dtype(0, {DType::kFloat32, DType::kInt8});
  need_rank(0, 4, "an image [n, c, h, w]");
  if (attrs_.resize_mode != ResizeMode::kNearest) need_dtype(0, {DType::kFloat32});
  TensorType result = inputs_[0];
  for (size_t axis = 0; axis < 2; ++axis) {
    need_range("out", attrs_.out[axis], 1, kMaxElems);
    need_finite("scale", attrs_.scale[axis]);
    if (attrs_.scale[axis] != 0) need_positive("scale", attrs_.scale[axis]);
    result.shape[2 + axis] = attrs_.out[axis];
  }
  need_finite("cubic_a", attrs_.cubic_a);
  return result;
}

}  // namespace vta
