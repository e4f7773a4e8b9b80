// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/integer_depthwise.h"

#include <algorithm>

#include "runtime/host/requantize.h"

namespace vta::host {
namespace {

struct InputPlane {
  const int8_t* pixels;
  int64_t h, w;
};

// sums[x] += (line[x * stride] - zero) * weight, modulo 2^32.
void add_line(const int8_t* line, int64_t stride, int32_t zero, int32_t weight, int64_t count,
              uint32_t* sums) {
  const auto add = [&](int64_t x, int32_t pixel) {
    sums[x] += static_cast<uint32_t>((pixel - zero) * weight);
  };
  if (stride == 1) {
    for (int64_t x = 0; x < count; ++x) add(x, line[x]);
  } else if (stride == 2) {
    for (int64_t x = 0; x < count; ++x) add(x, line[2 * x]);
  } else {
    for (int64_t x = 0; x < count; ++x) add(x, line[x * stride]);
  }
}

// The sum of a window of padding only.
uint32_t padding_sum(int64_t zero, const int8_t* weights, int64_t taps) {
  int64_t sum = 0;
  for (int64_t tap = 0; tap < taps; ++tap) sum += zero * weights[tap];
  return static_cast<uint32_t>(sum);
}

void add_plane(const Attrs<OpKind::kQConv2d>& attrs, const InputPlane& in, const int8_t* weights,
               int64_t oh, int64_t ow, uint32_t* sums) {
  const auto [kh, kw] = attrs.kernel;
  const auto [sh, sw] = attrs.stride;
  for (int64_t y = 0; y < oh; ++y) {
    for (int64_t p = 0; p < kh; ++p) {
      const int64_t row = y * sh + p * attrs.dilation[0] - attrs.pad[0];
      if (row < 0 || row >= in.h) continue;
      for (int64_t q = 0; q < kw; ++q) {
        // Column x * sw + left is inside the input for x in [first, last).
        const int64_t left = q * attrs.dilation[1] - attrs.pad[1];
        const int64_t first = left >= 0 ? 0 : (-left + sw - 1) / sw;
        const int64_t last = left >= in.w ? 0 : std::min(ow, (in.w - left + sw - 1) / sw);
        if (first >= last) continue;
        add_line(in.pixels + row * in.w + first * sw + left, sw, static_cast<int32_t>(attrs.zero),
                 weights[p * kw + q], last - first, sums + y * ow + first);
      }
    }
  }
}

}  // namespace

void qconv2d_depthwise(const Attrs<OpKind::kQConv2d>& attrs, const Operands& inputs,
                       Tensor& output) {
  const Tensor& x = inputs[0];
  const int64_t channels = x.dim(1), oc = output.dim(1), oh = output.dim(2), ow = output.dim(3);
  const int64_t taps = attrs.kernel[0] * attrs.kernel[1], area = x.dim(2) * x.dim(3);
  const int8_t* weights = inputs[1].data<int8_t>().data();
  std::vector<uint32_t> sums(static_cast<size_t>(oh * ow));
  with_result(attrs, inputs, output, [&](auto* result, const auto& conversions) {
    for (int64_t plane = 0; plane < x.dim(0) * oc; ++plane) {
      const int64_t n = plane / oc, o = plane % oc, c = o / (oc / channels);
      std::fill(sums.begin(), sums.end(), padding_sum(attrs.zero, weights + o * taps, taps));
      const int8_t* pixels = x.data<int8_t>().data() + (n * channels + c) * area;
      add_plane(attrs, {pixels, x.dim(2), x.dim(3)}, weights + o * taps, oh, ow, sums.data());
      for (uint32_t sum : sums)
        *result++ = conversions[static_cast<size_t>(o)](static_cast<int32_t>(sum));
    }
  });
}

}  // namespace vta::host
