// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/network_input.h"

#include <sstream>

#include "runtime/base/error.h"
#include "runtime/base/file.h"

namespace vta::sim {
namespace fs = std::filesystem;

Tensor picture_to_input(const host::Image& picture, const TensorType& type,
                        const ImageSpec& image) {
  if (type.shape.size() != 4 || type.shape[0] != 1 || type.dtype != DType::kFloat32) {
    fail(ErrorCode::kUnsupported, "an input of type {} cannot be made of a picture",
         to_string(type));
  }
  const host::Preprocessing spec = {image.resize_short_side, image.channels, image.scale,
                                    image.mean, image.stddev};
  return host::preprocess(picture, spec, type.shape[1], type.shape[2], type.shape[3]);
}

Tensor read_input(const fs::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image) {
  const host::Image picture = host::read_image(file);
  if (!image) {
    fail(ErrorCode::kInvalidArgument,
         "{}: the network does not say how a picture becomes its input", file.string());
  }
  return with_context(file.string(), [&] { return picture_to_input(picture, type, *image); });
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
