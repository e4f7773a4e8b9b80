// SPDX-License-Identifier: Apache-2.0
//
// Labelled images from a file, as inputs of a network.
#ifndef VTA_SIM_TOOL_DATASET_H_
#define VTA_SIM_TOOL_DATASET_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// What the command line says: "cifar10:FILE[:COUNT]" or "npz:FILE[:COUNT]".
struct DatasetSpec {
  enum class Kind { kCifar10, kNpz };
  Kind kind = Kind::kCifar10;
  std::filesystem::path file;
  std::optional<int64_t> count;  // of images, from the start; all of them without it
};

// Errors: kInvalidArgument, showing the forms.
DatasetSpec parse_dataset_spec(const std::string& text);

struct Dataset {
  std::vector<Tensor> inputs;   // float32 [1, c, h, w] each
  std::vector<int64_t> labels;  // as many as inputs; empty if the file has none
};

// Reads the images and makes inputs of type `input` (float32 [1, c, h, w]) of them.
//   cifar10  records of a label byte and 3072 bytes of red, green and blue planes, 32 x 32
//   npz      `images` [count, c, h, w]: float32, used as they are, or uint8 planes; `labels`
//   [count], integers,
//            which may be missing
// Pictures of bytes are preprocessed as `image` says. The file is looked for as named, then beside
// the installed networks. Errors: kNotFound, kCorrupt, kInvalidArgument, naming the file and what
// does not fit.
Dataset read_dataset(const DatasetSpec& spec, const TensorType& input,
                     const std::optional<ImageSpec>& image);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_DATASET_H_
