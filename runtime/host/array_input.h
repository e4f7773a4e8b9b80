// SPDX-License-Identifier: Apache-2.0
//
// Arrays of files as inputs of a network. Not for boards, which read no array files.
#ifndef VTA_RUNTIME_HOST_ARRAY_INPUT_H_
#define VTA_RUNTIME_HOST_ARRAY_INPUT_H_

#include <string>
#include <vector>

#include "base/files/array_file.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// Array `name`, [count * n, ...], as `count` inputs of `type`, float32 or int32 [n, ...]. Errors:
// kInvalidArgument, naming the array, for another shape, numbers that are not finite, and, for
// int32, numbers that are not integers of 32 bits.
std::vector<Tensor> array_inputs(const NamedArray& array, const std::string& name,
                                 const TensorType& type);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_ARRAY_INPUT_H_
