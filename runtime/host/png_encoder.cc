// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include "base/errors/error.h"
#include "runtime/host/image.h"

namespace vta::host {

std::vector<uint8_t> encode_png(const Image& image) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<uint32_t>(image.width);
  png.height = static_cast<uint32_t>(image.height);
  png.format = PNG_FORMAT_RGB;
  std::vector<uint8_t> file(PNG_IMAGE_PNG_SIZE_MAX(png));  // an upper bound
  png_alloc_size_t size = file.size();
  const int done = png_image_write_to_memory(&png, file.data(), &size, 0, image.rgb.data(), 0,
                                             /*colormap=*/nullptr);
  if (done == 0) fail(ErrorCode::kInvalidArgument, "PNG: {}", png.message);
  file.resize(size);
  return file;
}

}  // namespace vta::host
