// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_RTL_RTL_DEVICE_H_
#define VTA_SIM_RTL_RTL_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::sim {

// "rtl" or "rtl:MEMORY": the core's SystemVerilog, Verilated, with a memory of configs/memories
// (ideal64 if none is given). Counts cycles.
// Errors: kUnsupported for a core that is not compiled in; those of load_memory_config().
std::unique_ptr<driver::Device> open_rtl_device(const std::string& uri, const CoreConfig& core);

// Makes driver::open() know the schemes "rtl" and "lockstep".
void register_rtl_device();

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_RTL_DEVICE_H_
