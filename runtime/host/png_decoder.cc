// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include <cstring>

#include "base/errors/error.h"
#include "base/files/checksum.h"
#include "runtime/host/image_formats.h"

namespace vta::host {
namespace {

constexpr size_t kSignatureBytes = 8;
constexpr size_t kChunkFrameBytes = 12;  // length, type, CRC-32
constexpr uint64_t kMaxDeflateRatio = 1032;

uint32_t big_endian(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
}

// Checks every chunk up to IEND: libpng ignores damage in chunks that it does not need. Returns the
// size of the compressed pixels.
uint64_t check_chunks(std::span<const uint8_t> bytes) {
  size_t offset = kSignatureBytes;
  uint64_t compressed_bytes = 0;
  while (true) {
    if (bytes.size() - offset < kChunkFrameBytes) {
      fail(ErrorCode::kCorrupt, "PNG: truncated: no complete chunk at byte {} of {}", offset,
           bytes.size());
    }
    const uint8_t* chunk = bytes.data() + offset;
    const uint32_t length = big_endian(chunk);
    if (length > bytes.size() - offset - kChunkFrameBytes) {
      fail(ErrorCode::kCorrupt, "PNG: truncated: the chunk at byte {} has {} bytes, the file {}",
           offset, length, bytes.size());
    }
    if (crc32({chunk + 4, size_t{length} + 4}) != big_endian(chunk + 8 + length)) {
      fail(ErrorCode::kCorrupt, "PNG: wrong CRC-32 of the chunk at byte {}", offset);
    }
    offset += kChunkFrameBytes + length;
    if (std::memcmp(chunk + 4, "IDAT", 4) == 0) compressed_bytes += length;
    if (std::memcmp(chunk + 4, "IEND", 4) == 0) return compressed_bytes;
  }
}

// Limits the memory that a small file can request: deflate's maximum expansion, at one bit per
// pixel.
void check_size(const png_image& image, uint64_t compressed_bytes) {
  check_image_size(image.width, image.height);
  const uint64_t pixels = uint64_t{image.width} * image.height;
  if (pixels / 8 > compressed_bytes * kMaxDeflateRatio) {
    fail(ErrorCode::kCorrupt, "PNG: {} compressed bytes are too few for {} x {} pixels",
         compressed_bytes, image.width, image.height);
  }
}

struct Reader {
  png_image image = {};
  ~Reader() { png_image_free(&image); }
  // libpng's simplified interface catches its own errors and sets this message.
  void require(int success) const {
    if (success == 0) fail(ErrorCode::kCorrupt, "PNG: {}", image.message);
  }
};

}  // namespace

Image decode_png(std::span<const uint8_t> bytes) {
  const uint64_t compressed_bytes = check_chunks(bytes);
  Reader reader;
  reader.image.version = PNG_IMAGE_VERSION;
  reader.require(png_image_begin_read_from_memory(&reader.image, bytes.data(), bytes.size()));
  check_size(reader.image, compressed_bytes);
  Image image = image_of_size(reader.image.width, reader.image.height);
  // Without a gAMA chunk, 16-bit samples are sRGB like 8-bit ones, not linear light.
  reader.image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  // Alpha is read, then dropped: for RGB, libpng would blend with a background.
  reader.image.format = PNG_FORMAT_RGBA;
  std::vector<uint8_t> rgba(PNG_IMAGE_SIZE(reader.image));
  reader.require(png_image_finish_read(&reader.image, nullptr, rgba.data(), 0, nullptr));
  for (size_t i = 0; i < image.rgb.size() / 3; ++i) std::memcpy(&image.rgb[3 * i], &rgba[4 * i], 3);
  return image;
}

}  // namespace vta::host
