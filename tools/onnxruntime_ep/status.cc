// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/status.h"

#include <exception>
#include <stdexcept>

#include "base/errors/error.h"

namespace vta::onnxruntime_ep {
namespace {

ErrorCode code_of(vta_status status) {
  switch (status) {
    case VTA_UNSUPPORTED:
      return ErrorCode::kUnsupported;
    case VTA_NOT_FOUND:
      return ErrorCode::kNotFound;
    case VTA_CORRUPT:
      return ErrorCode::kCorrupt;
    case VTA_OUT_OF_MEMORY:
      return ErrorCode::kOutOfMemory;
    case VTA_TIMEOUT:
      return ErrorCode::kTimeout;
    case VTA_DEVICE:
      return ErrorCode::kDevice;
    case VTA_IO:
      return ErrorCode::kIo;
    default:
      return ErrorCode::kInvalidArgument;
  }
}

OrtErrorCode ort_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kCorrupt:
      return ORT_INVALID_ARGUMENT;
    case ErrorCode::kUnsupported:
      return ORT_NOT_IMPLEMENTED;
    case ErrorCode::kNotFound:
      return ORT_NO_SUCHFILE;
    default:
      return ORT_EP_FAIL;
  }
}

}  // namespace

void check(vta_status status) {
  if (status == VTA_INTERNAL) throw std::logic_error(vta_last_error());
  if (status != VTA_OK) throw Error(code_of(status), vta_last_error());
}

OrtStatus* status_of_exception() noexcept {
  const OrtApi& api = Ort::GetApi();
  try {
    throw;
  } catch (const Error& error) {
    return api.CreateStatus(ort_code_of(error.code()), error.what());
  } catch (const Ort::Exception& error) {
    return api.CreateStatus(error.GetOrtErrorCode(), error.what());
  } catch (const std::exception& error) {
    return api.CreateStatus(ORT_EP_FAIL, error.what());
  } catch (...) {
    return api.CreateStatus(ORT_EP_FAIL, "unknown exception");
  }
}

}  // namespace vta::onnxruntime_ep
