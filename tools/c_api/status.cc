// SPDX-License-Identifier: Apache-2.0
#include "tools/c_api/status.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace vta::c_api {
namespace {

std::string& last_error() {
  thread_local std::string message;
  return message;
}

constexpr vta_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return VTA_INVALID_ARGUMENT;
    case ErrorCode::kUnsupported:
      return VTA_UNSUPPORTED;
    case ErrorCode::kNotFound:
      return VTA_NOT_FOUND;
    case ErrorCode::kCorrupt:
      return VTA_CORRUPT;
    case ErrorCode::kOutOfMemory:
      return VTA_OUT_OF_MEMORY;
    case ErrorCode::kTimeout:
      return VTA_TIMEOUT;
    case ErrorCode::kDevice:
      return VTA_DEVICE;
    case ErrorCode::kIo:
      return VTA_IO;
  }
  return VTA_INTERNAL;
}

vta_status note(vta_status status, const char* message) noexcept {
  try {
    last_error() = message;
  } catch (const std::bad_alloc&) {  // the status alone must do
  }
  return status;
}

}  // namespace

vta_status status_of_exception() noexcept {
  try {
    throw;
  } catch (const Cancelled&) {
    return note(VTA_CANCELLED, "cancelled by the caller");
  } catch (const Error& error) {
    return note(status_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return note(VTA_OUT_OF_MEMORY, "the host is out of memory");
  } catch (const std::logic_error& bug) {
    return note(VTA_INTERNAL, bug.what());
  } catch (const std::exception& error) {  // of the command line's rules, of the standard library
    return note(VTA_INVALID_ARGUMENT, error.what());
  } catch (...) {
    return note(VTA_INTERNAL, "unknown exception");
  }
}

}  // namespace vta::c_api

extern "C" {

const char* vta_last_error(void) { return vta::c_api::last_error().c_str(); }

const char* vta_version(void) { return VTA_VERSION; }

}  // extern "C"
