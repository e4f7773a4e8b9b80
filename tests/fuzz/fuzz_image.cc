// SPDX-License-Identifier: Apache-2.0
//
// JPEG, PNG, WebP and BMP files. The checksums of a PNG file's chunks are corrected first, because
// they reject nearly every change.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/errors/error.h"
#include "base/files/checksum.h"
#include "runtime/host/image.h"

namespace {

constexpr uint8_t kPngStart[] = {0x89, 'P', 'N', 'G'};
constexpr size_t kFirstChunkAt = 8;
constexpr size_t kChunkFrameBytes = 12;  // length, type, CRC-32

void fix_checksums(std::vector<uint8_t>& png) {
  for (size_t at = kFirstChunkAt; at + kChunkFrameBytes <= png.size();) {
    const uint32_t length = uint32_t{png[at]} << 24 | uint32_t{png[at + 1]} << 16 |
                            uint32_t{png[at + 2]} << 8 | uint32_t{png[at + 3]};
    if (length > png.size() - at - kChunkFrameBytes) return;
    const uint32_t crc = vta::crc32(std::span(png).subspan(at + 4, size_t{length} + 4));
    at += kChunkFrameBytes + length;
    for (int i = 0; i < 4; ++i) png[at - 4 + i] = static_cast<uint8_t>(crc >> (24 - 8 * i));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file(data, data + size);
  if (file.size() >= 4 && std::equal(file.begin(), file.begin() + 4, kPngStart))
    fix_checksums(file);
  try {
    const vta::host::Image image = vta::host::decode_image(file, "input");
    if (image.rgb.size() != static_cast<size_t>(image.width * image.height * 3)) std::abort();
  } catch (const vta::Error&) {
  }
  return 0;
}
