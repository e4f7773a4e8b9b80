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

#include "runtime/tensor/image_spec.h"
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

// How resize() computes a pixel of the result; see ImageSpec. Bilinear and bicubic are antialiased:
// where an axis shrinks, the filter is stretched by the same factor.
enum class Filter { kBilinear, kBicubic, kNearest };
Filter filter_from_string(const std::string& text);  // Errors: kInvalidArgument

// Bit by bit what Pillow's resize() gives with BILINEAR, BICUBIC or NEAREST: first along rows, then
// along columns, rounded to 8 bits after each.
// Errors: kInvalidArgument for a size below 1 or above kMaxImagePixels.
Image resize(const Image& image, int64_t width, int64_t height, Filter filter = Filter::kBilinear);

// A PNG file of the picture: 8 bits a channel.
std::vector<uint8_t> encode_png(const Image& image);

// Where the picture lies in the input: a point (x, y) of the picture, in pixels from its upper left
// corner, is at (x * scale_x + left, y * scale_y + top) of the input.
struct Placement {
  double scale_x = 1, scale_y = 1;
  double left = 0, top = 0;
};
Placement placement(int64_t picture_width, int64_t picture_height, const ImageSpec& spec,
                    int64_t height, int64_t width);

// float32 [1, channels, height, width].
// Errors: those of check(spec, channels); kInvalidArgument if the crop is larger than the resized
// picture.
Tensor preprocess(const Image& image, const ImageSpec& spec, int64_t channels, int64_t height,
                  int64_t width);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_IMAGE_H_
