// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_RTL_RTL_DEVICE_H_
#define VTA_SIM_RTL_RTL_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::sim {

// Opens "rtl" or "rtl:MEMORY": the core's Verilated SystemVerilog with a memory of configs/memories
// (default ideal64). Counts cycles.
// Errors: kUnsupported for a core that is not compiled in; any error of load_memory_config().
std::unique_ptr<driver::Device> open_rtl_device(const std::string& uri, const CoreConfig& core);

// Registers the schemes "rtl" and "lockstep" for driver::open().
void register_rtl_device();

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_RTL_DEVICE_H_
