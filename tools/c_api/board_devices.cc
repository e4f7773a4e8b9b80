// SPDX-License-Identifier: Apache-2.0
//
// The devices of the build for boards. Static programs cannot load the plugin of XRT.
#include <mutex>

#include "driver/uio/uio_device.h"
#ifdef VTA_HAS_XRT
#include "driver/xrt/xrt_device.h"
#endif
#include "runtime/rpc/rpc_device.h"
#include "sim/functional/functional_device.h"
#include "tools/c_api/status.h"

namespace vta::c_api {

void register_devices() {
  static std::once_flag once;
  std::call_once(once, [] {
    sim::register_functional_device();
    driver::register_uio_device();
#ifdef VTA_HAS_XRT
    driver::register_xrt_device();
#endif
    rpc::register_rpc_device();
  });
}

}  // namespace vta::c_api
