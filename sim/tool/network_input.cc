// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/network_input.h"

#include <charconv>
#include <sstream>
#include <string_view>

#include "compiler/import/network.h"
#include "runtime/base/array_file.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "runtime/host/image.h"

namespace vta::sim {
namespace fs = std::filesystem;

namespace {

std::optional<uint64_t> noise_seed(const std::string& name) {
  constexpr std::string_view kPrefix = "noise:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  uint64_t seed = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, seed);
  if (error != std::errc() || stop != end) {
    fail(ErrorCode::kInvalidArgument, "'{}': noise:SEED needs a number from 0 to 2^64 - 1", name);
  }
  return seed;
}

Tensor read_array_input(const fs::path& file, const TensorType& type) {
  const NamedArrays arrays = read_arrays(file);
  if (arrays.size() != 1) {
    fail(ErrorCode::kInvalidArgument, "{}: {} arrays, expected one", file.string(), arrays.size());
  }
  const auto& [name, array] = *arrays.begin();
  if (!array.is_floating() || array.shape != type.shape) {
    fail(ErrorCode::kInvalidArgument, "{}: array '{}' is {}, the network's input is {}",
         file.string(), name, array.type_text(), to_string(type));
  }
  return Tensor(type.shape, array.to_floats());
}

Tensor image_to_input(const host::Image& pixels, const TensorType& type, const ImageSpec& image) {
  if (type.shape.size() != 4 || type.shape[0] != 1 || type.dtype != DType::kFloat32) {
    fail(ErrorCode::kUnsupported, "cannot make an input of type {} from an image", to_string(type));
  }
  return host::preprocess(pixels, image, type.shape[1], type.shape[2], type.shape[3]);
}

}  // namespace

bool names_image(const fs::path& file) {
  return !noise_seed(file.string()) && file.extension() != ".npz";
}

Tensor read_input(const fs::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image) {
  if (const auto seed = noise_seed(file.string())) return import::noise_input(type, *seed);
  if (file.extension() == ".npz") return read_array_input(file, type);
  const host::Image pixels = host::read_image(file);
  if (!image) {
    fail(ErrorCode::kInvalidArgument,
         "{}: the network does not define how images become its input (`input.image` of a "
         "network file, which may name an ONNX model)",
         file.string());
  }
  return with_context(file.string(), [&] { return image_to_input(pixels, type, *image); });
}

std::vector<std::string> read_labels(const fs::path& file, int64_t num_classes) {
  std::istringstream text(read_text_file(file));
  std::vector<std::string> labels;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  if (static_cast<int64_t>(labels.size()) != num_classes) {
    fail(ErrorCode::kInvalidArgument, "{}: {} labels for a network of {} classes", file.string(),
         labels.size(), num_classes);
  }
  return labels;
}

}  // namespace vta::sim
