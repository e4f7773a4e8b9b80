// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/status.h"

#include <exception>

#include "base/errors/error.h"

namespace vta::onnxruntime_ep {
namespace {

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
