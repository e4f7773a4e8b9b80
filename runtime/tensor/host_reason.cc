// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/host_reason.h"

#include <cstddef>

#include "base/errors/error.h"

namespace vta {
namespace {

struct Texts {
  const char *name, *text;
};
constexpr Texts kTexts[] = {
#define VTA_HOST_REASON(reason, name, text) {#name, text},
#include "runtime/tensor/host_reasons.def"
};

}  // namespace

const char* to_string(HostReason reason) { return kTexts[static_cast<size_t>(reason)].name; }
const char* text_of(HostReason reason) { return kTexts[static_cast<size_t>(reason)].text; }

HostReason host_reason_from_string(const std::string& name) {
  for (size_t i = 0; i < std::size(kTexts); ++i) {
    if (name == kTexts[i].name) return static_cast<HostReason>(i);
  }
  fail(ErrorCode::kInvalidArgument, "'{}' is not a reason for the host", name);
}

}  // namespace vta
