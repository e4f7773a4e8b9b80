// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/network_input.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/numbers/parse_number.h"
#include "base/numbers/random.h"

namespace vta::host {
namespace {

// The mean of the outermost pixels of [1, 1, h, w].
float border_mean(const Tensor& image) {
  const int64_t height = image.type().shape[2], width = image.type().shape[3];
  const auto values = image.data<float>();
  double sum = 0;
  int64_t count = 0;
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      if (y > 0 && y < height - 1 && x > 0 && x < width - 1) continue;
      sum += values[static_cast<size_t>(y * width + x)];
      ++count;
    }
  }
  return static_cast<float>(sum / static_cast<double>(count));
}

}  // namespace

std::optional<uint64_t> noise_seed(const std::string& name) {
  constexpr std::string_view kPrefix = "noise:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const auto seed = parse_number<uint64_t>(std::string_view(name).substr(kPrefix.size()));
  if (!seed) {
    fail(ErrorCode::kInvalidArgument, "'{}': noise:SEED needs a number from 0 to 2^64 - 1", name);
  }
  return seed;
}

Tensor noise_input(const TensorType& type, uint64_t seed) {
  Tensor input(type);
  Random random(seed);
  if (type.dtype == DType::kInt32) {
    for (int32_t& value : input.mutable_data<int32_t>())
      value = static_cast<int32_t>(random.between(0, 1));
    return input;
  }
  for (float& value : input.mutable_data<float>()) value = static_cast<float>(random.normal());
  return input;
}

Tensor image_input(const Image& pixels, const TensorType& type, const ImageSpec& image) {
  if (type.shape.size() != 4 || type.shape[0] != 1 || type.dtype != DType::kFloat32) {
    fail(ErrorCode::kUnsupported, "cannot make an input of type {} from an image", to_string(type));
  }
  return preprocess(pixels, image, type.shape);
}

void fail_without_image_spec() {
  fail(ErrorCode::kInvalidArgument,
       "the network does not say how images become its input: give --preprocess imagenet, none, "
       "0-1 or -1-1 (`preprocess` in Python and C) when it is compiled, or `input.image` in a "
       "network file");
}

Tensor read_image_input(const std::filesystem::path& file, const TensorType& type,
                        const std::optional<ImageSpec>& image, bool invert) {
  Image pixels = read_image(file);
  if (!image) with_context(file.string(), [] { fail_without_image_spec(); });
  if (invert) {
    for (uint8_t& value : pixels.rgb) value = static_cast<uint8_t>(255 - value);
  }
  return with_context(file.string(), [&] { return image_input(pixels, type, *image); });
}

bool looks_inverted(const Tensor& input, const Tensor& sample) {
  const std::vector<int64_t>& shape = sample.type().shape;
  const bool is_gray = shape.size() == 4 && shape[0] == 1 && shape[1] == 1;
  if (!is_gray || input.type() != sample.type() || input.type().dtype != DType::kFloat32)
    return false;
  const auto values = sample.data<float>();
  const auto range = std::ranges::minmax(values);
  const float third = (range.max - range.min) / 3;
  const float own = border_mean(input), other = border_mean(sample);
  const auto is_dark = [&](float mean) { return mean < range.min + third; };
  const auto is_light = [&](float mean) { return mean > range.max - third; };
  return third > 0 && ((is_dark(own) && is_light(other)) || (is_light(own) && is_dark(other)));
}

std::vector<std::string> read_class_names(const std::filesystem::path& file, int64_t num_classes) {
  std::istringstream text(read_text_file(file));
  std::vector<std::string> names;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    names.push_back(line);
  }
  if (static_cast<int64_t>(names.size()) != num_classes) {
    fail(ErrorCode::kInvalidArgument, "{}: {} for a network of {}", file.string(),
         counted(names.size(), "label"), counted(num_classes, "class"));
  }
  return names;
}

}  // namespace vta::host
