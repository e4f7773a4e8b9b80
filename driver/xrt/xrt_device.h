// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_XRT_XRT_DEVICE_H_
#define VTA_DRIVER_XRT_XRT_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::driver {

// "xrt:INDEX" or "xrt:INDEX,board=NAME": a board (pynq-z1 if none is named) whose Linux has XRT,
// its FPGA programmed before (driver/flash). XRT is reached through the plugin libvta_xrt.so, which
// is looked for in $VTA_PLUGIN_PATH, beside the running program (../lib/vta), and where it was
// built.
// Errors: kInvalidArgument for another URI; kNotFound without the plugin, naming the places;
// kDevice with XRT's own words; those of load_board_config() and make_register_device().
std::unique_ptr<Device> open_xrt_device(const std::string& uri, const CoreConfig& core);

// Makes open() know the scheme "xrt".
void register_xrt_device();

}  // namespace vta::driver

#endif  // VTA_DRIVER_XRT_XRT_DEVICE_H_
