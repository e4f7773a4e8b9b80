// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_RTL_LOCKSTEP_DEVICE_H_
#define VTA_SIM_RTL_LOCKSTEP_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::sim {

// Opens "lockstep:functional,rtl" or "lockstep:functional,rtl:MEMORY": every program runs on both
// devices, and the first difference is an error (lockstep_run.h); the device reports the RTL's
// results.
// Errors: kInvalidArgument for other URIs; any error of the two devices.
std::unique_ptr<driver::Device> open_lockstep_device(const std::string& uri,
                                                     const CoreConfig& core);

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_LOCKSTEP_DEVICE_H_
