// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/image_spec.h"

#include <algorithm>
#include <cmath>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta {
namespace {

constexpr int64_t kMaxSide = 1 << 16;

void check_channels(const ImageSpec& spec, int64_t channels) {
  if (spec.channels != "rgb" && spec.channels != "bgr" && spec.channels != "gray") {
    fail(ErrorCode::kInvalidArgument, "channels '{}' is not one of rgb, bgr, gray", spec.channels);
  }
  const int64_t expected = spec.channels == "gray" ? 1 : 3;
  if (channels != expected) {
    fail(ErrorCode::kInvalidArgument, "channels '{}' gives {} planes, the network's input has {}",
         spec.channels, expected, channels);
  }
}

void check_numbers(const ImageSpec& spec, int64_t channels) {
  const auto count_is_right = [&](const std::vector<double>& values) {
    return values.empty() || static_cast<int64_t>(values.size()) == channels;
  };
  if (!count_is_right(spec.mean) || !count_is_right(spec.stddev)) {
    fail(ErrorCode::kInvalidArgument, "mean has {} and stddev {} for {}", spec.mean.size(),
         counted(spec.stddev.size(), "number"), counted(channels, "channel"));
  }
  if (std::find(spec.stddev.begin(), spec.stddev.end(), 0.0) != spec.stddev.end()) {
    fail(ErrorCode::kInvalidArgument, "stddev has a 0");
  }
}

void check_fit(const ImageSpec& spec) {
  if (spec.resize_short_side < 0 || spec.resize_short_side > kMaxSide) {
    fail(ErrorCode::kInvalidArgument, "resize_short_side {} is outside 0 to {}",
         spec.resize_short_side, kMaxSide);
  }
  const auto [height, width] = spec.resize;
  const bool none = height == 0 && width == 0;
  if (!none && (height < 1 || width < 1 || height > kMaxSide || width > kMaxSide)) {
    fail(ErrorCode::kInvalidArgument, "resize [{}, {}] is outside 1 to {}", height, width,
         kMaxSide);
  }
  if (spec.letterbox && (*spec.letterbox < 0 || *spec.letterbox > 255)) {
    fail(ErrorCode::kInvalidArgument, "letterbox {} is outside 0 to 255", *spec.letterbox);
  }
  if ((spec.resize_short_side > 0) + !none + spec.letterbox.has_value() > 1) {
    fail(ErrorCode::kInvalidArgument, "resize_short_side, resize and letterbox exclude each other");
  }
}

}  // namespace

ImageExtent image_extent(const ImageSpec& spec, const std::vector<int64_t>& shape) {
  if (spec.layout == "nhwc") return {shape.at(3), shape.at(1), shape.at(2)};
  return {shape.at(1), shape.at(2), shape.at(3)};
}

void check(const ImageSpec& spec, int64_t channels) {
  if (spec.layout != "nchw" && spec.layout != "nhwc")
    fail(ErrorCode::kInvalidArgument, "layout '{}' is not one of nchw, nhwc", spec.layout);
  check_channels(spec, channels);
  check_numbers(spec, channels);
  check_fit(spec);
  if (spec.filter != "bilinear" && spec.filter != "bicubic" && spec.filter != "nearest") {
    fail(ErrorCode::kInvalidArgument, "filter '{}' is not one of bilinear, bicubic, nearest",
         spec.filter);
  }
}

}  // namespace vta
