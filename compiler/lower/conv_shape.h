// SPDX-License-Identifier: Apache-2.0
//
// A convolution as the core sees it: channels in blocks, images in groups of `batch`. A dense layer
// is one over a 1x1 image.
#ifndef VTA_COMPILER_LOWER_CONV_SHAPE_H_
#define VTA_COMPILER_LOWER_CONV_SHAPE_H_

#include <compare>
#include <cstdint>

#include "configs/core_config.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::lower {

struct ConvShape {
  int64_t image_groups = 1, ic_blocks = 1, oc_blocks = 1;
  int64_t ih = 1, iw = 1, oh = 1, ow = 1;
  int64_t kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1;
  int64_t pad_top = 0, pad_left = 0;

  auto operator<=>(const ConvShape&) const = default;
};

// Of a qconv2d or qdense with input `src` and result `dst`.
ConvShape conv_shape_of(OpKind kind, const OpAttrs& attrs, const TensorType& src,
                        const TensorType& dst, const CoreConfig& core);

// `count` positions first, first + step, ... of which those in [0, limit) exist and the others are
// padding.
struct ClippedRange {
  int64_t before = 0, size = 0, after = 0;
  int64_t begin = 0;  // the first position that exists, if size > 0
};
ClippedRange clip_range(int64_t first, int64_t step, int64_t count, int64_t limit);

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_SHAPE_H_
