// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/cycle_device.h"

#include <utility>

#include "base/errors/error.h"
#include "sim/cycle/cycle_core.h"
#include "sim/timed/timed_device.h"

namespace vta::sim {

namespace {

TimedCoreFactory cycle_cores(bool computes, const CycleModels& others) {
  return [computes, others](const CoreConfig& config, const MemoryConfig& memory,
                            const WaveformRequest* waveform) {
    if (waveform != nullptr)
      fail(ErrorCode::kUnsupported, "a cycle model has no signals for waveforms; use 'rtl'");
    if (others == nullptr) return make_cycle_core(config, memory, computes);
    auto built_in = find_cycle_core(config, memory, computes);
    return built_in != nullptr ? std::move(built_in) : others(config, memory, computes);
  };
}

}  // namespace

std::unique_ptr<driver::Device> open_cycle_device(const std::string& uri, const CoreConfig& core,
                                                  const CycleModels& others) {
  const bool computes = !uri.starts_with("timing");
  return open_timed_device(uri, core, cycle_cores(computes, others), computes);
}

std::unique_ptr<RecordingDevice> make_timing_device(const CoreConfig& core,
                                                    const MemoryConfig& memory,
                                                    const CycleModels& others) {
  return make_timed_device("timing", core, memory, cycle_cores(false, others), false);
}

void register_cycle_device(const CycleModels& others) {
  const auto open = [others](const std::string& uri, const CoreConfig& core) {
    return open_cycle_device(uri, core, others);
  };
  driver::register_device(
      "cycle",
      {"cycle[:MEMORY[@MHZ]]", "the core's cycle model; the cycles of rtl, several times faster"},
      open);
  driver::register_device("timing", {"timing[:MEMORY[@MHZ]]", "the cycle model without results"},
                          open);
}

}  // namespace vta::sim
