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

// `count` of an array `name`, [count * n, ...], of inputs of `type`, float32 or int32 [n, ...]. The
// array's header suffices: it is called before the elements are read. Errors: kInvalidArgument,
// naming the array, for another shape or type.
int64_t count_inputs(const NamedArray& header, const std::string& name, const TensorType& type);

// The inputs. Errors: as count_inputs(), and for numbers that are not finite or, for int32, beyond
// 32 bits.
std::vector<Tensor> array_inputs(const NamedArray& array, const std::string& name,
                                 const TensorType& type);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_ARRAY_INPUT_H_
