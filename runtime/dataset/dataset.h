// SPDX-License-Identifier: Apache-2.0
//
// Labelled images from files, as inputs of a network.
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

// How command lines name a data set.
inline constexpr const char* kDatasetForms =
    "cifar10:FILE[:COUNT]|imagefolder:DIR[:COUNT]|mnist:FILE[:COUNT]|npz:FILE[:COUNT]";

struct DatasetSpec {
  enum class Kind { kCifar10, kImageFolder, kMnist, kNpz };
  Kind kind = Kind::kCifar10;
  std::filesystem::path path;    // a file; of kImageFolder a folder
  std::optional<int64_t> count;  // of images, from the start; all of them without it
};

// Errors: kInvalidArgument, showing the forms.
DatasetSpec parse_dataset_spec(const std::string& text);

// Images are made into inputs when they are asked for, so that a large set needs little memory.
struct Dataset {
  int64_t num_images = 0;
  std::vector<int64_t> labels;  // as many as images; empty if there are none
  // float32 [1, c, h, w] of one image. Several threads may call it at once.
  // Errors: those of decoding and preprocessing, naming the file.
  std::function<Tensor(int64_t image)> input;
};

// Every input. For sets that fit into memory.
std::vector<Tensor> all_inputs(const Dataset& dataset);

// The first `limit` images, or all if there are fewer.
Dataset first_images(Dataset dataset, int64_t limit);

// `count` images, evenly spaced from the first one on, or all if there are fewer.
Dataset spread_images(const Dataset& dataset, int64_t count);

// Opens a data set for a network with an input of type `input` (float32 [1, c, h, w]); pictures are
// preprocessed as `image` says.
//   cifar10      records of a label byte (0 to 9) and 3072 bytes of red, green and blue planes,
//                32 x 32
//   imagefolder  JPEG and PNG files: a `classes.txt` beside them has a line "NUMBER FILE" for each,
//                or else every folder is a class. Folders named by whole numbers are those classes;
//                otherwise their classes are 0, 1, 2, ... in the order of their names' bytes.
//   mnist        an IDX file of images and the one of labels beside it, whose name has
//                "labels-idx1" where the other's has "images-idx3"; plain or compressed by gzip
//   npz          `images` [count, c, h, w]: float32, used as they are, or uint8 planes; `labels`
//                [count], integers, which may be missing
// Errors: kNotFound, kCorrupt, kInvalidArgument, kUnsupported, naming the file, the record and what
// does not fit.
Dataset open_dataset(const DatasetSpec& spec, const TensorType& input,
                     const std::optional<ImageSpec>& image);

}  // namespace vta

#endif  // VTA_RUNTIME_DATASET_DATASET_H_
