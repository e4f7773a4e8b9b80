// SPDX-License-Identifier: Apache-2.0
//
// Antialiased resizing in the fixed-point arithmetic of Pillow's ImagingResample, for bit-exact
// results.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors/error.h"
#include "runtime/host/image.h"
#include "runtime/host/image_formats.h"

namespace vta::host {
namespace {

// An int32 holds 8 bits of pixel, 22 bits of weight, and sums above 255.
constexpr int kWeightBits = 32 - 8 - 2;

// The input pixels and weights of one output pixel.
struct Taps {
  int64_t first = 0;
  std::vector<int32_t> weights;  // their sum is about 2^kWeightBits
};

// A filter's weight at a distance of x pixels, and its radius.
struct Kernel {
  double (*weight)(double x);
  double support;
};

double triangle(double x) { return std::max(1.0 - std::abs(x), 0.0); }

// Keys' cubic with a = -0.5, in Pillow's order of operations.
double cubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

Kernel kernel_of(Filter filter) {
  if (filter == Filter::kBicubic) return {cubic, 2};
  return {triangle, 1};
}

std::vector<Taps> taps(int64_t in_size, int64_t out_size, const Kernel& kernel) {
  const double scale = static_cast<double>(in_size) / static_cast<double>(out_size);
  const double stretch = std::max(scale, 1.0);
  const double support = kernel.support * stretch;
  std::vector<Taps> result(static_cast<size_t>(out_size));
  std::vector<double> exact;
  for (int64_t out = 0; out < out_size; ++out) {
    const double center = (static_cast<double>(out) + 0.5) * scale;
    const auto first = std::max<int64_t>(static_cast<int64_t>(center - support + 0.5), 0);
    const auto last = std::min<int64_t>(static_cast<int64_t>(center + support + 0.5), in_size);
    double sum = 0;
    exact.clear();
    for (int64_t x = first; x < last; ++x) {
      exact.push_back(kernel.weight((static_cast<double>(x) - center + 0.5) * (1.0 / stretch)));
      sum += exact.back();
    }
    Taps& line = result[static_cast<size_t>(out)];
    line.first = first;
    for (double weight : exact) {
      const double scaled = weight / sum * (1 << kWeightBits);
      line.weights.push_back(static_cast<int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5));
    }
  }
  return result;
}

uint8_t to_pixel(int32_t sum) {
  return static_cast<uint8_t>(std::clamp(sum >> kWeightBits, 0, 255));
}

Image resize_rows(const Image& image, int64_t width, const Kernel& kernel) {
  Image result = image_of_size(width, image.height);
  const std::vector<Taps> columns = taps(image.width, width, kernel);
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

Image resize_columns(const Image& image, int64_t height, const Kernel& kernel) {
  Image result = image_of_size(image.width, height);
  const int64_t row_bytes = image.width * 3;
  uint8_t* out = result.rgb.data();
  for (const Taps& row : taps(image.height, height, kernel)) {
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

Image pick_nearest(const Image& image, int64_t width, int64_t height) {
  Image result = image_of_size(width, height);
  const double scale_x = static_cast<double>(image.width) / static_cast<double>(width);
  const double scale_y = static_cast<double>(image.height) / static_cast<double>(height);
  uint8_t* out = result.rgb.data();
  for (int64_t y = 0; y < height; ++y) {
    const auto in_y = static_cast<int64_t>((static_cast<double>(y) + 0.5) * scale_y);
    for (int64_t x = 0; x < width; ++x) {
      const auto in_x = static_cast<int64_t>((static_cast<double>(x) + 0.5) * scale_x);
      out = std::copy_n(image.rgb.data() + (in_y * image.width + in_x) * 3, 3, out);
    }
  }
  return result;
}

}  // namespace

Filter filter_from_string(const std::string& text) {
  if (text == "bilinear") return Filter::kBilinear;
  if (text == "bicubic") return Filter::kBicubic;
  if (text == "nearest") return Filter::kNearest;
  fail(ErrorCode::kInvalidArgument, "filter '{}' is not one of bilinear, bicubic, nearest", text);
}

Image resize(const Image& image, int64_t width, int64_t height, Filter filter) {
  if (width < 1 || height < 1 || width > kMaxImagePixels || height > kMaxImagePixels / width) {
    fail(ErrorCode::kInvalidArgument,
         "cannot resize an image to {} x {} pixels, at most {} are supported", width, height,
         kMaxImagePixels);
  }
  if (filter == Filter::kNearest) return pick_nearest(image, width, height);
  const Kernel kernel = kernel_of(filter);
  Image result = image.width == width ? image : resize_rows(image, width, kernel);
  if (result.height == height) return result;
  return resize_columns(result, height, kernel);
}

}  // namespace vta::host
