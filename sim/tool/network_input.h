// SPDX-License-Identifier: Apache-2.0
//
// Files that users name become network inputs.
#ifndef VTA_SIM_TOOL_NETWORK_INPUT_H_
#define VTA_SIM_TOOL_NETWORK_INPUT_H_

#include <filesystem>
#include <optional>

#include "runtime/program/program.h"
#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// The default input of networks that do not take images.
inline constexpr const char* kDefaultNoise = "noise:1";

// Reads an input of `type`: a JPEG, PNG, WebP or BMP file, preprocessed according to `image` and
// inverted before if `invert`; an .npz or .npy file with one array of this type; or standard
// normals, "noise:SEED". Errors: kNotFound, kCorrupt, kUnsupported; kInvalidArgument if the image
// or array does not fit.
Tensor read_input(const std::filesystem::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image, bool invert = false);

// True if `file` names an image, that is, neither an array nor noise.
bool names_image(const std::filesystem::path& file);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_NETWORK_INPUT_H_
