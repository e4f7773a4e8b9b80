// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl/rtl_device.h"

#include "configs/memory_config.h"
#include "sim/functional/core_device.h"
#include "sim/rtl/lockstep_device.h"
#include "sim/rtl/rtl_core.h"

namespace vta::sim {

std::unique_ptr<driver::Device> open_rtl_device(const std::string& uri, const CoreConfig& core) {
  const size_t colon = uri.find(':');
  const std::string memory = colon == std::string::npos ? "ideal64" : uri.substr(colon + 1);
  const std::shared_ptr<RtlCore> rtl = make_rtl_core(core, load_memory_config(memory));
  return make_core_device(
      uri, core, true,
      [rtl](uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
            std::chrono::steady_clock::time_point deadline, core::Observer*) {
        return rtl->run(arena, arena_bytes, program_offset_bytes, count, deadline, nullptr);
      });
}

void register_rtl_device() {
  driver::register_device("rtl", open_rtl_device);
  driver::register_device("lockstep", open_lockstep_device);
}

}  // namespace vta::sim
