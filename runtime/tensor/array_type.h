// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_TENSOR_ARRAY_TYPE_H_
#define VTA_RUNTIME_TENSOR_ARRAY_TYPE_H_

#include "base/errors/error.h"
#include "base/files/array_file.h"
#include "runtime/tensor/tensor.h"

namespace vta {

// The type of a tensor's elements in files of arrays.
inline ArrayType array_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return ArrayType::kFloat32;
    case DType::kInt8:
      return ArrayType::kInt8;
    case DType::kInt32:
      return ArrayType::kInt32;
  }
  VTA_ASSERT(false, "every element type has an array type");
  return ArrayType::kFloat32;
}

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_ARRAY_TYPE_H_
