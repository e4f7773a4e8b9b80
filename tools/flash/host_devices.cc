// SPDX-License-Identifier: Apache-2.0
#include "driver/uio/uio_device.h"
#include "runtime/rpc/rpc_device.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tools/flash/devices.h"

namespace vta {

void register_devices() {
  sim::register_functional_device();
  sim::register_cycle_device();
  sim::register_rtl_device();
  driver::register_uio_device();
  rpc::register_rpc_device();
}

}  // namespace vta
