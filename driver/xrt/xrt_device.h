// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_XRT_XRT_DEVICE_H_
#define VTA_DRIVER_XRT_XRT_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"

namespace vta::driver {

// Opens "xrt:INDEX" or "xrt:INDEX,board=NAME": a board (default pynq-z1) with XRT whose FPGA is
// already programmed (driver/flash). XRT is used through the plugin libvta_xrt.so, which is
// searched in $VTA_PLUGIN_PATH, in ../lib/vta relative to the running program, and in the build
// folder.
// Errors: kInvalidArgument for another URI; kNotFound if the plugin is missing, naming the places
// searched; kDevice with XRT's message; any error of load_board_config() and
// make_register_device().
std::unique_ptr<Device> open_xrt_device(const std::string& uri, const CoreConfig& core);

// Registers the scheme "xrt" for open().
void register_xrt_device();

}  // namespace vta::driver

#endif  // VTA_DRIVER_XRT_XRT_DEVICE_H_
