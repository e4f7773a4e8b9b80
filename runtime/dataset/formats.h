// SPDX-License-Identifier: Apache-2.0
//
// The readers of the formats, which dataset.h describes.
#ifndef VTA_RUNTIME_DATASET_FORMATS_H_
#define VTA_RUNTIME_DATASET_FORMATS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/files/array_file.h"
#include "runtime/dataset/dataset.h"
#include "runtime/host/image.h"

namespace vta::dataset {

// Converts images to network inputs.
class InputMaker {
 public:
  // Errors: kUnsupported unless there is one input, float32 [1, c, h, w].
  explicit InputMaker(const std::vector<DatasetInput>& inputs);

  const TensorType& type() const { return type_; }

  // Errors: kInvalidArgument without an ImageSpec.
  void require_image_spec() const;

  // Call require_image_spec() first.
  Tensor operator()(const host::Image& image) const;

 private:
  TensorType type_;
  std::optional<ImageSpec> image_;
};

// One reader per format. Error messages do not name the path; the caller adds it.
Dataset read_cifar10(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs);
Dataset read_image_folder(const std::filesystem::path& path,
                          const std::vector<DatasetInput>& inputs);
Dataset read_mnist(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs);
Dataset read_npz(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs);

// Parts of read_npz(): one file; its arrays if they are images; its labels, none if it has none.
inline constexpr const char* kImagesArray = "images";
Dataset read_npz_file(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs);
Dataset image_dataset(const ArrayFile& arrays, const InputMaker& maker);
// Only headers are looked at, before the images are read.
void check_labels(const ArrayFile& arrays, int64_t num_images);
std::vector<int64_t> labels_of(const ArrayFile& arrays);

// The files and folders of `folder` that are `wanted`, in the byte order of their names.
std::vector<std::filesystem::path> sorted_content(const std::filesystem::path& folder,
                                                  bool (*wanted)(const std::filesystem::path&));

// `inputs` of a Dataset for a network with one input.
std::function<std::vector<Tensor>(int64_t)> only_input(std::function<Tensor(int64_t)> input);

// An image from planes of bytes [channels][height][width]: one channel (gray) or three (red, green,
// blue).
host::Image interleave(std::span<const uint8_t> planes, int64_t channels, int64_t height,
                       int64_t width);

}  // namespace vta::dataset

#endif  // VTA_RUNTIME_DATASET_FORMATS_H_
