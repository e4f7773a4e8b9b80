// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/network_input.h"

#include "runtime/base/array_file.h"
#include "runtime/base/error.h"
#include "runtime/host/network_input.h"

namespace vta::sim {
namespace fs = std::filesystem;

namespace {

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

}  // namespace

bool names_image(const fs::path& file) {
  return !host::noise_seed(file.string()) && file.extension() != ".npz";
}

Tensor read_input(const fs::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image) {
  if (const auto seed = host::noise_seed(file.string())) return host::noise_input(type, *seed);
  if (file.extension() == ".npz") return read_array_input(file, type);
  return host::read_image_input(file, type, image);
}

}  // namespace vta::sim
