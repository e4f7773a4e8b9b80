// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "runtime/dataset/formats.h"

namespace vta::dataset {
namespace {

constexpr int64_t kSide = 32;
constexpr int64_t kImageBytes = 3 * kSide * kSide;
constexpr int64_t kRecordBytes = 1 + kImageBytes;
constexpr int64_t kClasses = 10;

}  // namespace

Dataset read_cifar10(const std::filesystem::path& path, const std::vector<DatasetInput>& inputs) {
  const InputMaker maker(inputs);
  maker.require_image_spec();
  const auto bytes = std::make_shared<const std::vector<uint8_t>>(read_file(path));
  if (bytes->empty() || bytes->size() % kRecordBytes != 0) {
    fail(ErrorCode::kCorrupt, "{} bytes are not a multiple of a CIFAR-10 record, {} bytes",
         bytes->size(), kRecordBytes);
  }
  Dataset dataset;
  dataset.num_images = static_cast<int64_t>(bytes->size()) / kRecordBytes;
  for (int64_t i = 0; i < dataset.num_images; ++i) {
    const int64_t label = (*bytes)[i * kRecordBytes];
    if (label >= kClasses) {
      fail(ErrorCode::kCorrupt, "record {} has label {}, expected 0 to {}", i, label, kClasses - 1);
    }
    dataset.labels.push_back(label);
  }
  dataset.inputs = only_input([bytes, maker](int64_t image) {
    const auto planes = std::span(*bytes).subspan(image * kRecordBytes + 1, kImageBytes);
    return maker(interleave(planes, 3, kSide, kSide));
  });
  return dataset;
}

}  // namespace vta::dataset
