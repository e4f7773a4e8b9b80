// SPDX-License-Identifier: Apache-2.0
//
// The readers of the formats, which dataset.h describes.
#ifndef VTA_RUNTIME_DATASET_FORMATS_H_
#define VTA_RUNTIME_DATASET_FORMATS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "runtime/dataset/dataset.h"
#include "runtime/host/image.h"

namespace vta::dataset {

// Converts images to network inputs.
class InputMaker {
 public:
  // Errors: kUnsupported unless `type` is float32 [1, c, h, w].
  InputMaker(TensorType type, std::optional<ImageSpec> image);

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
Dataset read_cifar10(const std::filesystem::path& path, const InputMaker& maker);
Dataset read_image_folder(const std::filesystem::path& path, const InputMaker& maker);
Dataset read_mnist(const std::filesystem::path& path, const InputMaker& maker);
Dataset read_npz(const std::filesystem::path& path, const InputMaker& maker);

// An image from planes of bytes [channels][height][width]: one channel (gray) or three (red, green,
// blue).
host::Image interleave(std::span<const uint8_t> planes, int64_t channels, int64_t height,
                       int64_t width);

}  // namespace vta::dataset

#endif  // VTA_RUNTIME_DATASET_FORMATS_H_
