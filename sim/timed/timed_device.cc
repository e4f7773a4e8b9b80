// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/timed_device.h"

#include "configs/memory_config.h"
#include "sim/functional/core_device.h"

namespace vta::sim {

std::unique_ptr<driver::Device> open_timed_device(const std::string& uri, const CoreConfig& core,
                                                  const TimedCoreFactory& make) {
  const size_t colon = uri.find(':');
  const std::string memory = colon == std::string::npos ? "ideal64" : uri.substr(colon + 1);
  const std::shared_ptr<TimedCore> timed = make(core, load_memory_config(memory));
  return make_core_device(
      uri, core, true,
      [timed](uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
              std::chrono::steady_clock::time_point deadline, core::Observer*) {
        return timed->run(arena, arena_bytes, program_offset_bytes, count, deadline, nullptr);
      });
}

}  // namespace vta::sim
