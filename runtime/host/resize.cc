// SPDX-License-Identifier: Apache-2.0
//
// Antialiased bilinear resizing in the fixed-point arithmetic of Pillow's ImagingResample, so that
// pictures prepared there and here are the same.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/host/image.h"
#include "runtime/host/image_formats.h"

namespace vta::host {
namespace {

// 8 bits of pixel, 22 of weight and room for sums that exceed 255 fill an int32.
constexpr int kWeightBits = 32 - 8 - 2;

// What one output pixel takes from its input line.
struct Taps {
  int64_t first = 0;
  std::vector<int32_t> weights;  // their sum is about 2^kWeightBits
};

double triangle(double x) { return std::max(1.0 - std::abs(x), 0.0); }

std::vector<Taps> taps(int64_t in_size, int64_t out_size) {
  const double scale = static_cast<double>(in_size) / static_cast<double>(out_size);
  const double support = std::max(scale, 1.0);
  std::vector<Taps> result(static_cast<size_t>(out_size));
  std::vector<double> exact;
  for (int64_t out = 0; out < out_size; ++out) {
    const double center = (static_cast<double>(out) + 0.5) * scale;
    const auto first = std::max<int64_t>(static_cast<int64_t>(center - support + 0.5), 0);
    const auto last = std::min<int64_t>(static_cast<int64_t>(center + support + 0.5), in_size);
    double sum = 0;
    exact.clear();
    for (int64_t x = first; x < last; ++x) {
      exact.push_back(triangle((static_cast<double>(x) - center + 0.5) * (1.0 / support)));
      sum += exact.back();
    }
    Taps& line = result[static_cast<size_t>(out)];
    line.first = first;
    for (double weight : exact) {
      line.weights.push_back(static_cast<int32_t>(0.5 + weight / sum * (1 << kWeightBits)));
    }
  }
  return result;
}

uint8_t to_pixel(int32_t sum) {
  return static_cast<uint8_t>(std::clamp(sum >> kWeightBits, 0, 255));
}

Image resize_rows(const Image& image, int64_t width) {
  Image result = image_of_size(width, image.height);
  const std::vector<Taps> columns = taps(image.width, width);
  uint8_t* out = result.rgb.data();
  for (int64_t y = 0; y < image.height; ++y) {
    for (const Taps& column : columns) {
      int32_t sum[3] = {1 << (kWeightBits - 1), 1 << (kWeightBits - 1), 1 << (kWeightBits - 1)};
      const uint8_t* in = image.rgb.data() + (y * image.width + column.first) * 3;
      for (int32_t weight : column.weights) {
        for (int32_t& channel : sum) channel += *in++ * weight;
      }
      for (int32_t channel : sum) *out++ = to_pixel(channel);
    }
  }
  return result;
}

Image resize_columns(const Image& image, int64_t height) {
  Image result = image_of_size(image.width, height);
  const int64_t row_bytes = image.width * 3;
  uint8_t* out = result.rgb.data();
  for (const Taps& row : taps(image.height, height)) {
    const uint8_t* column = image.rgb.data() + row.first * row_bytes;
    for (int64_t x = 0; x < row_bytes; ++x) {
      int32_t sum = 1 << (kWeightBits - 1);
      for (size_t i = 0; i < row.weights.size(); ++i) {
        sum += column[static_cast<int64_t>(i) * row_bytes + x] * row.weights[i];
      }
      *out++ = to_pixel(sum);
    }
  }
  return result;
}

}  // namespace

Image resize(const Image& image, int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width > kMaxImagePixels || height > kMaxImagePixels / width) {
    fail(ErrorCode::kInvalidArgument,
         "cannot resize a picture to {} x {} pixels, the limit is {} pixels", width, height,
         kMaxImagePixels);
  }
  Image result = image.width == width ? image : resize_rows(image, width);
  if (result.height == height) return result;
  return resize_columns(result, height);
}

}  // namespace vta::host
