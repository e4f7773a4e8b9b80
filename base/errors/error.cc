// SPDX-License-Identifier: Apache-2.0
#include "base/errors/error.h"

namespace vta {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kOutOfMemory:
      return "out of memory";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kDevice:
      return "device fault";
    case ErrorCode::kIo:
      return "input/output";
  }
  return "unknown";
}

void assertion_failed(const char* condition, const char* message, const char* file, int line) {
  throw std::logic_error(
      fmt::format("{}:{}: internal error: {} ({})", file, line, message, condition));
}

}  // namespace vta
