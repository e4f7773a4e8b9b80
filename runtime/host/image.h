// SPDX-License-Identifier: Apache-2.0
//
// Pictures as network inputs.
#ifndef VTA_RUNTIME_HOST_IMAGE_H_
#define VTA_RUNTIME_HOST_IMAGE_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta::host {

struct Image {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> rgb;  // [height][width][3]
};

// JPEG or PNG, told by its first bytes; gray and alpha are converted.
// Errors: kNotFound, kCorrupt (truncated or damaged), kUnsupported, naming the file.
Image read_image(const std::filesystem::path& path);

// Numbers that become an input tensor as ImageSpec (runtime/program) describes them.
struct Preprocessing {
  int64_t resize_short_side = 0;
  std::string channels = "rgb";
  double scale = 1;
  std::vector<double> mean, stddev;
};

// float32 [1, c, height, width]. Resizing is bilinear with antialiasing (as in Pillow).
Tensor preprocess(const Image& image, const Preprocessing& spec, int64_t channels, int64_t height, int64_t width);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_IMAGE_H_
