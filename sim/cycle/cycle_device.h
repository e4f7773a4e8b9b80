// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_CYCLE_CYCLE_DEVICE_H_
#define VTA_SIM_CYCLE_CYCLE_DEVICE_H_

#include <functional>
#include <memory>
#include <string>

#include "driver/device.h"
#include "sim/timed/run_listener.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

// Makes models of cores that are not built in. Without `computes`, as make_cycle_core().
using CycleModels = std::function<std::unique_ptr<TimedCore>(
    const CoreConfig& core, const MemoryConfig& memory, bool computes)>;

// Opens "cycle" or "cycle:MEMORY": results from the functional core, cycles from the cycle model
// with a memory of configs/memories (default ideal64), equal to "rtl". Or "timing" or
// "timing:MEMORY": the same counters and cycles without results.
// Errors: kUnsupported for a core that is not built in, or any error of `others` if that is given;
// any error of load_memory_config().
std::unique_ptr<driver::Device> open_cycle_device(const std::string& uri, const CoreConfig& core,
                                                  const CycleModels& others = {});

// The device "timing" with this memory, which no file need describe. Errors: as
// open_cycle_device().
std::unique_ptr<RecordingDevice> make_timing_device(const CoreConfig& core,
                                                    const MemoryConfig& memory,
                                                    const CycleModels& others = {});

// Registers the schemes "cycle" and "timing" for driver::open().
void register_cycle_device(const CycleModels& others = {});

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_CYCLE_DEVICE_H_
