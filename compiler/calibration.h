// SPDX-License-Identifier: Apache-2.0
//
// The inputs that a network brings for its own calibration.
#ifndef VTA_COMPILER_CALIBRATION_H_
#define VTA_COMPILER_CALIBRATION_H_

#include <vector>

#include "compiler/import/network.h"
#include "runtime/tensor/tensor.h"

namespace vta {

// float32 [1, c, h, w] each: the images of the network's calibration file, else its sample alone,
// else noise. Errors: kNotFound, kCorrupt; kInvalidArgument if the file's array
// `images` does not fit the input.
std::vector<Tensor> own_calibration(const import::Network& network);

}  // namespace vta

#endif  // VTA_COMPILER_CALIBRATION_H_
