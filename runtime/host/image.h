// SPDX-License-Identifier: Apache-2.0
//
// Pictures as network inputs.
#ifndef VTA_RUNTIME_HOST_IMAGE_H_
#define VTA_RUNTIME_HOST_IMAGE_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta::host {

struct Image {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> rgb;  // [height][width][3]
};

inline constexpr int64_t kMaxImagePixels = int64_t{64} << 20;

// JPEG or PNG, told by its first bytes. Gray and palettes become RGB, 16-bit samples 8-bit ones;
// alpha is dropped, as in Pillow's convert("RGB"). Errors: kNotFound; kCorrupt (truncated or
// damaged: a warning of the decoder counts as damage); kUnsupported (another format, a CMYK JPEG,
// more than kMaxImagePixels), naming the file.
Image read_image(const std::filesystem::path& path);

// The same from bytes; messages call them `name`.
Image decode_image(std::span<const uint8_t> bytes, const std::string& name);

// Bilinear, antialiased: where an axis shrinks, the triangle filter is stretched by the same
// factor. Bit by bit what Pillow's resize(BILINEAR) gives: first along rows, then along columns,
// rounded to 8 bits after each. Errors: kInvalidArgument for a size below 1 or above
// kMaxImagePixels.
Image resize(const Image& image, int64_t width, int64_t height);

// Numbers that become an input tensor as ImageSpec (runtime/program) describes them.
struct Preprocessing {
  int64_t resize_short_side =
      0;  // 0: resize straight to the input's size; else the shorter side to this,
          // then crop the centre (an odd rest is left at the right and bottom)
  std::string channels = "rgb";  // "rgb", "bgr", "gray" (Pillow's luma: .299 R + .587 G + .114 B)
  double scale = 1;              // value = (pixel * scale - mean[c]) / stddev[c]
  std::vector<double> mean, stddev;  // one a channel; none: 0 and 1
};

// float32 [1, channels, height, width].
// Errors: kInvalidArgument, naming the field, if the numbers of channels differ, a stddev is 0, or
// the crop is larger than the resized picture.
Tensor preprocess(const Image& image, const Preprocessing& spec, int64_t channels, int64_t height,
                  int64_t width);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_IMAGE_H_
