// SPDX-License-Identifier: Apache-2.0
//
// Files that users name become network inputs, and class numbers become names.
#ifndef VTA_SIM_TOOL_NETWORK_INPUT_H_
#define VTA_SIM_TOOL_NETWORK_INPUT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/host/image.h"
#include "runtime/program/program.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// What networks without pictures run on if nothing else is said.
inline constexpr const char* kDefaultNoise = "noise:1";

// An input of `type` from a JPEG or PNG file, preprocessed as `image` says; from an .npz file with
// one array of this type; or standard normals, "noise:SEED". Errors: kNotFound, kCorrupt,
// kUnsupported, kInvalidArgument (no way to make an input of the picture or the array).
Tensor read_input(const std::filesystem::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image);

// Whether `file` is a picture: neither an array nor noise.
bool names_picture(const std::filesystem::path& file);

// A picture as an input of `type`, which must be float32 [1, c, h, w].
Tensor picture_to_input(const host::Image& picture, const TensorType& type, const ImageSpec& image);

// One class name a line. Errors: kNotFound; kInvalidArgument if there are not `num_classes` of
// them.
std::vector<std::string> read_labels(const std::filesystem::path& file, int64_t num_classes);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_NETWORK_INPUT_H_
