// SPDX-License-Identifier: Apache-2.0
//
// Preprocessing: how an image becomes the input of a network. Network files, program files and
// runtime/host share these fields.
#ifndef VTA_RUNTIME_TENSOR_IMAGE_SPEC_H_
#define VTA_RUNTIME_TENSOR_IMAGE_SPEC_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vta {

// First the image is fitted to the input's height and width in one of four ways:
//   none of the three below   resized straight to it
//   resize_short_side > 0     the shorter side resized to this many pixels, then the centre cropped
//   resize {h, w} > 0         resized to h by w, then the centre cropped
//   letterbox                 resized as far as both sides fit, centred, the rest of this value
// (Of an odd rest the larger half is left at the right and at the bottom.) Then each value of the
// tensor is (pixel * scale - mean[c]) / stddev[c] with pixels from 0 to 255.
struct ImageSpec {
  int64_t resize_short_side = 0;
  std::string channels = "rgb";            // "rgb", "bgr", "gray" (Pillow's luma)
  double scale = 1;                        // of pixels
  std::vector<double> mean, stddev;        // one a channel; none: 0 and 1
  std::string filter = "bilinear";         // "bilinear", "bicubic" (both antialiased), "nearest"
  std::array<int64_t, 2> resize = {0, 0};  // h, w; zeros: not asked for
  std::optional<int64_t> letterbox;        // 0 to 255

  bool operator==(const ImageSpec&) const = default;
};

// Errors: kInvalidArgument, naming the field, unless every field has a legal value and they fit an
// input of `channels` channels.
void check(const ImageSpec& spec, int64_t channels);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_IMAGE_SPEC_H_
