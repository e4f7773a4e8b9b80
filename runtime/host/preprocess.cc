// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "runtime/base/error.h"
#include "runtime/host/image.h"

namespace vta::host {
namespace {

Image crop_centre(const Image& image, int64_t width, int64_t height) {
  if (width > image.width || height > image.height) {
    fail(ErrorCode::kInvalidArgument,
         "the network's input of {} x {} pixels is larger than the picture resized to {} x {}",
         width, height, image.width, image.height);
  }
  const int64_t left = (image.width - width) / 2, top = (image.height - height) / 2;
  Image result{width, height, {}};
  result.rgb.reserve(static_cast<size_t>(width * height * 3));
  for (int64_t y = top; y < top + height; ++y) {
    const auto row = image.rgb.begin() + (y * image.width + left) * 3;
    result.rgb.insert(result.rgb.end(), row, row + width * 3);
  }
  return result;
}

Image fit(const Image& image, int64_t short_side, int64_t width, int64_t height) {
  if (short_side == 0) return resize(image, width, height);
  const int64_t shorter = std::min(image.width, image.height);
  // The limit of resize() on products applies to what this gives, hence no overflow before it.
  const Image resized =
      resize(image, image.width * short_side / shorter, image.height * short_side / shorter);
  return crop_centre(resized, width, height);
}

// The channel planes of one pixel, in the network's order.
std::array<uint8_t, 3> reorder(const uint8_t* rgb, const std::string& channels) {
  if (channels == "bgr") return {rgb[2], rgb[1], rgb[0]};
  if (channels == "rgb") return {rgb[0], rgb[1], rgb[2]};
  const auto luma =
      static_cast<uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >> 16);
  return {luma, luma, luma};
}

void check(const Preprocessing& spec, int64_t channels) {
  if (spec.channels != "rgb" && spec.channels != "bgr" && spec.channels != "gray") {
    fail(ErrorCode::kInvalidArgument, "channels '{}' is not one of rgb, bgr, gray", spec.channels);
  }
  const int64_t expected = spec.channels == "gray" ? 1 : 3;
  if (channels != expected) {
    fail(ErrorCode::kInvalidArgument, "channels '{}' makes {} planes, the network's input has {}",
         spec.channels, expected, channels);
  }
  const auto count_is_right = [&](const std::vector<double>& values) {
    return values.empty() || static_cast<int64_t>(values.size()) == channels;
  };
  if (!count_is_right(spec.mean) || !count_is_right(spec.stddev)) {
    fail(ErrorCode::kInvalidArgument, "mean has {} and stddev {} numbers for {} channels",
         spec.mean.size(), spec.stddev.size(), channels);
  }
  if (std::find(spec.stddev.begin(), spec.stddev.end(), 0.0) != spec.stddev.end()) {
    fail(ErrorCode::kInvalidArgument, "stddev has a 0");
  }
  if (spec.resize_short_side < 0 || spec.resize_short_side > kMaxImagePixels) {
    fail(ErrorCode::kInvalidArgument, "resize_short_side {} is outside 0 to {}",
         spec.resize_short_side, kMaxImagePixels);
  }
}

}  // namespace

Tensor preprocess(const Image& image, const Preprocessing& spec, int64_t channels, int64_t height,
                  int64_t width) {
  check(spec, channels);
  const Image fitted = fit(image, spec.resize_short_side, width, height);
  Tensor result(TensorType{DType::kFloat32, {1, channels, height, width}});
  const auto planes = result.mutable_data<float>();
  const auto area = static_cast<size_t>(height * width);
  for (size_t i = 0; i < area; ++i) {
    const std::array<uint8_t, 3> pixel = reorder(fitted.rgb.data() + 3 * i, spec.channels);
    for (size_t c = 0; c < static_cast<size_t>(channels); ++c) {
      const double mean = spec.mean.empty() ? 0.0 : spec.mean[c];
      const double stddev = spec.stddev.empty() ? 1.0 : spec.stddev[c];
      planes[c * area + i] = static_cast<float>((pixel[c] * spec.scale - mean) / stddev);
    }
  }
  return result;
}

}  // namespace vta::host
