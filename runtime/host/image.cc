// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/image.h"

#include <algorithm>
#include <array>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "runtime/host/image_formats.h"
#include "runtime/host/orientation.h"

namespace vta::host {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{256} << 20;
constexpr std::array<uint8_t, 8> kPngSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::array<uint8_t, 3> kJpegSignature = {0xff, 0xd8, 0xff};
constexpr std::array<uint8_t, 4> kWebpSignature = {'W', 'E', 'B', 'P'};  // after "RIFF" and a size
constexpr size_t kWebpSignatureOffset = 8;
constexpr std::array<uint8_t, 2> kBmpSignature = {'B', 'M'};

template <size_t kSize>
bool starts_with(std::span<const uint8_t> bytes, const std::array<uint8_t, kSize>& signature) {
  return bytes.size() >= kSize && std::equal(signature.begin(), signature.end(), bytes.begin());
}

Image decode(std::span<const uint8_t> bytes) {
  if (starts_with(bytes, kJpegSignature)) return decode_jpeg(bytes);
  if (starts_with(bytes, kPngSignature)) return decode_png(bytes);
  if (starts_with(bytes, kBmpSignature)) return decode_bmp(bytes);
  if (bytes.size() > kWebpSignatureOffset &&
      starts_with(bytes.subspan(kWebpSignatureOffset), kWebpSignature))
    return decode_webp(bytes);
  fail(ErrorCode::kUnsupported, "not a JPEG, PNG, WebP or BMP image");
}

}  // namespace

void check_image_size(int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width > kMaxImagePixels || height > kMaxImagePixels / width) {
    fail(ErrorCode::kUnsupported, "{} x {} pixels, at most {} are supported", width, height,
         kMaxImagePixels);
  }
}

Image image_of_size(int64_t width, int64_t height) {
  check_image_size(width, height);
  return {width, height, std::vector<uint8_t>(static_cast<size_t>(width * height * 3))};
}

Image decode_image(std::span<const uint8_t> bytes, const std::string& name) {
  if (bytes.size() > kMaxFileBytes) {
    fail(ErrorCode::kInvalidArgument, "{}: {} bytes, at most {} are supported", name, bytes.size(),
         kMaxFileBytes);
  }
  return with_context(name, [&] { return upright(decode(bytes), orientation_of(bytes)); });
}

Image read_image(const std::filesystem::path& path) {
  return decode_image(read_file(path, kMaxFileBytes), path.string());
}

}  // namespace vta::host
