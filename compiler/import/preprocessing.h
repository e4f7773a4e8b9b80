// SPDX-License-Identifier: Apache-2.0
//
// Preprocessing from the command line: how images become the input of a network that does not say.
#ifndef VTA_COMPILER_IMPORT_PREPROCESSING_H_
#define VTA_COMPILER_IMPORT_PREPROCESSING_H_

#include <optional>
#include <string>

#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta::import {

// Options as text; absent ones have no value. Each value of the input is
// (pixel * scale - mean[c]) / std[c], with pixels from 0 to 255.
struct PreprocessOptions {
  // What the other options change: "imagenet" (scale 1/255, torchvision's mean and std, the short
  // side resized to 256/224 of the input's, center crop), "none" (pixels as they are), "0-1" (scale
  // 1/255), "-1-1" (scale 1/127.5, mean 1). Absent: the network's own, or none.
  std::optional<std::string> preset;
  std::optional<std::string> mean, stddev;  // a number, or one per channel: "0.5,0.5,0.5"
  std::optional<std::string> scale;         // a number or a fraction: "1/255"
  std::optional<std::string> channels;      // "rgb", "bgr" or "gray"
  // "nchw" or "nhwc". Absent: the network's own, or nhwc if only the last axis has 1 or 3 elements.
  std::optional<std::string> layout;
  // "HxW" or "N" (the short side): resized so, then center-cropped; "stretch": directly to the
  // input's size; "letterbox": as large as fits, the rest filled with 114, or with N in
  // "letterbox:N".
  std::optional<std::string> resize;

  bool any() const { return preset || mean || stddev || scale || channels || layout || resize; }
};

// The preprocessing of an input of `type` whose network says `own`. Errors: kInvalidArgument,
// naming the option, for a value that it does not take or an input that is not an image.
ImageSpec image_spec_of(const PreprocessOptions& options, const std::optional<ImageSpec>& own,
                        const TensorType& type);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_PREPROCESSING_H_
