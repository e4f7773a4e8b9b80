// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "runtime/dataset/formats.h"

namespace vta::dataset {
namespace {

namespace fs = std::filesystem;

// The files of a folder, of which the one that was read last is kept.
class ArrayFolder {
 public:
  ArrayFolder(std::vector<fs::path> files, std::vector<DatasetInput> inputs)
      : files_(std::move(files)), inputs_(std::move(inputs)) {}

  Dataset read(size_t file) const {
    const std::string name = files_[file].string();
    try {
      return read_npz_file(files_[file], inputs_);
    } catch (const Error& error) {
      if (std::string(error.what()).starts_with(name)) throw;
      throw Error(error.code(), name + ": " + error.what());
    }
  }

  // The number of images of each file is that of the first reading.
  std::vector<Tensor> inputs_of(size_t file, int64_t image, int64_t num_images) {
    const std::shared_ptr<const Dataset> dataset = kept(file);
    if (dataset->num_images != num_images) {
      fail(ErrorCode::kCorrupt, "{}: {}, before {}", files_[file].string(),
           counted(dataset->num_images, "image"), num_images);
    }
    return dataset->inputs(image);
  }

 private:
  std::shared_ptr<const Dataset> kept(size_t file) {
    const std::lock_guard lock(mutex_);
    if (!last_ || last_file_ != file) {
      last_ = std::make_shared<const Dataset>(read(file));
      last_file_ = file;
    }
    return last_;
  }

  const std::vector<fs::path> files_;
  const std::vector<DatasetInput> inputs_;
  std::mutex mutex_;  // guards the members below
  std::shared_ptr<const Dataset> last_;
  size_t last_file_ = 0;
};

Dataset read_folder(const fs::path& path, const std::vector<DatasetInput>& inputs) {
  const auto files =
      sorted_content(path, [](const fs::path& file) { return file.extension() == ".npz"; });
  if (files.empty()) fail(ErrorCode::kInvalidArgument, "no .npz files in this folder");
  const auto folder = std::make_shared<ArrayFolder>(files, inputs);
  Dataset all;
  std::vector<int64_t> ends;  // of the images of each file, in all
  for (size_t i = 0; i < files.size(); ++i) {
    const Dataset one = folder->read(i);
    if (i > 0 && one.labels.empty() != all.labels.empty()) {
      fail(ErrorCode::kInvalidArgument, "{}: {} labels, unlike {}", files[i].string(),
           one.labels.empty() ? "without" : "with", files[0].filename().string());
    }
    all.labels.insert(all.labels.end(), one.labels.begin(), one.labels.end());
    all.num_images += one.num_images;
    all.preprocesses = all.preprocesses && one.preprocesses;
    ends.push_back(all.num_images);
  }
  all.inputs = [folder, ends](int64_t image) {
    const auto file = static_cast<size_t>(std::ranges::upper_bound(ends, image) - ends.begin());
    const int64_t first = file == 0 ? 0 : ends[file - 1];
    return folder->inputs_of(file, image - first, ends[file] - first);
  };
  return all;
}

}  // namespace

Dataset read_npz(const fs::path& path, const std::vector<DatasetInput>& inputs) {
  return fs::is_directory(path) ? read_folder(path, inputs) : read_npz_file(path, inputs);
}

}  // namespace vta::dataset
