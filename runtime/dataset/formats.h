// SPDX-License-Identifier: Apache-2.0
//
// What the readers of the formats share. dataset.h says what each of them reads.
#ifndef VTA_RUNTIME_DATASET_FORMATS_H_
#define VTA_RUNTIME_DATASET_FORMATS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "runtime/dataset/dataset.h"
#include "runtime/host/image.h"

namespace vta::dataset {

// Makes pictures into inputs.
class InputMaker {
 public:
  // Errors: kUnsupported unless `type` is float32 [1, c, h, w].
  InputMaker(TensorType type, std::optional<ImageSpec> image);

  const TensorType& type() const { return type_; }

  // Errors: kInvalidArgument if the network does not say how pictures become inputs.
  void require_image_spec() const;

  // After require_image_spec().
  Tensor operator()(const host::Image& picture) const;

 private:
  TensorType type_;
  std::optional<ImageSpec> image_;
};

// Each of them reads its format from `path`; messages do not name the path yet.
Dataset read_cifar10(const std::filesystem::path& path, const InputMaker& maker);
Dataset read_image_folder(const std::filesystem::path& path, const InputMaker& maker);
Dataset read_mnist(const std::filesystem::path& path, const InputMaker& maker);
Dataset read_npz(const std::filesystem::path& path, const InputMaker& maker);

// Planes of bytes [channels][height][width], one channel (gray) or three (red, green, blue), as a
// picture.
host::Image interleave(std::span<const uint8_t> planes, int64_t channels, int64_t height,
                       int64_t width);

}  // namespace vta::dataset

#endif  // VTA_RUNTIME_DATASET_FORMATS_H_
