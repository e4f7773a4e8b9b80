// SPDX-License-Identifier: Apache-2.0
#include "runtime/dataset/dataset.h"

#include <algorithm>
#include <functional>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "runtime/dataset/formats.h"
#include "runtime/host/network_input.h"

namespace vta {
namespace {

using Kind = DatasetSpec::Kind;

struct Format {
  const char* name;
  Kind kind;
  Dataset (*read)(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs);
};

constexpr Format kFormats[] = {
    {"cifar10", Kind::kCifar10, dataset::read_cifar10},
    {"imagefolder", Kind::kImageFolder, dataset::read_image_folder},
    {"mnist", Kind::kMnist, dataset::read_mnist},
    {"npz", Kind::kNpz, dataset::read_npz},
};

// The number after the last colon, if any.
std::optional<int64_t> trailing_count(const std::string& text, size_t colon) {
  return parse_number<int64_t>(std::string_view(text).substr(colon + 1));
}

// with_context(), but readers of files name the path, or a file of the folder, already.
Dataset with_path(const std::string& path, const std::function<Dataset()>& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with(path + ": ") || message.starts_with(path + "/")) throw;
    throw Error(error.code(), path + ": " + message);
  }
}

}  // namespace

DatasetSpec parse_dataset_spec(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const auto* const format = std::ranges::find(kFormats, kind, &Format::name);
  if (colon == std::string::npos || colon + 1 == text.size() || format == std::end(kFormats)) {
    fail(ErrorCode::kInvalidArgument, "data set '{}': expected {}", text, kDatasetForms);
  }
  DatasetSpec spec;
  spec.kind = format->kind;
  const size_t last_colon = text.rfind(':');
  if (last_colon != colon) spec.count = trailing_count(text, last_colon);
  const size_t path_end = spec.count ? last_colon : text.size();
  spec.path = text.substr(colon + 1, path_end - colon - 1);
  return spec;
}

Dataset in_batches(Dataset dataset, int64_t batch) {
  if (batch == 1) return dataset;
  const int64_t num_images = dataset.num_images;
  dataset.num_images = (num_images + batch - 1) / batch;
  dataset.labels.clear();
  dataset.inputs = [images = std::move(dataset.inputs), num_images, batch](int64_t set) {
    std::vector<std::vector<Tensor>> parts;
    for (int64_t i = set * batch; i < (set + 1) * batch; ++i)
      parts.push_back(i < num_images ? images(i) : parts.front());
    std::vector<Tensor> inputs;
    for (size_t input = 0; input < parts[0].size(); ++input) {
      TensorType type = parts[0][input].type();
      type.shape.at(0) *= batch;
      auto to = inputs.emplace_back(type).mutable_bytes().begin();
      for (const std::vector<Tensor>& part : parts)
        to = std::ranges::copy(part[input].bytes(), to).out;
    }
    return inputs;
  };
  return dataset;
}

std::vector<std::vector<Tensor>> all_inputs(const Dataset& dataset) {
  std::vector<std::vector<Tensor>> inputs;
  for (int64_t i = 0; i < dataset.num_images; ++i) inputs.push_back(dataset.inputs(i));
  return inputs;
}

Dataset first_images(Dataset dataset, int64_t limit) {
  dataset.num_images = std::min(dataset.num_images, limit);
  if (!dataset.labels.empty()) dataset.labels.resize(dataset.num_images);
  return dataset;
}

Dataset spread_images(const Dataset& dataset, int64_t count) {
  if (dataset.num_images <= count) return dataset;
  const auto position = [count, all = dataset.num_images](int64_t image) {
    return image * all / count;
  };
  Dataset spread;
  spread.num_images = count;
  spread.preprocesses = dataset.preprocesses;
  for (int64_t image = 0; image < count && !dataset.labels.empty(); ++image)
    spread.labels.push_back(dataset.labels[static_cast<size_t>(position(image))]);
  spread.inputs = [position, inputs = dataset.inputs](int64_t image) {
    return inputs(position(image));
  };
  return spread;
}

Dataset open_dataset(const DatasetSpec& spec, const std::vector<DatasetInput>& inputs) {
  if (inputs.empty())
    fail(ErrorCode::kUnsupported, "the network has no inputs, so no data set can give them");
  return with_path(spec.path.string(), [&] {
    const auto* const format = std::ranges::find(kFormats, spec.kind, &Format::kind);
    const Dataset dataset = format->read(spec.path, inputs);
    if (!spec.count) return dataset;
    if (*spec.count < 1)
      fail(ErrorCode::kInvalidArgument, "expected a count of at least 1 image, got {}",
           *spec.count);
    return first_images(dataset, *spec.count);
  });
}

namespace dataset {

InputMaker::InputMaker(const std::vector<DatasetInput>& inputs) {
  if (inputs.size() != 1) {
    fail(ErrorCode::kUnsupported,
         "the network has {}, images are the input of a network with one; of several, "
         "npz:FILE "
         "has arrays of their names",
         counted(inputs.size(), "input"));
  }
  type_ = inputs[0].type;
  image_ = inputs[0].image;
  if (type_.dtype != DType::kFloat32 || type_.shape.size() != 4 || type_.shape[0] != 1) {
    fail(ErrorCode::kUnsupported, "network input: expected an image float32[1, c, h, w], got {}",
         to_string(type_));
  }
}

void InputMaker::require_image_spec() const {
  if (!image_) host::fail_without_image_spec();
}

Tensor InputMaker::operator()(const host::Image& image) const {
  return host::preprocess(image, *image_, type_.shape);
}

std::vector<std::filesystem::path> sorted_content(const std::filesystem::path& folder,
                                                  bool (*wanted)(const std::filesystem::path&)) {
  std::vector<std::filesystem::path> content;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (wanted(entry.path())) content.push_back(entry.path());
  }
  std::ranges::sort(content, {}, [](const auto& path) { return path.string(); });
  return content;
}

std::function<std::vector<Tensor>(int64_t)> only_input(std::function<Tensor(int64_t)> input) {
  return [input = std::move(input)](int64_t image) {
    std::vector<Tensor> inputs;
    inputs.push_back(input(image));
    return inputs;
  };
}

host::Image interleave(std::span<const uint8_t> planes, int64_t channels, int64_t height,
                       int64_t width) {
  host::Image image = {width, height, {}};
  const int64_t pixels = width * height;
  image.rgb.resize(3 * pixels);
  for (int64_t i = 0; i < pixels; ++i) {
    for (int64_t c = 0; c < 3; ++c)
      image.rgb[3 * i + c] = planes[(channels == 3 ? c * pixels : 0) + i];
  }
  return image;
}

}  // namespace dataset
}  // namespace vta
