// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "runtime/dataset/formats.h"
#include "runtime/host/array_input.h"

namespace vta::dataset {
namespace {

constexpr const char* kLabelsArray = "labels";

std::string names_of(const std::vector<DatasetInput>& inputs) {
  std::vector<std::string> names;
  for (const DatasetInput& input : inputs) names.push_back(input.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The number of images, by the headers.
int64_t count_images(const NamedArrays& headers, const std::vector<DatasetInput>& inputs) {
  std::vector<int64_t> counts;
  for (const DatasetInput& input : inputs) {
    const auto found = headers.find(input.name);
    if (found == headers.end()) {
      fail(ErrorCode::kInvalidArgument,
           "array '{}' is missing; expected one for each input of the network: {}", input.name,
           names_of(inputs));
    }
    counts.push_back(host::count_inputs(found->second, input.name, input.type));
    if (counts.back() != counts[0]) {
      fail(ErrorCode::kInvalidArgument, "array '{}' has {}, array '{}' has {}", input.name,
           counted(counts.back(), "row"), inputs[0].name, counts[0]);
    }
  }
  return counts.at(0);
}

// The rows of the array of each input.
std::vector<std::vector<Tensor>> named_rows(const ArrayFile& arrays,
                                            const std::vector<DatasetInput>& inputs) {
  std::vector<std::vector<Tensor>> of_input;
  for (const DatasetInput& input : inputs)
    of_input.push_back(host::array_inputs(arrays.read(input.name), input.name, input.type));
  return of_input;
}

Dataset named_dataset(const ArrayFile& arrays, const std::vector<DatasetInput>& inputs) {
  Dataset dataset;
  dataset.num_images = count_images(arrays.headers(), inputs);
  check_labels(arrays, dataset.num_images);
  dataset.labels = labels_of(arrays);
  const auto of_input =
      std::make_shared<const std::vector<std::vector<Tensor>>>(named_rows(arrays, inputs));
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

void check_labels(const ArrayFile& arrays, int64_t num_images) {
  const auto found = arrays.headers().find(kLabelsArray);
  if (found == arrays.headers().end()) return;
  const NamedArray& labels = found->second;
  if (labels.is_floating() || labels.shape.size() != 1 || labels.shape[0] != num_images) {
    fail(ErrorCode::kInvalidArgument, "labels are {}, expected one integer per image ({})",
         labels.type_text(), num_images);
  }
}

std::vector<int64_t> labels_of(const ArrayFile& arrays) {
  if (!arrays.headers().contains(kLabelsArray)) return {};
  return arrays.read(kLabelsArray).to_integers();
}

Dataset read_npz_file(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs) {
  const ArrayFile arrays(path);
  const NamedArrays& headers = arrays.headers();
  const bool has_name = inputs.size() == 1 && headers.contains(inputs[0].name);
  if (inputs.size() != 1 || (has_name && !headers.contains(kImagesArray)))
    return named_dataset(arrays, inputs);
  return image_dataset(arrays, InputMaker(inputs));
}

}  // namespace vta::dataset
