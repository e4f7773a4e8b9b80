// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_TENSOR_HOST_REASON_H_
#define VTA_RUNTIME_TENSOR_HOST_REASON_H_

#include <cstdint>
#include <string>

namespace vta {

// Why an operator runs on the host (host_reasons.def).
enum class HostReason : uint8_t {
#define VTA_HOST_REASON(reason, name, text) reason,
#include "runtime/tensor/host_reasons.def"
};

const char* to_string(HostReason reason);  // "no_integer_form"
const char* text_of(HostReason reason);    // "the operator has no integer form"

// Errors: kInvalidArgument.
HostReason host_reason_from_string(const std::string& name);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_HOST_REASON_H_
