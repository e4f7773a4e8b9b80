// SPDX-License-Identifier: Apache-2.0
//
// The two kinds of failure:
//   * a fault of the user's model, file, configuration, program or board: fail() throws vta::Error;
//   * a bug in this program: VTA_ASSERT.
#ifndef VTA_BASE_ERRORS_ERROR_H_
#define VTA_BASE_ERRORS_ERROR_H_

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace vta {

// Why an operation failed. Callers branch on the code and show the message.
enum class ErrorCode {
  kInvalidArgument,  // a value outside the documented range
  kUnsupported,      // valid, but this core, operator or board cannot do it
  kNotFound,         // a file, network, node or device that does not exist
  kCorrupt,          // bytes that do not match their format: magic, checksum, length
  kOutOfMemory,      // DRAM, scratchpad or arena too small
  kTimeout,          // the device did not answer within the stated time
  kDevice,           // the device answered with a fault
  kIo,               // the operating system refused to read or write
};

// "invalid argument", "corrupt", ...
const char* to_string(ErrorCode code);

// A failure that the user can cause and fix. The message names the object, the value and the limit:
// "conv3: in_channels 24 is not a multiple of block_in 16".
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// Throws an Error with a formatted message.
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

// Calls `action`; prefixes the message of an Error that it throws with "context: ".
template <typename Action>
auto with_context(const std::string& context, Action&& action) -> decltype(action()) {
  try {
    return action();
  } catch (const Error& error) {
    throw Error(error.code(), context + ": " + error.what());
  }
}

[[noreturn]] void assertion_failed(const char* condition, const char* message, const char* file,
                                   int line);

}  // namespace vta

// Throws std::logic_error unless the condition holds, in every build.
#define VTA_ASSERT(condition, message) \
  ((condition) ? void(0) : ::vta::assertion_failed(#condition, message, __FILE__, __LINE__))

#endif  // VTA_BASE_ERRORS_ERROR_H_
