// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_XRT_LOAD_PLUGIN_H_
#define VTA_DRIVER_XRT_LOAD_PLUGIN_H_

#include "driver/xrt/plugin.h"

namespace vta::driver {

// The plugin's functions; it stays loaded.
// Errors: kNotFound, naming the places and what the loader says; kDevice for another version.
const VtaXrtApi& load_xrt_plugin();

}  // namespace vta::driver

#endif  // VTA_DRIVER_XRT_LOAD_PLUGIN_H_
