// SPDX-License-Identifier: Apache-2.0
//
// Uncompressed BMP files with 1, 4, 8, 16, 24 or 32 bits per pixel. Debian has no small library for
// this format.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/errors/error.h"
#include "runtime/host/image_formats.h"

namespace vta::host {
namespace {

constexpr size_t kFileHeaderBytes = 14, kCoreHeaderBytes = 12, kInfoHeaderBytes = 40;
constexpr uint32_t kUncompressed = 0, kBitFields = 3, kAlphaBitFields = 6;
constexpr std::array<uint32_t, 6> kBits = {1, 4, 8, 16, 24, 32};

struct Header {
  uint32_t header_bytes = 0, pixels_offset_bytes = 0, bits = 0, compression = 0, num_colors = 0;
  int64_t width = 0, height = 0;
  bool top_down = false;
  std::array<uint32_t, 3> masks{};  // of red, green and blue, for 16 and 32 bits
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint32_t number(size_t offset, size_t count) const {
    require(offset, count);
    uint32_t value = 0;
    for (size_t i = count; i-- > 0;) value = value << 8 | bytes_[offset + i];
    return value;
  }
  void require(size_t offset, size_t count) const {
    if (offset <= bytes_.size() && count <= bytes_.size() - offset) return;
    fail(ErrorCode::kCorrupt, "BMP: truncated: {} bytes at byte {} of {}", count, offset,
         bytes_.size());
  }
  const uint8_t* at(size_t offset) const { return bytes_.data() + offset; }

 private:
  const std::span<const uint8_t> bytes_;
};

void read_masks(const Reader& file, Header& header) {
  const size_t first = kFileHeaderBytes + kInfoHeaderBytes;  // after it, or in a longer header
  if (header.compression == kUncompressed) {
    header.masks = header.bits == 16 ? std::array<uint32_t, 3>{0x7c00, 0x3e0, 0x1f}
                                     : std::array<uint32_t, 3>{0xff0000, 0xff00, 0xff};
    return;
  }
  for (size_t c = 0; c < 3; ++c) header.masks[c] = file.number(first + 4 * c, 4);
}

Header read_header(const Reader& file) {
  Header header;
  header.pixels_offset_bytes = file.number(10, 4);
  header.header_bytes = file.number(kFileHeaderBytes, 4);
  const size_t fields = kFileHeaderBytes + 4;
  if (header.header_bytes == kCoreHeaderBytes) {
    header.width = file.number(fields, 2);
    header.height = file.number(fields + 2, 2);
    header.bits = file.number(fields + 6, 2);
  } else if (header.header_bytes >= kInfoHeaderBytes) {
    header.width = static_cast<int32_t>(file.number(fields, 4));
    header.height = static_cast<int32_t>(file.number(fields + 4, 4));
    header.bits = file.number(fields + 10, 2);
    header.compression = file.number(fields + 12, 4);
    header.num_colors = file.number(fields + 28, 4);
  } else {
    fail(ErrorCode::kUnsupported, "BMP: a header of {} bytes", header.header_bytes);
  }
  header.top_down = header.height < 0;
  if (header.top_down) header.height = -header.height;
  if (std::ranges::find(kBits, header.bits) == kBits.end())
    fail(ErrorCode::kUnsupported, "BMP: {} bits per pixel", header.bits);
  const bool has_masks = header.bits == 16 || header.bits == 32;
  const bool has_bit_fields =
      header.compression == kBitFields || header.compression == kAlphaBitFields;
  if (header.compression != kUncompressed && !(has_masks && has_bit_fields)) {
    fail(ErrorCode::kUnsupported, "BMP: compression {} of {} bits per pixel", header.compression,
         header.bits);
  }
  if (has_masks) read_masks(file, header);
  return header;
}

// The value of a mask's bits, from 0 to 255.
uint8_t component(uint32_t pixel, uint32_t mask) {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask);
  const uint64_t max = mask >> shift, value = (pixel & mask) >> shift;
  return static_cast<uint8_t>((value * 255 + max / 2) / max);
}

class Decoder {
 public:
  explicit Decoder(std::span<const uint8_t> bytes) : file_(bytes), header_(read_header(file_)) {
    check_image_size(header_.width, header_.height);
    if (header_.bits <= 8) read_palette();
  }

  Image decode() && {
    const size_t row_bytes = (static_cast<size_t>(header_.width) * header_.bits + 31) / 32 * 4;
    file_.require(header_.pixels_offset_bytes, row_bytes * static_cast<size_t>(header_.height));
    image_ = image_of_size(header_.width, header_.height);  // after the file's size was checked
    for (int64_t y = 0; y < header_.height; ++y) {
      const int64_t stored = header_.top_down ? y : header_.height - 1 - y;
      decode_row(header_.pixels_offset_bytes + static_cast<size_t>(stored) * row_bytes,
                 &image_.rgb[static_cast<size_t>(3 * y * header_.width)]);
    }
    return std::move(image_);
  }

 private:
  void read_palette() {
    const bool is_core = header_.header_bytes == kCoreHeaderBytes;
    const size_t entry_bytes = is_core ? 3 : 4, max = size_t{1} << header_.bits;
    const size_t count = header_.num_colors == 0 ? max : std::min<size_t>(header_.num_colors, max);
    const size_t first = kFileHeaderBytes + header_.header_bytes;
    file_.require(first, count * entry_bytes);
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* const bgr = file_.at(first + i * entry_bytes);
      palette_[i] = {bgr[2], bgr[1], bgr[0]};
    }
    num_colors_ = count;
  }

  void decode_row(size_t offset, uint8_t* rgb) {
    const uint8_t* const row = file_.at(offset);
    for (int64_t x = 0; x < header_.width; ++x, rgb += 3) {
      if (header_.bits <= 8) {
        const auto bit = static_cast<size_t>(x) * header_.bits;
        const uint32_t index =
            row[bit / 8] >> (8 - header_.bits - bit % 8) & ((1u << header_.bits) - 1);
        if (index >= num_colors_)
          fail(ErrorCode::kCorrupt, "BMP: color {} of {}", index, num_colors_);
        std::copy_n(palette_[index].begin(), 3, rgb);
      } else if (header_.bits == 24) {
        for (int c = 0; c < 3; ++c) rgb[c] = row[3 * x + 2 - c];
      } else {
        const uint32_t pixel =
            file_.number(offset + static_cast<size_t>(x) * header_.bits / 8, header_.bits / 8);
        for (int c = 0; c < 3; ++c)
          rgb[c] = component(pixel, header_.masks[static_cast<size_t>(c)]);
      }
    }
  }

  const Reader file_;
  const Header header_;
  Image image_;
  std::array<std::array<uint8_t, 3>, 256> palette_{};
  size_t num_colors_ = 0;
};

}  // namespace

Image decode_bmp(std::span<const uint8_t> bytes) { return Decoder(bytes).decode(); }

}  // namespace vta::host
