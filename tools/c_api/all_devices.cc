// SPDX-License-Identifier: Apache-2.0
//
// The devices of the full build.
#include <mutex>

#include "driver/uio/uio_device.h"
#include "driver/xrt/xrt_device.h"
#include "runtime/rpc/rpc_device.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tools/c_api/status.h"

namespace vta::c_api {

void register_devices() {
  static std::once_flag once;
  std::call_once(once, [] {
    sim::register_functional_device();
    sim::register_cycle_device();
    sim::register_rtl_device();
    driver::register_uio_device();
    driver::register_xrt_device();
    rpc::register_rpc_device();
  });
}

}  // namespace vta::c_api
