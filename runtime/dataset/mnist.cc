// SPDX-License-Identifier: Apache-2.0
//
// IDX files: a magic number with element type and number of axes, the size of each axis, the bytes.
// Numbers are big-endian uint32.
#include <algorithm>
#include <memory>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/gzip.h"
#include "runtime/dataset/formats.h"

namespace vta::dataset {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;
constexpr int64_t kMaxSide = 1 << 12;

// A file whose header has been checked.
class IdxFile {
 public:
  IdxFile(const fs::path& path, size_t num_axes)
      : file_(read_file(path, kMaxBytes)), header_bytes_(4 * (1 + num_axes)) {
    const std::vector<uint8_t> header =
        is_gzip(file_)
            ? gunzip_start(file_, header_bytes_)
            : std::vector(file_.begin(), file_.begin() + std::min(file_.size(), header_bytes_));
    // 0x08: unsigned bytes
    if (header.size() < header_bytes_ ||
        number(header, 0) != static_cast<int64_t>(0x0800 + num_axes)) {
      fail(ErrorCode::kCorrupt, "not an IDX file of bytes with {}", counted(num_axes, "axis"));
    }
    for (size_t axis = 0; axis < num_axes; ++axis) {
      shape_.push_back(number(header, 1 + axis));
      elems_ = elems_ > kMaxBytes ? elems_ : elems_ * static_cast<uint64_t>(shape_.back());
    }
    if (elems_ > kMaxBytes) {
      fail(ErrorCode::kCorrupt, "shape [{}], expected at most {} elements", fmt::join(shape_, ", "),
           kMaxBytes);
    }
  }

  const std::vector<int64_t>& shape() const { return shape_; }

  std::vector<uint8_t> elements() const {
    const uint64_t size = header_bytes_ + elems_;
    std::vector<uint8_t> bytes = is_gzip(file_) ? gunzip(file_, size) : file_;
    if (bytes.size() != size) {
      fail(ErrorCode::kCorrupt, "{} after the header, shape [{}] needs {}",
           counted(bytes.size() - header_bytes_, "byte"), fmt::join(shape_, ", "), elems_);
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<int64_t>(header_bytes_));
    return bytes;
  }

 private:
  static int64_t number(const std::vector<uint8_t>& header, size_t index) {
    const uint8_t* p = header.data() + 4 * index;
    return int64_t{p[0]} << 24 | int64_t{p[1]} << 16 | int64_t{p[2]} << 8 | int64_t{p[3]};
  }

  const std::vector<uint8_t> file_;
  const size_t header_bytes_;
  std::vector<int64_t> shape_;
  uint64_t elems_ = 1;
};

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
  const IdxFile images(path, 3);
  const int64_t count = images.shape()[0], height = images.shape()[1], width = images.shape()[2];
  if (count < 1 || height < 1 || width < 1 || height > kMaxSide || width > kMaxSide) {
    fail(ErrorCode::kCorrupt, "images of shape [{}]", fmt::join(images.shape(), ", "));
  }
  const fs::path labels_path = labels_file(path);
  const IdxFile labels =
      with_context(labels_path.string(), [&] { return IdxFile(labels_path, 1); });
  if (labels.shape()[0] != count) {
    fail(ErrorCode::kCorrupt, "{}, but {} has {}", counted(count, "image"), labels_path.string(),
         counted(labels.shape()[0], "label"));
  }
  const auto pixels = std::make_shared<const std::vector<uint8_t>>(images.elements());
  const auto classes = with_context(labels_path.string(), [&] { return labels.elements(); });
  Dataset dataset;
  dataset.num_images = count;
  dataset.labels.assign(classes.begin(), classes.end());
  dataset.inputs = only_input([=](int64_t image) {
    const int64_t size = height * width;
    return maker(interleave(std::span(*pixels).subspan(image * size, size), 1, height, width));
  });
  return dataset;
}

}  // namespace vta::dataset
