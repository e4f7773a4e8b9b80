// SPDX-License-Identifier: Apache-2.0
//
// A matrix product over unfolded windows: kLanes output pixels at a time are gathered into a panel
// [channel, row, column of the kernel][kLanes], which is multiplied with kRows output channels at a
// time. The lanes are independent sums, so the vector width does not change their order.
#include "compiler/import/exact_conv2d.h"

#include <algorithm>

namespace vta::import {
namespace {

constexpr int64_t kLanes = 32;
constexpr int64_t kRows = 4;

struct Shape {
  int64_t height, width, out_height, out_width, group_channels, group_out_channels, taps;
};

// One row of the panel: the input values of `plane` for tap (kh, kw) and the output pixels from
// `first` on.
void gather(const Attrs<OpKind::kConv2d>& attrs, const Shape& shape, const float* plane, int64_t kh,
            int64_t kw, int64_t first, float* row) {
  const int64_t count = std::min(kLanes, shape.out_height * shape.out_width - first);
  const int64_t stride = attrs.stride[1];
  std::fill_n(row, kLanes, 0.0f);
  // Lanes of one row of pixels at a time: those inside the input are adjacent.
  for (int64_t lane = 0, pixels = 0; lane < count; lane += pixels) {
    const int64_t oh = (first + lane) / shape.out_width, ow = (first + lane) % shape.out_width;
    pixels = std::min(count - lane, shape.out_width - ow);
    const int64_t ih = oh * attrs.stride[0] + kh * attrs.dilation[0] - attrs.pad[0];
    if (ih < 0 || ih >= shape.height) continue;
    const int64_t iw = ow * stride + kw * attrs.dilation[1] - attrs.pad[1];
    const int64_t begin = iw < 0 ? (-iw + stride - 1) / stride : 0;
    const int64_t end =
        iw < shape.width ? std::min(pixels, (shape.width - 1 - iw) / stride + 1) : 0;
    const float* from = plane + ih * shape.width + iw;
    for (int64_t i = begin; i < end; ++i) row[lane + i] = from[i * stride];
  }
}

// sums[r][lane] = sum over taps of weights[r][tap] * panel[tap][lane]
template <int64_t kCount>
void multiply(const float* weights, int64_t taps, const float* panel, float* y, int64_t y_stride,
              int64_t count) {
  float sums[kCount][kLanes] = {};
  for (int64_t tap = 0; tap < taps; ++tap) {
    const float* row = panel + tap * kLanes;
    for (int64_t r = 0; r < kCount; ++r) {
      const float weight = weights[r * taps + tap];
      for (int64_t lane = 0; lane < kLanes; ++lane) sums[r][lane] += weight * row[lane];
    }
  }
  for (int64_t r = 0; r < kCount; ++r) std::copy_n(sums[r], count, y + r * y_stride);
}

void convolve_group(const Attrs<OpKind::kConv2d>& attrs, const Shape& shape, const float* x,
                    const float* weights, float* y) {
  const int64_t num_pixels = shape.out_height * shape.out_width;
  std::vector<float> panel(static_cast<size_t>(shape.taps * kLanes));
  for (int64_t first = 0; first < num_pixels; first += kLanes) {
    float* row = panel.data();
    for (int64_t c = 0; c < shape.group_channels; ++c) {
      for (int64_t kh = 0; kh < attrs.kernel[0]; ++kh) {
        for (int64_t kw = 0; kw < attrs.kernel[1]; ++kw, row += kLanes) {
          gather(attrs, shape, x + c * shape.height * shape.width, kh, kw, first, row);
        }
      }
    }
    const int64_t count = std::min(kLanes, num_pixels - first);
    int64_t oc = 0;
    for (; oc + kRows <= shape.group_out_channels; oc += kRows) {
      multiply<kRows>(weights + oc * shape.taps, shape.taps, panel.data(),
                      y + oc * num_pixels + first, num_pixels, count);
    }
    for (; oc < shape.group_out_channels; ++oc) {
      multiply<1>(weights + oc * shape.taps, shape.taps, panel.data(), y + oc * num_pixels + first,
                  num_pixels, count);
    }
  }
}

}  // namespace

Tensor exact_conv2d(const Attrs<OpKind::kConv2d>& attrs, const Tensor& x, const Tensor& weights) {
  Tensor y(infer_type(OpKind::kConv2d, attrs, {x.type(), weights.type()}));
  VTA_ASSERT(x.dim(0) == 1, "one image");
  const Shape shape = {x.dim(2),
                       x.dim(3),
                       y.dim(2),
                       y.dim(3),
                       weights.dim(1),
                       weights.dim(0) / attrs.groups,
                       weights.dim(1) * weights.dim(2) * weights.dim(3)};
  const int64_t x_group = shape.group_channels * shape.height * shape.width;
  const int64_t y_group = shape.group_out_channels * shape.out_height * shape.out_width;
  for (int64_t g = 0; g < attrs.groups; ++g) {
    convolve_group(attrs, shape, x.data<float>().data() + g * x_group,
                   weights.data<float>().data() + g * shape.group_out_channels * shape.taps,
                   y.mutable_data<float>().data() + g * y_group);
  }
  return y;
}

namespace {

Tensor with_zeros_between(const Tensor& x, const std::array<int64_t, 2>& stride) {
  const int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3);
  const int64_t out_height = (height - 1) * stride[0] + 1, out_width = (width - 1) * stride[1] + 1;
  Tensor result({DType::kFloat32, {1, channels, out_height, out_width}});
  const std::span<const float> from = x.data<float>();
  const std::span<float> to = result.mutable_data<float>();
  for (int64_t i = 0; i < x.num_elems(); ++i) {
    const int64_t row = i / width % height, column = i % width, channel = i / width / height;
    to[(channel * out_height + row * stride[0]) * out_width + column * stride[1]] = from[i];
  }
  return result;
}

// [ic, oc / groups, kh, kw] -> [oc, ic / groups, kh, kw], with rows and columns reversed.
Tensor turned_round(const Tensor& weights, int64_t groups) {
  const int64_t ic = weights.dim(0) / groups, oc = weights.dim(1);
  const int64_t area = weights.dim(2) * weights.dim(3);
  Tensor result({DType::kFloat32, {oc * groups, ic, weights.dim(2), weights.dim(3)}});
  const std::span<const float> from = weights.data<float>();
  const std::span<float> to = result.mutable_data<float>();
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t i = 0; i < ic; ++i) {
      for (int64_t o = 0; o < oc; ++o) {
        const auto kernel = from.subspan(((g * ic + i) * oc + o) * area, area);
        std::reverse_copy(kernel.begin(), kernel.end(),
                          to.begin() + ((g * oc + o) * ic + i) * area);
      }
    }
  }
  return result;
}

}  // namespace

Tensor exact_conv2d_transpose(const Attrs<OpKind::kConv2dTranspose>& attrs, const Tensor& x,
                              const Tensor& weights) {
  Attrs<OpKind::kConv2d> plain = attrs;
  plain.stride = {1, 1};
  for (size_t side = 0; side < 4; ++side) {
    const size_t axis = side % 2;
    plain.pad[side] = attrs.dilation[axis] * (attrs.kernel[axis] - 1) - attrs.pad[side] +
                      (side >= 2 ? attrs.output_pad[axis] : 0);
  }
  return exact_conv2d(plain, with_zeros_between(x, attrs.stride),
                      turned_round(weights, attrs.groups));
}

}  // namespace vta::import
