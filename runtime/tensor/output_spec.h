// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a network's outputs. Network files, program files and runtime/host share these
// fields.
#ifndef VTA_RUNTIME_TENSOR_OUTPUT_SPEC_H_
#define VTA_RUNTIME_TENSOR_OUTPUT_SPEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta {

// `kind` says which of the other fields are used:
//   classes  the first output holds a score for each class; the `top` best are reported
//   yolo     each output is a grid [n, anchors * (5 + classes), h, w] of YOLOv3: for each anchor
//            the box (x, y, w, h), its objectness and a score per class, all before the sigmoid
//   image    the first output is [n, 1 or 3, h, w]; pixel = value * scale + offset
//   none     numbers without such a meaning
struct OutputSpec {
  std::string kind = "classes";
  int64_t top = 5;
  std::vector<std::vector<double>> anchors;  // per output: width, height, width, height, ... in
                                             // pixels of the input
  double min_score = 0.5;                    // objectness * class score; lower boxes are omitted
  // If two boxes of a class have a larger intersection over union, the worse one is omitted.
  double max_overlap = 0.45;
  double scale = 127.5, offset = 127.5;

  bool operator==(const OutputSpec&) const = default;
};

// The number of classes; 0 if kind is image or none. Call check() first.
int64_t num_classes(const OutputSpec& spec, const std::vector<TensorType>& outputs);

// Validates the used fields against the outputs. Errors: kInvalidArgument, naming the field or the
// output.
void check(const OutputSpec& spec, const std::vector<TensorType>& outputs);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_OUTPUT_SPEC_H_
