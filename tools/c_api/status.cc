// SPDX-License-Identifier: Apache-2.0
#include "tools/c_api/status.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

#include "tools/c_api/client.h"

namespace vta::c_api {
namespace {

std::string& last_error() {
  thread_local std::string message;
  return message;
}

vta_status status_of(ErrorCode code) noexcept {
  const auto* const found = std::ranges::find(client::kStatuses, code, &client::Status::code);
  return found == std::end(client::kStatuses) ? VTA_INTERNAL : found->status;
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
