// SPDX-License-Identifier: Apache-2.0
#include "compiler/calibration.h"

#include <algorithm>
#include <filesystem>

#include "base/files/array_file.h"
#include "configs/config_files.h"
#include "runtime/host/array_input.h"
#include "runtime/host/image.h"
#include "runtime/host/network_input.h"

namespace vta {
namespace {

constexpr char kImagesArray[] = "images";
constexpr const char* kSampleImage = "samples/landscape.png";

std::vector<std::vector<Tensor>> images_of_file(const std::filesystem::path& path,
                                                const TensorType& type) {
  const ArrayFile arrays(path);
  const auto images = arrays.headers().find(kImagesArray);
  if (images == arrays.headers().end())
    fail(ErrorCode::kInvalidArgument, "{}: no array '{}'", path.string(), kImagesArray);
  with_context(path.string(), [&] { host::count_inputs(images->second, kImagesArray, type); });
  const NamedArray elements = arrays.read(kImagesArray);
  return with_context(path.string(), [&] {
    std::vector<std::vector<Tensor>> sets;
    for (Tensor& image : host::array_inputs(elements, kImagesArray, type))
      sets.push_back({std::move(image)});
    return sets;
  });
}

}  // namespace

Calibration own_calibration(const import::Network& network) {
  const std::vector<graph::NodeId> inputs = network.graph.inputs();
  if (inputs.size() != 1 || (network.calibration.empty() && !network.image)) {
    std::vector<Tensor> noise;
    for (graph::NodeId id : inputs)
      noise.push_back(host::noise_input(network.graph.node(id).type, noise.size() + 1));
    return {{std::move(noise)}, kNoise};
  }
  const TensorType& type = network.graph.node(inputs[0]).type;
  if (!network.calibration.empty()) {
    const auto path = find_beside(network.calibration, network.folder);
    return {images_of_file(path, type), network.calibration};
  }
  const std::string name = network.sample.empty() ? kSampleImage : network.sample;
  const host::Image image = host::read_image(find_beside(name, network.folder));
  return {{{host::preprocess(image, *network.image, type.shape)}}, name};
}

}  // namespace vta
