// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_shape.h"

#include <algorithm>

namespace vta::lower {

ConvShape conv_shape_of(OpKind kind, const OpAttrs& attrs, const TensorType& src,
                        const TensorType& dst, const CoreConfig& core) {
  ConvShape s;
  s.image_groups = ceil_div(src.shape[0], core.batch);
  s.ic_blocks = ceil_div(src.shape[1], core.block_in);
  s.oc_blocks = ceil_div(dst.shape[1], core.block_out);
  if (kind == OpKind::kQDense) return s;
  s.ih = src.shape[2];
  s.iw = src.shape[3];
  s.oh = dst.shape[2];
  s.ow = dst.shape[3];
  s.kh = attrs.kernel[0];
  s.kw = attrs.kernel[1];
  s.sh = attrs.stride[0];
  s.sw = attrs.stride[1];
  s.dh = attrs.dilation[0];
  s.dw = attrs.dilation[1];
  s.pad_top = attrs.pad[0];
  s.pad_left = attrs.pad[1];
  return s;
}

ClippedRange clip_range(int64_t first, int64_t step, int64_t count, int64_t limit) {
  ClippedRange range;
  range.before = first >= 0 ? 0 : std::min(count, ceil_div(-first, step));
  const int64_t inside = first >= limit ? 0 : std::min(count, ceil_div(limit - first, step));
  range.size = std::max<int64_t>(0, inside - range.before);
  range.after = count - range.before - range.size;
  range.begin = first + range.before * step;
  return range;
}

}  // namespace vta::lower
