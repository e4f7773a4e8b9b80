// SPDX-License-Identifier: Apache-2.0
//
// Image files in memory, for tests of the decoders.
#ifndef VTA_TESTS_UNIT_RUNTIME_HOST_ENCODED_IMAGES_H_
#define VTA_TESTS_UNIT_RUNTIME_HOST_ENCODED_IMAGES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace vta::test {

// Builds PNG files of every kind, also invalid ones.
class PngBuilder {
 public:
  PngBuilder();
  // IHDR. `color_type`: 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA.
  PngBuilder& header(uint32_t width, uint32_t height, int bits, int color_type);
  PngBuilder& chunk(const std::string& type, const std::vector<uint8_t>& content);
  // IDAT: `rows` are the pixels by row, without filter bytes.
  PngBuilder& pixels(const std::vector<uint8_t>& rows, uint32_t height);
  std::vector<uint8_t> finish();

 private:
  std::vector<uint8_t> bytes_;
};

// `components`: 1 gray, 3 RGB, 4 CMYK; `pixels` has as many bytes per pixel.
std::vector<uint8_t> encode_jpeg(const std::vector<uint8_t>& pixels, uint32_t width,
                                 uint32_t height, int components, bool progressive = false);

// Lossless; `rgb` has 3 bytes per pixel.
std::vector<uint8_t> encode_webp(const std::vector<uint8_t>& rgb, uint32_t width, uint32_t height);

// `rows`: as stored, padded to 4 bytes each, from the bottom to the top unless `height` is
// negative. `palette`: blue, green, red, 0 for each color.
std::vector<uint8_t> encode_bmp(int32_t width, int32_t height, uint16_t bits,
                                const std::vector<uint8_t>& rows,
                                const std::vector<uint8_t>& palette = {});

// EXIF data with this orientation.
std::vector<uint8_t> exif_with_orientation(uint8_t orientation, bool big_endian);

// A JPEG or WebP file with EXIF data.
std::vector<uint8_t> with_exif(const std::vector<uint8_t>& file, const std::vector<uint8_t>& exif);

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_RUNTIME_HOST_ENCODED_IMAGES_H_
