// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/dataset.h"

#include <algorithm>
#include <charconv>

#include "compiler/import/network.h"
#include "runtime/base/array_file.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "sim/tool/network_input.h"

namespace vta::sim {
namespace {

constexpr int64_t kCifarSide = 32;
constexpr int64_t kCifarPixels = kCifarSide * kCifarSide;
constexpr int64_t kCifarRecordBytes = 1 + 3 * kCifarPixels;

// The number behind the last colon, if there is one.
std::optional<int64_t> trailing_count(const std::string& text, size_t colon) {
  int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, count);
  if (error != std::errc() || stop != end || colon + 1 == text.size()) return std::nullopt;
  return count;
}

// How many of `available` images to take.
int64_t take(const DatasetSpec& spec, int64_t available) {
  const int64_t count = spec.count.value_or(available);
  if (count < 1 || count > available) {
    fail(ErrorCode::kInvalidArgument, "{}: {} images asked for, it has {}", spec.file.string(),
         count, available);
  }
  return count;
}

// Planes of bytes [channels][height][width], one channel (gray) or three (red, green, blue), as a
// picture.
host::Image interleave(std::span<const uint8_t> planes, int64_t channels, int64_t height,
                       int64_t width) {
  host::Image picture = {width, height, {}};
  const int64_t pixels = width * height;
  picture.rgb.resize(3 * pixels);
  for (int64_t i = 0; i < pixels; ++i) {
    for (int64_t c = 0; c < 3; ++c)
      picture.rgb[3 * i + c] = planes[(channels == 3 ? c * pixels : 0) + i];
  }
  return picture;
}

const ImageSpec& require(const std::optional<ImageSpec>& image, const DatasetSpec& spec) {
  if (!image) {
    fail(ErrorCode::kInvalidArgument,
         "{}: the network does not say how a picture becomes its input", spec.file.string());
  }
  return *image;
}

Dataset read_cifar10(const DatasetSpec& spec, const TensorType& input,
                     const std::optional<ImageSpec>& image) {
  const std::vector<uint8_t> bytes = read_file(spec.file);
  if (bytes.empty() || bytes.size() % kCifarRecordBytes != 0) {
    fail(ErrorCode::kCorrupt, "{}: {} bytes are no whole number of CIFAR-10 records of {} bytes",
         spec.file.string(), bytes.size(), kCifarRecordBytes);
  }
  const int64_t count = take(spec, static_cast<int64_t>(bytes.size()) / kCifarRecordBytes);
  Dataset dataset;
  for (int64_t i = 0; i < count; ++i) {
    const auto record = std::span(bytes).subspan(i * kCifarRecordBytes, kCifarRecordBytes);
    dataset.labels.push_back(record[0]);
    const host::Image picture = interleave(record.subspan(1), 3, kCifarSide, kCifarSide);
    dataset.inputs.push_back(picture_to_input(picture, input, require(image, spec)));
  }
  return dataset;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

const NamedArray& image_array(const NamedArrays& arrays, const DatasetSpec& spec) {
  const auto found = arrays.find("images");
  if (found == arrays.end())
    fail(ErrorCode::kCorrupt, "{}: has no array 'images'", spec.file.string());
  const NamedArray& images = found->second;
  if (images.shape.size() != 4 || images.num_elems() == 0) {
    fail(ErrorCode::kInvalidArgument, "{}: images are {}, not [count, c, h, w]", spec.file.string(),
         images.type_text());
  }
  return images;
}

std::vector<Tensor> float_inputs(const NamedArray& images, const DatasetSpec& spec,
                                 const TensorType& input, int64_t count) {
  if (!std::equal(images.shape.begin() + 1, images.shape.end(), input.shape.begin() + 1)) {
    fail(ErrorCode::kInvalidArgument, "{}: images are {}, but the network takes {}",
         spec.file.string(), images.type_text(), shape_text(input.shape));
  }
  const std::vector<float> values = images.to_floats();
  const int64_t elems = input.num_elems();
  std::vector<Tensor> inputs;
  for (int64_t i = 0; i < count; ++i) {
    const auto first = values.begin() + i * elems;
    inputs.emplace_back(input.shape, std::vector<float>(first, first + elems));
  }
  return inputs;
}

std::vector<Tensor> byte_inputs(const NamedArray& images, const DatasetSpec& spec,
                                const TensorType& input, const std::optional<ImageSpec>& image,
                                int64_t count) {
  const int64_t channels = images.shape[1], height = images.shape[2], width = images.shape[3];
  if (images.type != ArrayType::kUint8 || (channels != 1 && channels != 3)) {
    fail(ErrorCode::kInvalidArgument,
         "{}: images are {}, neither floats nor uint8 of 1 or 3 channels", spec.file.string(),
         images.type_text());
  }
  const int64_t image_bytes = channels * height * width;
  std::vector<Tensor> inputs;
  for (int64_t i = 0; i < count; ++i) {
    const auto planes = std::span(images.bytes).subspan(i * image_bytes, image_bytes);
    inputs.push_back(
        picture_to_input(interleave(planes, channels, height, width), input, require(image, spec)));
  }
  return inputs;
}

std::vector<int64_t> read_labels(const NamedArrays& arrays, const DatasetSpec& spec,
                                 const NamedArray& images, int64_t count) {
  const auto found = arrays.find("labels");
  if (found == arrays.end()) return {};
  const NamedArray& labels = found->second;
  if (labels.is_floating() || labels.shape.size() != 1 || labels.shape[0] != images.shape[0]) {
    fail(ErrorCode::kInvalidArgument, "{}: labels are {}, not one integer for each of {} images",
         spec.file.string(), labels.type_text(), images.shape[0]);
  }
  std::vector<int64_t> values = labels.to_integers();
  values.resize(count);
  return values;
}

Dataset read_npz(const DatasetSpec& spec, const TensorType& input,
                 const std::optional<ImageSpec>& image) {
  const NamedArrays arrays = read_arrays(spec.file);
  const NamedArray& images = image_array(arrays, spec);
  const int64_t count = take(spec, images.shape[0]);
  Dataset dataset;
  dataset.inputs = images.is_floating() ? float_inputs(images, spec, input, count)
                                        : byte_inputs(images, spec, input, image, count);
  dataset.labels = read_labels(arrays, spec, images, count);
  return dataset;
}

}  // namespace

DatasetSpec parse_dataset_spec(const std::string& text) {
  DatasetSpec spec;
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (colon == std::string::npos || colon + 1 == text.size() ||
      (kind != "cifar10" && kind != "npz")) {
    fail(ErrorCode::kInvalidArgument, "'{}' is neither cifar10:FILE[:COUNT] nor npz:FILE[:COUNT]",
         text);
  }
  spec.kind = kind == "npz" ? DatasetSpec::Kind::kNpz : DatasetSpec::Kind::kCifar10;
  const size_t last_colon = text.rfind(':');
  if (last_colon != colon) spec.count = trailing_count(text, last_colon);
  const size_t file_end = spec.count ? last_colon : text.size();
  spec.file = text.substr(colon + 1, file_end - colon - 1);
  return spec;
}

Dataset read_dataset(const DatasetSpec& spec, const TensorType& input,
                     const std::optional<ImageSpec>& image) {
  if (input.dtype != DType::kFloat32 || input.shape.size() != 4 || input.shape[0] != 1) {
    fail(ErrorCode::kUnsupported, "{}: the network's input {} is no picture", spec.file.string(),
         to_string(input));
  }
  DatasetSpec found = spec;
  found.file = import::find_beside(spec.file.string(), ".");
  return spec.kind == DatasetSpec::Kind::kNpz ? read_npz(found, input, image)
                                              : read_cifar10(found, input, image);
}

}  // namespace vta::sim
