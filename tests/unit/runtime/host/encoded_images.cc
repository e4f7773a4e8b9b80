// SPDX-License-Identifier: Apache-2.0
// clang-format off: jpeglib.h needs size_t and FILE before it
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include "tests/unit/runtime/host/encoded_images.h"

#include <webp/encode.h>
#include <zlib.h>

#include <cstdlib>

#include "base/files/checksum.h"

namespace vta::test {
namespace {

void append_big_endian(std::vector<uint8_t>& bytes, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<uint8_t>(value >> shift));
}

}  // namespace

PngBuilder::PngBuilder() : bytes_{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'} {}

PngBuilder& PngBuilder::header(uint32_t width, uint32_t height, int bits, int color_type) {
  std::vector<uint8_t> content;
  append_big_endian(content, width);
  append_big_endian(content, height);
  content.insert(content.end(),
                 {static_cast<uint8_t>(bits), static_cast<uint8_t>(color_type), 0, 0, 0});
  return chunk("IHDR", content);
}

PngBuilder& PngBuilder::chunk(const std::string& type, const std::vector<uint8_t>& content) {
  append_big_endian(bytes_, static_cast<uint32_t>(content.size()));
  const size_t start = bytes_.size();
  bytes_.insert(bytes_.end(), type.begin(), type.end());
  bytes_.insert(bytes_.end(), content.begin(), content.end());
  append_big_endian(bytes_, crc32(std::span(bytes_).subspan(start)));
  return *this;
}

PngBuilder& PngBuilder::pixels(const std::vector<uint8_t>& rows, uint32_t height) {
  const size_t row_bytes = rows.size() / height;
  std::vector<uint8_t> filtered;
  for (uint32_t y = 0; y < height; ++y) {
    filtered.push_back(0);
    filtered.insert(filtered.end(), rows.begin() + y * row_bytes,
                    rows.begin() + (y + 1) * row_bytes);
  }
  uLongf size = compressBound(filtered.size());
  std::vector<uint8_t> compressed(size);
  compress(compressed.data(), &size, filtered.data(), filtered.size());
  compressed.resize(size);
  return chunk("IDAT", compressed);
}

std::vector<uint8_t> PngBuilder::finish() {
  chunk("IEND", {});
  return bytes_;
}

std::vector<uint8_t> encode_jpeg(const std::vector<uint8_t>& pixels, uint32_t width,
                                 uint32_t height, int components, bool progressive) {
  jpeg_compress_struct state;
  jpeg_error_mgr errors;
  state.err = jpeg_std_error(&errors);
  jpeg_create_compress(&state);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&state, &buffer, &size);
  state.image_width = width;
  state.image_height = height;
  state.input_components = components;
  state.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, 95, TRUE);
  if (progressive) jpeg_simple_progression(&state);
  jpeg_start_compress(&state, TRUE);
  while (state.next_scanline < height) {
    auto* row =
        const_cast<uint8_t*>(pixels.data()) + size_t{state.next_scanline} * width * components;
    jpeg_write_scanlines(&state, &row, 1);
  }
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  const std::vector<uint8_t> bytes(buffer, buffer + size);
  std::free(buffer);
  return bytes;
}

std::vector<uint8_t> encode_webp(const std::vector<uint8_t>& rgb, uint32_t width, uint32_t height) {
  uint8_t* output = nullptr;
  const size_t size =
      WebPEncodeLosslessRGB(rgb.data(), static_cast<int>(width), static_cast<int>(height),
                            static_cast<int>(3 * width), &output);
  const std::vector<uint8_t> bytes(output, output + size);
  WebPFree(output);
  return bytes;
}

std::vector<uint8_t> encode_bmp(int32_t width, int32_t height, uint16_t bits,
                                const std::vector<uint8_t>& rows,
                                const std::vector<uint8_t>& palette) {
  std::vector<uint8_t> bytes = {'B', 'M'};
  const auto append = [&](uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
  };
  const auto offset_bytes = static_cast<uint32_t>(54 + palette.size());
  append(offset_bytes + static_cast<uint32_t>(rows.size()), 4);
  append(0, 4);
  append(offset_bytes, 4);
  append(40, 4);
  append(static_cast<uint32_t>(width), 4);
  append(static_cast<uint32_t>(height), 4);
  append(1, 2);
  append(bits, 2);
  for (int i = 0; i < 4; ++i) append(0, 4);
  append(static_cast<uint32_t>(palette.size() / 4), 4);
  append(0, 4);
  bytes.insert(bytes.end(), palette.begin(), palette.end());
  bytes.insert(bytes.end(), rows.begin(), rows.end());
  return bytes;
}

std::vector<uint8_t> exif_with_orientation(uint8_t orientation, bool big_endian) {
  std::vector<uint8_t> bytes;
  const auto append = [&](uint32_t value, int count) {
    for (int i = 0; i < count; ++i)
      bytes.push_back(static_cast<uint8_t>(value >> 8 * (big_endian ? count - 1 - i : i)));
  };
  bytes.assign(2, big_endian ? 'M' : 'I');
  append(42, 2);
  append(8, 4);       // the first directory
  append(2, 2);       // of two entries
  append(0x010f, 2);  // the maker, before the orientation
  append(2, 2);
  append(4, 4);
  append(0, 4);
  append(0x0112, 2);
  append(3, 2);
  append(1, 4);
  append(orientation, 2);
  append(0, 2);
  append(0, 4);  // no further directory
  return bytes;
}

std::vector<uint8_t> with_exif(const std::vector<uint8_t>& file, const std::vector<uint8_t>& exif) {
  std::vector<uint8_t> bytes = file;
  if (file[0] == 0xff) {
    const size_t length = 2 + 6 + exif.size();
    std::vector<uint8_t> segment = {0xff,
                                    0xe1,
                                    static_cast<uint8_t>(length >> 8),
                                    static_cast<uint8_t>(length),
                                    'E',
                                    'x',
                                    'i',
                                    'f',
                                    0,
                                    0};
    segment.insert(segment.end(), exif.begin(), exif.end());
    bytes.insert(bytes.begin() + 2, segment.begin(), segment.end());
    return bytes;
  }
  bytes.insert(bytes.end(), {'E', 'X', 'I', 'F'});
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(exif.size() >> 8 * i));
  bytes.insert(bytes.end(), exif.begin(), exif.end());
  const size_t riff_bytes = bytes.size() - 8;
  for (int i = 0; i < 4; ++i) bytes[4 + i] = static_cast<uint8_t>(riff_bytes >> 8 * i);
  return bytes;
}

}  // namespace vta::test
