// SPDX-License-Identifier: Apache-2.0
#include "compiler/calibration.h"

#include <algorithm>
#include <filesystem>

#include "configs/config_files.h"
#include "runtime/base/array_file.h"
#include "runtime/host/image.h"
#include "runtime/host/network_input.h"

namespace vta {
namespace {

constexpr char kImagesArray[] = "images";
constexpr const char* kSampleImage = "samples/landscape.png";

const TensorType& input_type(const import::Network& network) {
  const auto inputs = network.graph.inputs();
  if (inputs.size() != 1) {
    fail(ErrorCode::kInvalidArgument,
         "{}: has {} inputs; a network of several inputs needs calibration inputs from the caller",
         network.graph.name, inputs.size());
  }
  return network.graph.node(inputs[0]).type;
}

std::vector<Tensor> images_of_file(const std::filesystem::path& path, const TensorType& type) {
  const NamedArrays arrays = read_arrays(path);
  const auto images = arrays.find(kImagesArray);
  if (images == arrays.end())
    fail(ErrorCode::kInvalidArgument, "{}: no array '{}'", path.string(), kImagesArray);
  const NamedArray& array = images->second;
  const bool fits = array.is_floating() && array.shape.size() == type.shape.size() &&
                    type.shape[0] == 1 &&
                    std::equal(type.shape.begin() + 1, type.shape.end(), array.shape.begin() + 1);
  if (!fits) {
    fail(ErrorCode::kInvalidArgument, "{}: '{}' is {}, the network's input is {}", path.string(),
         kImagesArray, array.type_text(), to_string(type));
  }
  const std::vector<float> values = array.to_floats();
  std::vector<Tensor> tensors;
  for (int64_t i = 0; i < array.shape[0]; ++i) {
    Tensor tensor(type);
    std::copy_n(values.begin() + i * type.num_elems(), type.num_elems(),
                tensor.mutable_data<float>().begin());
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace

Calibration own_calibration(const import::Network& network) {
  const TensorType& type = input_type(network);
  if (!network.calibration.empty()) {
    const auto path = find_beside(network.calibration, network.folder);
    return {images_of_file(path, type), network.calibration};
  }
  if (!network.image) return {{host::noise_input(type, 1)}, kNoise};
  const std::string name = network.sample.empty() ? kSampleImage : network.sample;
  const host::Image image = host::read_image(find_beside(name, network.folder));
  return {{host::preprocess(image, *network.image, type.shape)}, name};
}

}  // namespace vta
