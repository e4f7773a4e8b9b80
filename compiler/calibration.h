// SPDX-License-Identifier: Apache-2.0
//
// Calibration inputs of a network for which the caller supplies none.
#ifndef VTA_COMPILER_CALIBRATION_H_
#define VTA_COMPILER_CALIBRATION_H_

#include <string>
#include <vector>

#include "compiler/import/network.h"
#include "runtime/tensor/tensor.h"

namespace vta {

struct Calibration {
  std::vector<std::vector<Tensor>> sets;  // all inputs of the network, in order, of each run
  std::string source;                     // a file's name, or kNoise
};

inline constexpr const char* kNoise = "noise";

// The first that exists of: the images of the network's calibration file; its sample; for a network
// of images, the sample image installed with the networks, which is better than noise; noise.
// Several inputs are noise.
// Errors: kNotFound, kCorrupt; kInvalidArgument if the file's array `images` does not match the
// input.
Calibration own_calibration(const import::Network& network);

}  // namespace vta

#endif  // VTA_COMPILER_CALIBRATION_H_
