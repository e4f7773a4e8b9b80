// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors/error.h"
#include "runtime/host/image.h"

namespace vta::host {
namespace {

Image crop_centre(const Image& image, int64_t width, int64_t height) {
  if (width > image.width || height > image.height) {
    fail(ErrorCode::kInvalidArgument,
         "the network's input of {} x {} pixels is larger than the image resized to {} x {}", width,
         height, image.width, image.height);
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

// The size to which the image is resized before cropping or letterboxing.
struct Size {
  int64_t width, height;
};

Size resized_size(Size image, const ImageSpec& spec, Size input) {
  if (spec.resize_short_side > 0) {
    const int64_t shorter = std::min(image.width, image.height);
    return {image.width * spec.resize_short_side / shorter,
            image.height * spec.resize_short_side / shorter};
  }
  if (spec.resize[0] > 0) return {spec.resize[1], spec.resize[0]};
  if (!spec.letterbox) return input;
  const bool width_decides = image.width * input.height >= image.height * input.width;
  if (width_decides) {
    return {input.width, std::max<int64_t>(image.height * input.width / image.width, 1)};
  }
  return {std::max<int64_t>(image.width * input.height / image.height, 1), input.height};
}

Image put_into(const Image& image, int64_t width, int64_t height, int64_t fill) {
  Image result{width, height, {}};
  result.rgb.assign(static_cast<size_t>(width * height * 3), static_cast<uint8_t>(fill));
  const int64_t left = (width - image.width) / 2, top = (height - image.height) / 2;
  for (int64_t y = 0; y < image.height; ++y) {
    std::copy_n(image.rgb.begin() + y * image.width * 3, image.width * 3,
                result.rgb.begin() + ((y + top) * width + left) * 3);
  }
  return result;
}

Image fit(const Image& image, const ImageSpec& spec, int64_t width, int64_t height) {
  const Size size = resized_size({image.width, image.height}, spec, {width, height});
  // resize() has limited the size, so the product does not overflow.
  const Image resized = resize(image, size.width, size.height, filter_from_string(spec.filter));
  if (spec.letterbox) return put_into(resized, width, height, *spec.letterbox);
  return crop_centre(resized, width, height);
}

// The channels of one pixel, in the network's order.
std::array<uint8_t, 3> reorder(const uint8_t* rgb, const std::string& channels) {
  if (channels == "bgr") return {rgb[2], rgb[1], rgb[0]};
  if (channels == "rgb") return {rgb[0], rgb[1], rgb[2]};
  const auto luma =
      static_cast<uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >> 16);
  return {luma, luma, luma};
}

float normalized(uint8_t level, const ImageSpec& spec, size_t channel) {
  const double mean = spec.mean.empty() ? 0.0 : spec.mean[channel];
  const double stddev = spec.stddev.empty() ? 1.0 : spec.stddev[channel];
  return static_cast<float>((level * spec.scale - mean) / stddev);
}

// Between the darkest and the brightest level all are finite if these are.
void check_levels(const ImageSpec& spec, size_t channels) {
  for (size_t channel = 0; channel < channels; ++channel) {
    for (const uint8_t level : {uint8_t{0}, uint8_t{255}}) {
      const float value = normalized(level, spec, channel);
      if (std::isfinite(value)) continue;
      fail(ErrorCode::kInvalidArgument,
           "scale, mean and std make a pixel of {} in channel {} {}, expected a finite number",
           level, channel, value);
    }
  }
}

}  // namespace

Placement placement(int64_t image_width, int64_t image_height, const ImageSpec& spec,
                    int64_t height, int64_t width) {
  const Size size = resized_size({image_width, image_height}, spec, {width, height});
  // Cropping is a negative offset.
  const auto offset = [](int64_t inner, int64_t outer) {
    return static_cast<double>(inner > outer ? -((inner - outer) / 2) : (outer - inner) / 2);
  };
  return {static_cast<double>(size.width) / static_cast<double>(image_width),
          static_cast<double>(size.height) / static_cast<double>(image_height),
          offset(size.width, width), offset(size.height, height)};
}

Tensor preprocess(const Image& image, const ImageSpec& spec, const std::vector<int64_t>& shape) {
  const ImageExtent extent = image_extent(spec, shape);
  check(spec, extent.channels);
  check_levels(spec, static_cast<size_t>(extent.channels));
  const Image fitted = fit(image, spec, extent.width, extent.height);
  Tensor result(TensorType{DType::kFloat32, shape});
  const auto values = result.mutable_data<float>();
  const auto area = static_cast<size_t>(extent.height * extent.width);
  const auto channels = static_cast<size_t>(extent.channels);
  const bool is_planar = spec.layout == "nchw";
  for (size_t i = 0; i < area; ++i) {
    const std::array<uint8_t, 3> pixel = reorder(fitted.rgb.data() + 3 * i, spec.channels);
    for (size_t c = 0; c < channels; ++c) {
      values[is_planar ? c * area + i : i * channels + c] = normalized(pixel[c], spec, c);
    }
  }
  return result;
}

}  // namespace vta::host
