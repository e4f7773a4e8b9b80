// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/preprocessing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "compiler/onnx/model.h"

namespace vta::import {
namespace {

constexpr int64_t kLetterboxGray = 114;  // YOLO's
constexpr const char* kNhwc = "nhwc";

[[noreturn]] void refuse(const char* option, const std::string& text, const std::string& expected) {
  fail(ErrorCode::kInvalidArgument, "--{}: expected {}, got '{}'", option, expected, text);
}

double scale_of(const std::string& text) {
  const size_t slash = text.find('/');
  const auto numerator = parse_number<double>(text.substr(0, slash));
  const auto denominator = slash == std::string::npos
                               ? std::optional(1.0)
                               : parse_number<double>(text.substr(slash + 1));
  if (!numerator || !denominator || *denominator == 0 || *numerator == 0)
    refuse("scale", text, "a number or a fraction such as 1/255, not 0");
  return *numerator / *denominator;
}

std::vector<double> per_channel(const char* option, const std::string& text, int64_t channels) {
  std::vector<double> values;
  for (size_t first = 0; first <= text.size();) {
    const size_t end = std::min(text.find(',', first), text.size());
    const auto value = parse_number<double>(text.substr(first, end - first));
    if (!value) refuse(option, text, "numbers such as 0.5 or 0.485,0.456,0.406");
    values.push_back(*value);
    first = end + 1;
  }
  if (values.size() == 1) values.resize(static_cast<size_t>(channels), values[0]);
  if (static_cast<int64_t>(values.size()) != channels)
    refuse(option, text, fmt::format("one number or {}, one per channel", channels));
  return values;
}

int64_t side_of(const std::string& text, const std::string& whole) {
  constexpr double kMaxSide = 1 << 16;
  const auto side = parse_number<double>(text);
  if (!side || *side != std::floor(*side) || *side < 1 || *side > kMaxSide)
    refuse("resize", whole, "HxW or N of 1 to 65536, stretch, or letterbox[:LEVEL]");
  return static_cast<int64_t>(*side);
}

// Replaces how an image is fitted to the input.
void set_resize(const std::string& text, ImageSpec& spec) {
  constexpr std::string_view kLetterbox = "letterbox";
  spec.resize_short_side = 0;
  spec.resize = {0, 0};
  spec.letterbox.reset();
  if (text == "stretch") return;
  if (text.starts_with(kLetterbox)) {
    const std::string level = text.substr(kLetterbox.size());
    const auto value = level.empty()     ? std::optional<double>(kLetterboxGray)
                       : level[0] == ':' ? parse_number<double>(level.substr(1))
                                         : std::nullopt;
    if (!value || *value != std::floor(*value) || *value < 0 || *value > 255)
      refuse("resize", text, "letterbox, or letterbox:N with N from 0 to 255");
    spec.letterbox = static_cast<int64_t>(*value);
    return;
  }
  const size_t cross = text.find('x');
  const int64_t first = side_of(text.substr(0, cross), text);
  if (cross == std::string::npos) {
    spec.resize_short_side = first;
  } else {
    spec.resize = {first, side_of(text.substr(cross + 1), text)};
  }
}

std::string guessed_layout(const std::vector<int64_t>& shape) {
  onnx::ValueDef image;
  image.dims.assign(shape.begin(), shape.end());
  return onnx::first_image_side(image) == 1 ? kNhwc : "nchw";
}

// The spec of a preset. `spec` has the layout.
void apply_preset(const std::string& preset, const ImageExtent& extent, ImageSpec& spec) {
  const auto channels = static_cast<size_t>(extent.channels);
  spec.mean.assign(channels, 0);
  spec.stddev.assign(channels, 1);
  spec.channels = extent.channels == 1 ? "gray" : "rgb";
  if (preset == "none") return;
  spec.scale = preset == "-1-1" ? 1 / 127.5 : 1.0 / 255;
  if (preset == "-1-1") spec.mean.assign(channels, 1);
  if (preset != "imagenet") return;
  if (extent.channels != 3) {
    fail(ErrorCode::kInvalidArgument, "--preprocess imagenet: the input has {}, expected 3",
         counted(extent.channels, "channel"));
  }
  spec.mean = {0.485, 0.456, 0.406};
  spec.stddev = {0.229, 0.224, 0.225};
  spec.resize_short_side =
      (std::max(extent.height, extent.width) * 256 + 112) / 224;  // 256 of 224, rounded
}

}  // namespace

ImageSpec image_spec_of(const PreprocessOptions& options, const std::optional<ImageSpec>& own,
                        const TensorType& type) {
  if (type.shape.size() != 4) {
    fail(ErrorCode::kInvalidArgument,
         "--preprocess and its like: the network's input is {}, expected an image of four axes",
         to_string(type));
  }
  ImageSpec spec = own.value_or(ImageSpec());
  if (!own) spec.layout = guessed_layout(type.shape);
  if (options.layout) spec.layout = *options.layout;
  if (spec.layout != kNhwc && spec.layout != "nchw") refuse("layout", spec.layout, "nchw or nhwc");
  const ImageExtent extent = image_extent(spec, type.shape);
  if (extent.channels != 1 && extent.channels != 3) {
    fail(ErrorCode::kInvalidArgument,
         "the network's input is {}: as {} it has {}, expected 1 or 3 (--layout)", to_string(type),
         spec.layout, counted(extent.channels, "channel"));
  }
  if (options.preset || !own) {
    spec = ImageSpec{.layout = spec.layout};
    apply_preset(options.preset.value_or("none"), extent, spec);
  }
  if (options.scale) spec.scale = scale_of(*options.scale);
  if (options.mean) spec.mean = per_channel("mean", *options.mean, extent.channels);
  if (options.stddev) spec.stddev = per_channel("std", *options.stddev, extent.channels);
  if (options.channels) spec.channels = *options.channels;
  if (options.resize) set_resize(*options.resize, spec);
  check(spec, extent.channels);
  return spec;
}

}  // namespace vta::import
