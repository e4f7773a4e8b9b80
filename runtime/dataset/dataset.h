// SPDX-License-Identifier: Apache-2.0
//
// Data sets: labelled images, or samples of several inputs, from files.
#ifndef VTA_RUNTIME_DATASET_DATASET_H_
#define VTA_RUNTIME_DATASET_DATASET_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta {

// The syntax of a data set on the command line.
inline constexpr const char* kDatasetForms =
    "cifar10:FILE[:COUNT]|imagefolder:DIR[:COUNT]|mnist:FILE[:COUNT]|npz:FILE-OR-DIR[:COUNT]";

struct DatasetSpec {
  enum class Kind { kCifar10, kImageFolder, kMnist, kNpz };
  Kind kind = Kind::kCifar10;
  std::filesystem::path path;    // a file; a folder for kImageFolder; either for kNpz
  std::optional<int64_t> count;  // the first `count` images, or all if there are fewer; none: all
};

// Errors: kInvalidArgument, with the syntax.
DatasetSpec parse_dataset_spec(const std::string& text);

// An input of a network.
struct DatasetInput {
  std::string name;
  TensorType type;  // of one image: [1, ...]
  std::optional<ImageSpec> image = {};
};

// Images are converted to inputs on demand, so a large data set needs little memory. A sample of
// several inputs counts as an image.
struct Dataset {
  int64_t num_images = 0;
  std::vector<int64_t> labels;  // one per image; empty if the data set has none
  bool preprocesses = true;  // pixels, according to DatasetInput::image; false: arrays as they are
  // Every input of the network, [1, ...] each, of one image. Thread-safe.
  // Errors: any error of decoding and preprocessing, naming the file.
  std::function<std::vector<Tensor>(int64_t image)> inputs;
};

// The inputs of all images; they must fit into memory.
std::vector<std::vector<Tensor>> all_inputs(const Dataset& dataset);

// The first `limit` images, or all if there are fewer.
Dataset first_images(Dataset dataset, int64_t limit);

// `count` evenly spaced images, starting with the first, or all if there are fewer.
Dataset spread_images(const Dataset& dataset, int64_t count);

// Sets of `batch` images as one image, [batch, ...] or a multiple of an image's first axis; the
// last set repeats its first image. Without labels.
Dataset in_batches(Dataset dataset, int64_t batch);

// Opens a data set for a network with these inputs. All formats but npz require a single one,
// float32 [1, c, h, w], whose images are preprocessed according to its `image`.
//   cifar10      records of a label byte (0 to 9) and 3072 bytes of red, green and blue planes,
//                32 x 32
//   imagefolder  JPEG, PNG, WebP and BMP files, listed in `classes.txt` with a line "NUMBER FILE"
//                each, or in one subfolder per class; or in the folder itself, without labels. If
//                all subfolder names are integers they are the class numbers; otherwise classes are
//                0, 1, 2, ... in the byte order of the names.
//   mnist        an IDX file of images and, in the same folder, the file of labels, whose name has
//                "labels-idx1" instead of "images-idx3"; plain or compressed by gzip
//   npz          for a single image input `images` [count, c, h, w]: float32 inputs, or uint8
//   planes to preprocess; else
//                for each input an array of its name, [count, ...], numbers as the network takes
//                them; optional `labels` [count], integers. Of a folder, the images of all its .npz
//                files in the byte order of their names; they are read on demand
// Errors: kNotFound, kCorrupt, kInvalidArgument, kUnsupported, naming the file and the record.
Dataset open_dataset(const DatasetSpec& spec, const std::vector<DatasetInput>& inputs);

}  // namespace vta

#endif  // VTA_RUNTIME_DATASET_DATASET_H_
