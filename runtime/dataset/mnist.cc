// SPDX-License-Identifier: Apache-2.0
//
// IDX files: a magic number with element type and number of axes, the size of each axis, the bytes.
// Numbers are big-endian uint32.
#include <memory>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/gzip.h"
#include "runtime/dataset/formats.h"

namespace vta::dataset {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;
constexpr int64_t kMaxSide = 1 << 12;

struct Idx {
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;  // the elements
};

Idx read_idx(const fs::path& path, size_t num_axes) {
  std::vector<uint8_t> file = read_file(path, kMaxBytes);
  if (is_gzip(file)) file = gunzip(file, kMaxBytes);
  const size_t header_bytes = 4 * (1 + num_axes);
  const auto number = [&](size_t index) {
    const uint8_t* p = file.data() + 4 * index;
    return int64_t{p[0]} << 24 | int64_t{p[1]} << 16 | int64_t{p[2]} << 8 | int64_t{p[3]};
  };
  // 0x08: unsigned bytes
  if (file.size() < header_bytes || number(0) != static_cast<int64_t>(0x0800 + num_axes)) {
    fail(ErrorCode::kCorrupt, "not an IDX file of bytes with {} axes", num_axes);
  }
  Idx idx;
  uint64_t elems = 1;
  for (size_t axis = 0; axis < num_axes; ++axis) {
    idx.shape.push_back(number(1 + axis));
    elems = elems > kMaxBytes ? elems : elems * static_cast<uint64_t>(idx.shape.back());
  }
  if (elems != file.size() - header_bytes) {
    fail(ErrorCode::kCorrupt, "{} bytes after the header, shape [{}] needs {}",
         file.size() - header_bytes, fmt::join(idx.shape, ", "), elems);
  }
  idx.bytes.assign(file.begin() + static_cast<int64_t>(header_bytes), file.end());
  return idx;
}

fs::path labels_file(const fs::path& images) {
  const std::string part = "images-idx3";
  std::string name = images.filename().string();
  const size_t at = name.rfind(part);
  if (at == std::string::npos) {
    fail(ErrorCode::kInvalidArgument,
         "the file name does not contain '{}', so the label file's name is unknown", part);
  }
  return images.parent_path() / name.replace(at, part.size(), "labels-idx1");
}

}  // namespace

Dataset read_mnist(const fs::path& path, const std::vector<DatasetInput>& inputs) {
  const InputMaker maker(inputs);
  maker.require_image_spec();
  const auto images = std::make_shared<const Idx>(read_idx(path, 3));
  const int64_t count = images->shape[0], height = images->shape[1], width = images->shape[2];
  if (count < 1 || height < 1 || width < 1 || height > kMaxSide || width > kMaxSide) {
    fail(ErrorCode::kCorrupt, "images of shape [{}]", fmt::join(images->shape, ", "));
  }
  const fs::path labels_path = labels_file(path);
  const Idx labels = with_context(labels_path.string(), [&] { return read_idx(labels_path, 1); });
  if (labels.shape[0] != count) {
    fail(ErrorCode::kCorrupt, "{} images, but {} has {} labels", count, labels_path.string(),
         labels.shape[0]);
  }
  Dataset dataset;
  dataset.num_images = count;
  dataset.labels.assign(labels.bytes.begin(), labels.bytes.end());
  dataset.inputs = only_input([=](int64_t image) {
    const int64_t size = height * width;
    return maker(
        interleave(std::span(images->bytes).subspan(image * size, size), 1, height, width));
  });
  return dataset;
}

}  // namespace vta::dataset
