// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/orientation.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace vta::host {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr uint32_t kOrientationTag = 0x0112, kTypeShort = 3;
constexpr size_t kEntryBytes = 12;  // of a TIFF directory

bool starts_with(Bytes bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

// Unsigned numbers of either byte order; 0 beyond the end.
struct Numbers {
  Bytes bytes;
  bool big_endian = false;

  uint32_t at(size_t offset, size_t count) const {
    if (offset > bytes.size() || count > bytes.size() - offset) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i)
      value = value << 8 | bytes[offset + (big_endian ? i : count - 1 - i)];
    return value;
  }
};

Bytes from(Bytes bytes, size_t offset) { return bytes.subspan(std::min(offset, bytes.size())); }

// The EXIF data of each format; empty without any.
Bytes exif_of_jpeg(Bytes file) {
  constexpr std::string_view kExif("Exif\0\0", 6);
  const Numbers numbers{file, true};
  for (size_t offset = 2; numbers.at(offset, 1) == 0xff;) {
    const uint32_t marker = numbers.at(offset + 1, 1), length = numbers.at(offset + 2, 2);
    if (marker == 0xda || length < 2) break;  // start of scan
    const Bytes content =
        from(file, offset + 4).first(std::min<size_t>(length - 2, from(file, offset + 4).size()));
    if (marker == 0xe1 && starts_with(content, kExif)) return content.subspan(kExif.size());
    offset += 2 + size_t{length};
  }
  return {};
}

// Chunks with a name and a length, in either order, and `trailer_bytes` after the content.
Bytes exif_of_chunks(Bytes file, size_t first, bool png) {
  const std::string_view name = png ? "eXIf" : "EXIF";
  const size_t name_offset = png ? 4 : 0, trailer_bytes = png ? 4 : 0;
  const Numbers numbers{file, png};
  for (size_t offset = first; offset + 8 <= file.size();) {
    const uint32_t length = numbers.at(offset + 4 - name_offset, 4);
    const Bytes content =
        from(file, offset + 8).first(std::min<size_t>(length, from(file, offset + 8).size()));
    if (starts_with(from(file, offset + name_offset), name)) return content;
    // Truncated. Where size_t has 32 bits, the offset would wrap.
    if (content.size() < length) break;
    offset += 8 + size_t{length} + trailer_bytes + (png ? 0 : length % 2);
  }
  return {};
}

}  // namespace

int exif_orientation(Bytes tiff) {
  const bool big_endian = starts_with(tiff, std::string_view("MM\0*", 4));
  if (!big_endian && !starts_with(tiff, std::string_view("II*\0", 4))) return kOrientationAsStored;
  const Numbers numbers{tiff, big_endian};
  const size_t directory = numbers.at(4, 4);
  const uint32_t num_entries = numbers.at(directory, 2);
  for (uint32_t i = 0; i < num_entries; ++i) {
    const size_t entry = directory + 2 + i * kEntryBytes;
    if (entry >= tiff.size()) break;
    if (numbers.at(entry, 2) != kOrientationTag || numbers.at(entry + 2, 2) != kTypeShort) continue;
    const uint32_t value = numbers.at(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : kOrientationAsStored;
  }
  return kOrientationAsStored;
}

int orientation_of(Bytes file) {
  if (starts_with(file, "\xff\xd8")) return exif_orientation(exif_of_jpeg(file));
  if (starts_with(file, "\x89PNG")) return exif_orientation(exif_of_chunks(file, 8, true));
  if (!starts_with(file, "RIFF")) return kOrientationAsStored;
  Bytes exif = exif_of_chunks(file, 12, false);
  constexpr std::string_view kExif("Exif\0\0", 6);  // which some writers repeat
  if (starts_with(exif, kExif)) exif = exif.subspan(kExif.size());
  return exif_orientation(exif);
}

Image upright(Image stored, int orientation) {
  if (orientation == kOrientationAsStored) return stored;
  const bool exchanged = orientation >= 5;
  const bool mirrored =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool flipped = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image image{stored.width, stored.height, {}};
  if (exchanged) std::swap(image.width, image.height);
  image.rgb.resize(stored.rgb.size());
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 0; x < image.width; ++x) {
      int64_t from_x = exchanged ? y : x, from_y = exchanged ? x : y;
      if (mirrored) from_x = stored.width - 1 - from_x;
      if (flipped) from_y = stored.height - 1 - from_y;
      std::copy_n(&stored.rgb[static_cast<size_t>(3 * (from_y * stored.width + from_x))], 3,
                  &image.rgb[static_cast<size_t>(3 * (y * image.width + x))]);
    }
  }
  return image;
}

}  // namespace vta::host
