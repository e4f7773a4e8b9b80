// SPDX-License-Identifier: Apache-2.0
//
// Images and noise as inputs of a network, and the names of its classes.
#ifndef VTA_RUNTIME_HOST_NETWORK_INPUT_H_
#define VTA_RUNTIME_HOST_NETWORK_INPUT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/host/image.h"
#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// The seed of an input named "noise:SEED"; nullopt for other names. Errors: kInvalidArgument for a
// seed that is not an integer from 0 to 2^64 - 1.
std::optional<uint64_t> noise_seed(const std::string& name);

// Standard normals from a seed, the same on every machine: for inputs that are not images. int32:
// zeros and ones, which are legal as indices and as masks.
Tensor noise_input(const TensorType& type, uint64_t seed);

// An input of `type`, float32 [1, c, h, w] or [1, h, w, c] (ImageSpec::layout), from an image.
// Errors: kUnsupported for another type; any error of preprocess().
Tensor image_input(const Image& pixels, const TensorType& type, const ImageSpec& image);

// The same from a file that read_image() reads. `invert`: light becomes dark first. Errors, naming
// the file: any error of read_image(); kInvalidArgument without `image`.
Tensor read_image_input(const std::filesystem::path& file, const TensorType& type,
                        const std::optional<ImageSpec>& image, bool invert = false);

// Fails for an image as the input of a network that does not define how images become it:
// kInvalidArgument, with the options that do.
[[noreturn]] void fail_without_image_spec();

// True if the border of `input`, [1, 1, h, w], is light and that of `sample` dark, or the reverse,
// compared with the values of the sample. It is probably a dark drawing on light ground for a
// network of light drawings. False for other shapes.
bool looks_inverted(const Tensor& input, const Tensor& sample);

// Reads class names, one per line. Errors: kNotFound; kInvalidArgument if their number is not
// `num_classes`.
std::vector<std::string> read_class_names(const std::filesystem::path& file, int64_t num_classes);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_NETWORK_INPUT_H_
