// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_TIMED_TIMED_DEVICE_H_
#define VTA_SIM_TIMED_TIMED_DEVICE_H_

#include <functional>
#include <memory>
#include <string>

#include "sim/timed/timed_core.h"
#include "sim/timed/waveform.h"

namespace vta::sim {

inline constexpr const char* kDefaultMemory = "ideal64";  // of configs/memories

// `waveform`: null for none.
using TimedCoreFactory = std::function<std::unique_ptr<TimedCore>(
    const CoreConfig& core, const MemoryConfig& memory, const WaveformRequest* waveform)>;

// A device with the core that `make` returns, which counts cycles. Its messages are the functional
// simulator's. Errors: any error of `make`.
std::unique_ptr<WaveformDevice> make_timed_device(const std::string& name, const CoreConfig& core,
                                                  const MemoryConfig& memory,
                                                  const TimedCoreFactory& make,
                                                  bool computes = true);

// The same as "SCHEME" or "SCHEME:MEMORY", with a memory of configs/memories (default ideal64).
// Errors: also any of load_memory_config().
std::unique_ptr<WaveformDevice> open_timed_device(const std::string& uri, const CoreConfig& core,
                                                  const TimedCoreFactory& make,
                                                  bool computes = true);

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMED_DEVICE_H_
