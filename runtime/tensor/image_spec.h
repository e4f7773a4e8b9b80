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

// The image is first fitted to the input's height and width in one of four ways:
//   none of the following     resized directly
//   resize_short_side > 0     the shorter side resized to this many pixels, then center-cropped
//   resize {h, w} > 0         resized to h by w, then center-cropped
//   letterbox                 resized until both sides fit, centred, padded with this value
// (If the padding or crop is odd, the right and the bottom get the larger half.) Then each value of
// the tensor is (pixel * scale - mean[c]) / stddev[c], with pixels from 0 to 255.
struct ImageSpec {
  int64_t resize_short_side = 0;
  std::string channels = "rgb";            // "rgb", "bgr", "gray" (Pillow's luma)
  double scale = 1;                        // pixel scale
  std::vector<double> mean, stddev;        // one per channel; empty: 0 and 1
  std::string filter = "bilinear";         // "bilinear", "bicubic" (both antialiased), "nearest"
  std::array<int64_t, 2> resize = {0, 0};  // h, w; zeros: none
  std::optional<int64_t> letterbox;        // 0 to 255
  std::string layout = "nchw";             // of the input: "nchw", or "nhwc": [n, h, w, c]

  bool operator==(const ImageSpec&) const = default;
};

// The sizes of an image input of shape [n, c, h, w] or, with layout "nhwc", [n, h, w, c].
struct ImageExtent {
  int64_t channels = 0, height = 0, width = 0;
};
ImageExtent image_extent(const ImageSpec& spec, const std::vector<int64_t>& shape);

// Validates the fields for an input of `channels` channels. Errors: kInvalidArgument, naming the
// field.
void check(const ImageSpec& spec, int64_t channels);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_IMAGE_SPEC_H_
