// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_COMPILER_LOWER_DEPTHWISE_SHAPE_H_
#define VTA_TESTS_UNIT_COMPILER_LOWER_DEPTHWISE_SHAPE_H_

#include <cstdint>

#include "compiler/lower/conv_shape.h"

namespace vta::test {

// A depthwise convolution of `blocks` blocks of 16 channels, whose results have `size` / `stride`
// rows and columns.
inline lower::ConvShape depthwise_shape(int64_t blocks, int64_t size, int64_t kernel = 3,
                                        int64_t stride = 1) {
  lower::ConvShape shape;
  shape.ic_blocks = shape.oc_blocks = blocks;
  shape.groups = 16 * blocks;
  shape.group_ic = shape.group_oc = 1;
  shape.block = 16;
  for (lower::ConvAxis* axis : {&shape.rows, &shape.columns}) {
    axis->in = size;
    axis->out = (size - 1) / stride + 1;
    axis->kernel = kernel;
    axis->stride = stride;
    axis->pad = kernel / 2;
  }
  return shape;
}

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_COMPILER_LOWER_DEPTHWISE_SHAPE_H_
