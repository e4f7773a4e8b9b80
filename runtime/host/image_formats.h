// SPDX-License-Identifier: Apache-2.0
//
// The decoders that decode_image() calls. Errors: as decode_image(), without the name.
#ifndef VTA_RUNTIME_HOST_IMAGE_FORMATS_H_
#define VTA_RUNTIME_HOST_IMAGE_FORMATS_H_

#include <cstdint>
#include <span>

#include "runtime/host/image.h"

namespace vta::host {

Image decode_jpeg(std::span<const uint8_t> bytes);
Image decode_png(std::span<const uint8_t> bytes);
Image decode_webp(std::span<const uint8_t> bytes);
Image decode_bmp(std::span<const uint8_t> bytes);

// Errors: kUnsupported for an image without pixels or with more than kMaxImagePixels.
void check_image_size(int64_t width, int64_t height);

// A black image. Errors: as check_image_size().
Image image_of_size(int64_t width, int64_t height);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_IMAGE_FORMATS_H_
