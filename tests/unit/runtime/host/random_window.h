// SPDX-License-Identifier: Apache-2.0
//
// Random windows of convolutions, also ones that read nothing but padding.
#ifndef VTA_TESTS_UNIT_RUNTIME_HOST_RANDOM_WINDOW_H_
#define VTA_TESTS_UNIT_RUNTIME_HOST_RANDOM_WINDOW_H_

#include <algorithm>
#include <vector>

#include "base/numbers/random.h"
#include "runtime/tensor/op.h"

namespace vta::test {

// Strides and dilations are up to 3.
inline void set_random_window(Random& random, OpAttrs& attrs, int64_t max_kernel, int64_t max_pad) {
  for (size_t axis = 0; axis < 2; ++axis) {
    attrs.kernel[axis] = random.between(1, max_kernel);
    attrs.stride[axis] = random.between(1, 3);
    attrs.dilation[axis] = random.between(1, 3);
    attrs.pad[axis] = random.between(0, max_pad);
    attrs.pad[axis + 2] = random.between(0, max_pad);
  }
}

// [height, width] of an image whose padded size takes at least one window of `attrs`; up to
// `max_more` elements more.
inline std::vector<int64_t> random_image_size(Random& random, const OpAttrs& attrs,
                                              int64_t max_more) {
  std::vector<int64_t> size;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t window = (attrs.kernel[axis] - 1) * attrs.dilation[axis] + 1;
    const int64_t least = std::max<int64_t>(1, window - attrs.pad[axis] - attrs.pad[axis + 2]);
    size.push_back(least + random.between(0, max_more));
  }
  return size;
}

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_RUNTIME_HOST_RANDOM_WINDOW_H_
