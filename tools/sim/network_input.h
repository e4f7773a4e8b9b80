// SPDX-License-Identifier: Apache-2.0
//
// Files that users name become network inputs.
#ifndef VTA_TOOLS_SIM_NETWORK_INPUT_H_
#define VTA_TOOLS_SIM_NETWORK_INPUT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// The default input of networks that do not take images.
inline constexpr const char* kDefaultNoise = "noise:1";

// What a user names as input: a file, or NAME=FILE for a network's input of that name. A file whose
// name has a '=' is a file.
struct NamedFile {
  std::string name;  // "": none
  std::filesystem::path file;
};
NamedFile parse_named_file(const std::string& text);

// The files of one run, by input of the program.
using InputFiles = std::vector<std::filesystem::path>;

// The runs that `texts` name. For a program with one input each text is a run. With several inputs,
// each NAME=FILE is the next file of that input, and a FILE alone is an .npz with arrays of all
// names. Errors: kInvalidArgument for an unknown or missing name.
std::vector<InputFiles> input_files(const Program& program, const std::vector<std::string>& texts);

// "digit.png", or of several inputs "ids=a.npy, mask=b.npy".
std::string text_of(const Program& program, const InputFiles& files);

// Reads input `index` of the program, one image of its batch.
Tensor read_program_input(const Program& program, size_t index, const std::filesystem::path& file,
                          bool invert);

// Reads an input of `type`: a JPEG, PNG, WebP or BMP file, preprocessed according to `image` and
// inverted before if `invert`. Or an .npz or .npy file with one array of this type, or with one
// named `name`; or "noise:SEED", host::noise_input(). Errors: kNotFound, kCorrupt, kUnsupported;
// kInvalidArgument if the image or array does not fit.
Tensor read_input(const std::filesystem::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image, bool invert = false,
                  const std::string& name = "");

// True if `file` names an image, that is, neither an array nor noise.
bool names_image(const std::filesystem::path& file);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_NETWORK_INPUT_H_
