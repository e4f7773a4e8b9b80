// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/functional_device.h"

#include "base/errors/error.h"
#include "sim/functional/core_device.h"
#include "sim/functional/native_core.h"

namespace vta::sim {

std::unique_ptr<driver::Device> open_functional_device(const std::string& uri,
                                                       const CoreConfig& core) {
  if (uri != "functional" && uri != "native") {
    fail(ErrorCode::kInvalidArgument, "device '{}': the functional simulator has no options", uri);
  }
  const std::shared_ptr<NativeCore> native =
      make_native_core(core, uri == "native" ? NativeLoops::kAsWritten : NativeLoops::kVectors);
  return make_core_device(
      uri, core, false, [native](auto... arguments) { return native->run(arguments..., nullptr); });
}

void register_functional_device() {
  driver::register_device(
      "functional",
      {"functional", "the core compiled natively, with vector loops; counts no cycles"},
      open_functional_device);
  driver::register_device(
      "native", {"native", "the same, micro-op by micro-op as written: slower, the reference"},
      open_functional_device);
}

}  // namespace vta::sim
