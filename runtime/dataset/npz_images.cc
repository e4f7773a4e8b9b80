// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "base/errors/error.h"
#include "runtime/dataset/formats.h"

namespace vta::dataset {
namespace {

const NamedArray& header_of_images(const NamedArrays& headers) {
  const auto found = headers.find(kImagesArray);
  if (found == headers.end()) {
    fail(ErrorCode::kCorrupt, "array 'images' is missing, or one named as the network's input");
  }
  if (found->second.shape.size() != 4 || found->second.num_elems() == 0) {
    fail(ErrorCode::kInvalidArgument, "images are {}, expected [count, c, h, w]",
         found->second.type_text());
  }
  return found->second;
}

// Before the elements are read.
void check_images(const NamedArray& images, const InputMaker& maker) {
  const TensorType& type = maker.type();
  if (!images.is_floating()) {
    const int64_t channels = images.shape[1];
    if (images.type != ArrayType::kUint8 || (channels != 1 && channels != 3)) {
      fail(ErrorCode::kInvalidArgument,
           "images are {}, expected floats, or uint8 with 1 or 3 channels", images.type_text());
    }
    maker.require_image_spec();
  } else if (!std::equal(images.shape.begin() + 1, images.shape.end(), type.shape.begin() + 1)) {
    fail(ErrorCode::kInvalidArgument, "images are {}, the network expects {}", images.type_text(),
         to_string(type));
  }
}

// Inputs that are already preprocessed.
std::function<Tensor(int64_t)> float_inputs(const NamedArray& images, const InputMaker& maker) {
  const TensorType& type = maker.type();
  const auto values = std::make_shared<const std::vector<float>>(images.to_floats());
  return [values, type](int64_t image) {
    const auto first = values->begin() + image * type.num_elems();
    return Tensor(type.shape, std::vector<float>(first, first + type.num_elems()));
  };
}

// Pixels.
std::function<Tensor(int64_t)> byte_inputs(NamedArray images, const InputMaker& maker) {
  const int64_t channels = images.shape[1], height = images.shape[2], width = images.shape[3];
  const auto bytes = std::make_shared<const std::vector<uint8_t>>(std::move(images.bytes));
  return [=](int64_t image) {
    const int64_t size = channels * height * width;
    return maker(
        interleave(std::span(*bytes).subspan(image * size, size), channels, height, width));
  };
}

}  // namespace

Dataset image_dataset(const ArrayFile& arrays, const InputMaker& maker) {
  const NamedArray& header = header_of_images(arrays.headers());
  check_images(header, maker);
  check_labels(arrays, header.shape[0]);
  NamedArray images = arrays.read(kImagesArray);
  Dataset dataset;
  dataset.num_images = images.shape[0];
  dataset.labels = labels_of(arrays);
  dataset.preprocesses = !images.is_floating();
  dataset.inputs = only_input(images.is_floating() ? float_inputs(images, maker)
                                                   : byte_inputs(std::move(images), maker));
  return dataset;
}

}  // namespace vta::dataset
