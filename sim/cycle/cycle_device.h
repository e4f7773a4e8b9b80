// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_CYCLE_CYCLE_DEVICE_H_
#define VTA_SIM_CYCLE_CYCLE_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::sim {

// Opens "cycle" or "cycle:MEMORY": results from the functional core, cycles from the cycle model
// with a memory of configs/memories (default ideal64), equal to those of "rtl". Or "timing" or
// "timing:MEMORY": the same counters and cycles without results.
// Errors: kUnsupported for a core that is not compiled in; any error of load_memory_config().
std::unique_ptr<driver::Device> open_cycle_device(const std::string& uri, const CoreConfig& core);

// Registers the schemes "cycle" and "timing" for driver::open().
void register_cycle_device();

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_CYCLE_DEVICE_H_
