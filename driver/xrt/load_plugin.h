// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_XRT_LOAD_PLUGIN_H_
#define VTA_DRIVER_XRT_LOAD_PLUGIN_H_

#include "driver/xrt/plugin.h"

namespace vta::driver {

// Loads the plugin, which stays loaded, and returns its functions.
// Errors: kNotFound with the places searched and the loader's message; kDevice for another version.
const VtaXrtApi& load_xrt_plugin();

}  // namespace vta::driver

#endif  // VTA_DRIVER_XRT_LOAD_PLUGIN_H_
