// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/cycle_device.h"

#include "runtime/base/error.h"
#include "sim/cycle/cycle_core.h"
#include "sim/timed/timed_device.h"

namespace vta::sim {

std::unique_ptr<driver::Device> open_cycle_device(const std::string& uri, const CoreConfig& core) {
  const bool computes = !uri.starts_with("timing");
  return open_timed_device(
      uri, core,
      [computes](const CoreConfig& config, const MemoryConfig& memory,
                 const WaveformRequest* waveform) {
        if (waveform != nullptr) {
          fail(ErrorCode::kUnsupported, "a cycle model has no signals for waveforms; use 'rtl'");
        }
        return make_cycle_core(config, memory, computes);
      },
      computes);
}

void register_cycle_device() {
  driver::register_device(
      "cycle",
      {"cycle[:MEMORY]", "the core's cycle model; the cycles of rtl, several times faster"},
      open_cycle_device);
  driver::register_device("timing", {"timing[:MEMORY]", "the cycle model without results"},
                          open_cycle_device);
}

}  // namespace vta::sim
