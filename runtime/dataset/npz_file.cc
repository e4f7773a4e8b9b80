// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/error.h"
#include "runtime/dataset/formats.h"
#include "runtime/host/array_input.h"

namespace vta::dataset {
namespace {

std::string names_of(const std::vector<DatasetInput>& inputs) {
  std::vector<std::string> names;
  for (const DatasetInput& input : inputs) names.push_back(input.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The rows of the array of each input.
std::vector<std::vector<Tensor>> named_rows(const NamedArrays& arrays,
                                            const std::vector<DatasetInput>& inputs) {
  std::vector<std::vector<Tensor>> of_input;
  for (const DatasetInput& input : inputs) {
    const auto found = arrays.find(input.name);
    if (found == arrays.end()) {
      fail(ErrorCode::kInvalidArgument,
           "array '{}' is missing; expected one for each input of the network: {}", input.name,
           names_of(inputs));
    }
    of_input.push_back(host::array_inputs(found->second, input.name, input.type));
    if (of_input.back().size() != of_input[0].size()) {
      fail(ErrorCode::kInvalidArgument, "array '{}' has {} rows, array '{}' has {}", input.name,
           of_input.back().size(), inputs[0].name, of_input[0].size());
    }
  }
  return of_input;
}

Dataset named_dataset(const NamedArrays& arrays, const std::vector<DatasetInput>& inputs) {
  const auto of_input =
      std::make_shared<const std::vector<std::vector<Tensor>>>(named_rows(arrays, inputs));
  Dataset dataset;
  dataset.num_images = std::ssize(of_input->at(0));
  dataset.labels = labels_of(arrays, dataset.num_images);
  dataset.preprocesses = false;
  dataset.inputs = [of_input](int64_t image) {
    std::vector<Tensor> result;
    for (const std::vector<Tensor>& rows : *of_input)
      result.push_back(rows[static_cast<size_t>(image)]);
    return result;
  };
  return dataset;
}

}  // namespace

std::vector<int64_t> labels_of(const NamedArrays& arrays, int64_t num_images) {
  const auto found = arrays.find("labels");
  if (found == arrays.end()) return {};
  const NamedArray& labels = found->second;
  if (labels.is_floating() || labels.shape.size() != 1 || labels.shape[0] != num_images) {
    fail(ErrorCode::kInvalidArgument, "labels are {}, expected one integer per image ({})",
         labels.type_text(), num_images);
  }
  return labels.to_integers();
}

Dataset read_npz_file(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs) {
  NamedArrays arrays = read_arrays(path);
  const bool has_name = inputs.size() == 1 && arrays.contains(inputs[0].name);
  if (inputs.size() != 1 || (has_name && !arrays.contains(kImagesArray)))
    return named_dataset(arrays, inputs);
  return image_dataset(std::move(arrays), InputMaker(inputs));
}

}  // namespace vta::dataset
