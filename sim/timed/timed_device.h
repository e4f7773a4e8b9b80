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

// Opens "SCHEME" or "SCHEME:MEMORY": a device with the core that `make` returns and a memory of
// configs/memories (default ideal64). Counts cycles, and is a RecordingDevice. Its messages are the
// functional simulator's. Errors: any error of `make` and of load_memory_config().
std::unique_ptr<WaveformDevice> open_timed_device(const std::string& uri, const CoreConfig& core,
                                                  const TimedCoreFactory& make,
                                                  bool computes = true);

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_TIMED_DEVICE_H_
