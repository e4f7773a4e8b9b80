// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl/lockstep_device.h"

#include "configs/memory_config.h"
#include "sim/functional/core_device.h"
#include "sim/rtl/lockstep_run.h"
#include "sim/timed/timed_device.h"

namespace vta::sim {
namespace {

// The MEMORY of "lockstep:functional,rtl:MEMORY".
std::string memory_of(const std::string& uri) {
  const std::string both = "lockstep:functional,rtl";
  if (uri == both) return kDefaultMemory;
  if (!uri.starts_with(both + ":")) {
    fail(ErrorCode::kInvalidArgument, "device '{}': lockstep supports only '{}[:MEMORY]'", uri,
         both);
  }
  return uri.substr(both.size() + 1);
}

}  // namespace

std::unique_ptr<driver::Device> open_lockstep_device(const std::string& uri,
                                                     const CoreConfig& core) {
  const std::string memory = memory_of(uri);
  const std::shared_ptr<NativeCore> native = make_native_core(core);
  const std::shared_ptr<TimedCore> rtl = make_rtl_core(core, load_memory_config(memory));
  return make_core_device(
      uri, core, true,
      [native, rtl, core](uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes,
                          uint32_t count, const Deadline& deadline) {
        return run_in_lockstep({*native, *rtl, core},
                               {arena, arena_bytes, program_offset_bytes, count, deadline});
      });
}

}  // namespace vta::sim
