// SPDX-License-Identifier: Apache-2.0
//
// The border between C++ and C: exceptions become status codes and a message of the thread.
#ifndef VTA_TOOLS_C_API_STATUS_H_
#define VTA_TOOLS_C_API_STATUS_H_

#include <cstddef>
#include <cstring>
#include <utility>

#include "base/errors/error.h"
#include "tools/c_api/vta.h"

namespace vta::c_api {

// Thrown when the caller has asked for the end of a call.
struct Cancelled {};

// Registers the devices that this library contains, once.
void register_devices();

// The status of the exception being handled; sets the thread's message.
vta_status status_of_exception() noexcept;

// Calls `action` and converts its exceptions. The body of every function that can fail.
template <typename Action>
vta_status guarded(Action&& action) noexcept {
  try {
    register_devices();
    std::forward<Action>(action)();
    return VTA_OK;
  } catch (...) {
    return status_of_exception();
  }
}

// Errors: kInvalidArgument for a null pointer, naming the argument.
template <typename T>
T& required(T* pointer, const char* argument) {
  if (pointer == nullptr) fail(ErrorCode::kInvalidArgument, "{} is NULL", argument);
  return *pointer;
}

// The caller's structure, which may be older and shorter, in today's form. Errors: kInvalidArgument
// for a size that no version has.
template <typename Options>
Options options_of(const Options* given) {
  Options options{};
  if (given == nullptr) return options;
  const size_t size = given->struct_size;
  // Not in the middle of a member: all sizes are multiples of the largest member's.
  if (size < sizeof(size_t) || size > sizeof(Options) || size % alignof(Options) != 0) {
    fail(ErrorCode::kInvalidArgument,
         "struct_size is {}, expected {} to {}: the caller was compiled for another version of "
         "libvta",
         size, sizeof(size_t), sizeof(Options));
  }
  std::memcpy(&options, given, size);
  return options;
}

}  // namespace vta::c_api

#endif  // VTA_TOOLS_C_API_STATUS_H_
