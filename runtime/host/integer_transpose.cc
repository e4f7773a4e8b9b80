// SPDX-License-Identifier: Apache-2.0
//
// Integer transposed convolution: every element of x adds its value times the kernel to the sums of
// one output plane, row by row. Sums are exact modulo 2^32, so their order does not matter.
#include <algorithm>
#include <vector>

#include "runtime/host/operators.h"
#include "runtime/host/requantize.h"
#include "runtime/host/scatter.h"

namespace vta::host {

void qconv2d_transpose(const Attrs<OpKind::kQConv2dTranspose>& attrs, const Operands& inputs,
                       Tensor& output) {
  const Tensor &x = inputs[0], &w = inputs[1];
  const int64_t ic = x.dim(1), oc = output.dim(1), group_ic = ic / attrs.groups;
  const int64_t group_oc = w.dim(1), taps = w.dim(2) * w.dim(3);
  const Plane in{x.dim(2), x.dim(3)}, out{output.dim(2), output.dim(3)};
  std::vector<uint32_t> sums(static_cast<size_t>(out.h * out.w));
  const auto add_plane = [&](int64_t n, int64_t o) {
    std::fill(sums.begin(), sums.end(), uint32_t{0});
    for (int64_t c = 0; c < group_ic; ++c) {
      const int64_t channel = o / group_oc * group_ic + c;
      scatter<int8_t, int32_t>(
          attrs, x.data<int8_t>().data() + (n * ic + channel) * in.h * in.w, in,
          w.data<int8_t>().data() + (channel * group_oc + o % group_oc) * taps, out, sums.data());
    }
  };
  with_result(attrs, inputs, output, [&](auto* result, const auto& conversions) {
    for (int64_t plane = 0; plane < x.dim(0) * oc; ++plane) {
      const int64_t o = plane % oc;
      add_plane(plane / oc, o);
      for (uint32_t sum : sums)
        *result++ = conversions[static_cast<size_t>(o)](static_cast<int32_t>(sum));
    }
  });
}

}  // namespace vta::host
