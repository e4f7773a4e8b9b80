// SPDX-License-Identifier: Apache-2.0
#include <webp/decode.h>

#include "base/errors/error.h"
#include "runtime/host/image_formats.h"

namespace vta::host {
namespace {

const char* text_of(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
      return "out of memory";
    case VP8_STATUS_NOT_ENOUGH_DATA:
      return "truncated";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "a feature that libwebp does not know";
    default:
      return "damaged";
  }
}

void require(VP8StatusCode status) {
  if (status != VP8_STATUS_OK) fail(ErrorCode::kCorrupt, "WebP: {}", text_of(status));
}

}  // namespace

Image decode_webp(std::span<const uint8_t> bytes) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0)
    fail(ErrorCode::kUnsupported, "WebP: the installed libwebp has another interface");
  require(WebPGetFeatures(bytes.data(), bytes.size(), &config.input));
  if (config.input.has_animation != 0)
    fail(ErrorCode::kUnsupported, "WebP: an animation; extract a frame");
  Image image = image_of_size(config.input.width, config.input.height);
  config.output.colorspace = MODE_RGB;  // alpha is dropped, not blended
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = image.rgb.data();
  config.output.u.RGBA.stride = static_cast<int>(3 * image.width);
  config.output.u.RGBA.size = image.rgb.size();
  require(WebPDecode(bytes.data(), bytes.size(), &config));
  return image;
}

}  // namespace vta::host
