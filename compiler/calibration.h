// SPDX-License-Identifier: Apache-2.0
//
// The inputs that a network brings for its own calibration.
#ifndef VTA_COMPILER_CALIBRATION_H_
#define VTA_COMPILER_CALIBRATION_H_

#include <string>
#include <vector>

#include "compiler/import/network.h"
#include "runtime/tensor/tensor.h"

namespace vta {

struct Calibration {
  std::vector<Tensor> images;  // float32 [1, c, h, w] each
  std::string source;          // what they are: a file's name, or kNoise
};

inline constexpr const char* kNoise = "noise";

// The images of the network's calibration file; else its sample alone; else, for a network of
// pictures, the picture that comes with the networks, which is better than noise; else noise.
// Errors: kNotFound, kCorrupt; kInvalidArgument if the file's array `images` does not fit the
// input.
Calibration own_calibration(const import::Network& network);

}  // namespace vta

#endif  // VTA_COMPILER_CALIBRATION_H_
