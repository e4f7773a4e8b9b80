// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_CYCLE_CYCLE_DEVICE_H_
#define VTA_SIM_CYCLE_CYCLE_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::sim {

// "cycle" or "cycle:MEMORY": results by the functional core, cycles by the cycle model with a
// memory of configs/memories (ideal64 if none is given): those of "rtl". "timing" or
// "timing:MEMORY": the same counters and cycles without the results. Errors: kUnsupported for a
// core that is not compiled in; those of load_memory_config().
std::unique_ptr<driver::Device> open_cycle_device(const std::string& uri, const CoreConfig& core);

// Makes driver::open() know the schemes "cycle" and "timing".
void register_cycle_device();

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_CYCLE_DEVICE_H_
