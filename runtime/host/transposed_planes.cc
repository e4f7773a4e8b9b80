// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/transposed_planes.h"

#include <algorithm>

#include "runtime/host/scatter.h"

namespace vta::host {

void scatter_planes(const Attrs<OpKind::kConv2dTranspose>& attrs, const Operands& inputs,
                    Tensor& output) {
  const Tensor &x = inputs[0], &w = inputs[1];
  const int64_t ic = x.dim(1), oc = output.dim(1), group_oc = w.dim(1);
  const int64_t group_ic = ic / attrs.groups, taps = w.dim(2) * w.dim(3);
  const Plane in{x.dim(2), x.dim(3)}, out{output.dim(2), output.dim(3)};
  float* sums = output.mutable_data<float>().data();
  for (int64_t plane = 0; plane < x.dim(0) * oc; ++plane, sums += out.h * out.w) {
    const int64_t n = plane / oc, o = plane % oc;
    if (inputs.size() == 3) std::fill_n(sums, out.h * out.w, inputs[2].data<float>()[o]);
    for (int64_t c = o / group_oc * group_ic; c < (o / group_oc + 1) * group_ic; ++c) {
      scatter<float, float>(attrs, x.data<float>().data() + (n * ic + c) * in.h * in.w, in,
                            w.data<float>().data() + (c * group_oc + o % group_oc) * taps, out,
                            sums);
    }
  }
}

}  // namespace vta::host
