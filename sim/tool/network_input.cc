// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/network_input.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/array_file.h"
#include "runtime/base/error.h"
#include "runtime/host/network_input.h"

namespace vta::sim {
namespace fs = std::filesystem;

namespace {

bool names_array(const fs::path& file) {
  return file.extension() == ".npz" || file.extension() == ".npy";
}

Tensor read_array_input(const fs::path& file, const TensorType& type) {
  const NamedArrays arrays = read_arrays(file);
  if (arrays.size() != 1) {
    fail(ErrorCode::kInvalidArgument, "{}: {} arrays, expected one", file.string(), arrays.size());
  }
  const auto& [name, array] = *arrays.begin();
  if (array.shape != type.shape) {
    fail(ErrorCode::kInvalidArgument, "{}: array '{}' is {}, the network's input is {}",
         file.string(), name, array.type_text(), to_string(type));
  }
  const std::vector<float> values = array.to_floats();
  const auto wrong = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
  if (wrong != values.end()) {
    fail(ErrorCode::kInvalidArgument,
         "{}: element {} of array '{}' is {}, expected a finite number", file.string(),
         wrong - values.begin(), name, *wrong);
  }
  return Tensor(type.shape, values);
}

}  // namespace

bool names_image(const fs::path& file) {
  return !host::noise_seed(file.string()) && !names_array(file);
}

Tensor read_input(const fs::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image, bool invert) {
  if (const auto seed = host::noise_seed(file.string())) return host::noise_input(type, *seed);
  if (names_array(file)) return read_array_input(file, type);
  return host::read_image_input(file, type, image, invert);
}

}  // namespace vta::sim
