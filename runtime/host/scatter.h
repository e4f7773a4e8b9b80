// SPDX-License-Identifier: Apache-2.0
//
// The inner loop of transposed convolutions, for every element type.
#ifndef VTA_RUNTIME_HOST_SCATTER_H_
#define VTA_RUNTIME_HOST_SCATTER_H_

#include <algorithm>
#include <cstdint>

#include "runtime/tensor/op.h"

namespace vta::host {

struct Plane {
  int64_t h, w;
};

// sums[y * stride + p * dilation - pad] += x[y] * weights[p], along both axes.
template <typename Element, typename Product, typename Sum>
void scatter(const WindowAttrs& attrs, const Element* x, Plane in, const Element* weights,
             Plane out, Sum* sums) {
  for (int64_t p = 0; p < attrs.kernel[0]; ++p) {
    for (int64_t q = 0; q < attrs.kernel[1]; ++q) {
      const Product weight = weights[p * attrs.kernel[1] + q];
      const int64_t stride = attrs.stride[1];
      const int64_t left = q * attrs.dilation[1] - attrs.pad[1];
      const int64_t first = left >= 0 ? 0 : (-left + stride - 1) / stride;
      const int64_t last = left >= out.w ? 0 : std::min(in.w, (out.w - left + stride - 1) / stride);
      for (int64_t y = 0; y < in.h; ++y) {
        const int64_t row = y * attrs.stride[0] + p * attrs.dilation[0] - attrs.pad[0];
        if (row < 0 || row >= out.h) continue;
        const Element* line = x + y * in.w;
        const int64_t start = row * out.w + left;
        for (int64_t i = first; i < last; ++i) {
          sums[start + i * stride] += static_cast<Sum>(line[i] * weight);
        }
      }
    }
  }
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_SCATTER_H_
