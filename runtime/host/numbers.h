// SPDX-License-Identifier: Apache-2.0
//
// Element access for operators on float32 and int32 tensors alike.
#ifndef VTA_RUNTIME_HOST_NUMBERS_H_
#define VTA_RUNTIME_HOST_NUMBERS_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/errors/error.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// The type in which functions of the element type are evaluated: int32 products, quotients and
// powers are exact in double, or exceed int32.
template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, int32_t>, double, float>;

// Errors: kInvalidArgument for an int32 result outside its range (also a division by 0).
template <typename T, typename Value>
T number(Value value) {
  if constexpr (std::is_same_v<T, int32_t>) {
    const double whole = std::trunc(static_cast<double>(value));
    if (!(whole >= -0x1p31 && whole < 0x1p31)) {
      fail(ErrorCode::kInvalidArgument, "an integer result is {}, outside int32", whole);
    }
    return static_cast<int32_t>(whole);
  } else {
    return static_cast<T>(value);
  }
}

// Calls function(T()) with T = float or int32_t, the element type of `tensor`.
template <typename Function>
void with_number_type(const Tensor& tensor, Function&& function) {
  if (tensor.dtype() == DType::kInt32) {
    function(int32_t{});
  } else {
    function(float{});
  }
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_NUMBERS_H_
