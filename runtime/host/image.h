// SPDX-License-Identifier: Apache-2.0
//
// Images: decoding, resizing and preprocessing to network inputs.
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

// Reads a JPEG, PNG, WebP or BMP file; its first bytes tell the format. Gray, palette and CMYK
// images become RGB, 16-bit samples become 8-bit; alpha is dropped, as in Pillow's convert("RGB").
// An image that a camera stored rotated or mirrored (EXIF) becomes upright, as with Pillow's
// exif_transpose().
// Errors, naming the file: kNotFound; kCorrupt (truncated or damaged; a decoder warning counts as
// damage); kUnsupported (another format, an animation, a compressed BMP, more than
// kMaxImagePixels).
Image read_image(const std::filesystem::path& path);

// Decodes a file in memory; `name` names it in messages.
Image decode_image(std::span<const uint8_t> bytes, const std::string& name);

// Resampling filters; see ImageSpec. Bilinear and bicubic are antialiased: when an axis shrinks,
// the filter is widened by the same factor.
enum class Filter { kBilinear, kBicubic, kNearest };
Filter filter_from_string(const std::string& text);  // Errors: kInvalidArgument

// Bit-exact with Pillow's resize() with BILINEAR, BICUBIC or NEAREST: first along rows, then along
// columns, rounded to 8 bits after each.
// Errors: kInvalidArgument for a size below 1 or above kMaxImagePixels.
Image resize(const Image& image, int64_t width, int64_t height, Filter filter = Filter::kBilinear);

// A PNG file with 8 bits per channel.
std::vector<uint8_t> encode_png(const Image& image);

// The position of the image in the input: the point (x, y) of the image, in pixels from its upper
// left corner, is at (x * scale_x + left, y * scale_y + top) in the input.
struct Placement {
  double scale_x = 1, scale_y = 1;
  double left = 0, top = 0;
};
Placement placement(int64_t image_width, int64_t image_height, const ImageSpec& spec,
                    int64_t height, int64_t width);

// The network input, float32 of `shape`: [1, c, h, w], or [1, h, w, c] if spec.layout is "nhwc".
// Errors: as check(spec, channels); kInvalidArgument if the crop is larger than the resized image.
Tensor preprocess(const Image& image, const ImageSpec& spec, const std::vector<int64_t>& shape);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_IMAGE_H_
