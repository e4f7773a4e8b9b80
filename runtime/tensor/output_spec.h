// SPDX-License-Identifier: Apache-2.0
//
// What the outputs of a network mean: the words that network files, program files and runtime/host
// share.
#ifndef VTA_RUNTIME_TENSOR_OUTPUT_SPEC_H_
#define VTA_RUNTIME_TENSOR_OUTPUT_SPEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta {

// `kind` says which of the other fields are used:
//   classes  the first output holds a score for each class; the `top` best are told
//   yolo     each output is a grid [n, anchors * (5 + classes), h, w] of YOLOv3: for each anchor
//   the
//            box (x, y, w, h), its objectness and a score for each class, before their sigmoids
//   picture  the first output is [n, 1 or 3, h, w]; pixel = value * scale + offset
struct OutputSpec {
  std::string kind = "classes";
  int64_t top = 5;
  std::vector<std::vector<double>> anchors;  // of each output: width, height, width, height, ... in
                                             // pixels of the input
  double min_score = 0.5;  // of a box: objectness * class; lower ones are left out
  double max_overlap =
      0.45;  // of two boxes of a class, intersection / union; above, the worse goes
  double scale = 127.5, offset = 127.5;

  bool operator==(const OutputSpec&) const = default;
};

// How many classes the outputs tell apart; 0 of a picture. After check().
int64_t num_classes(const OutputSpec& spec, const std::vector<TensorType>& outputs);

// Errors: kInvalidArgument, naming the field or the output, unless every field that is used has a
// legal value and fits the outputs.
void check(const OutputSpec& spec, const std::vector<TensorType>& outputs);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_OUTPUT_SPEC_H_
