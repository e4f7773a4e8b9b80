// SPDX-License-Identifier: Apache-2.0
#include "driver/uio/uio_device.h"
#include "runtime/rpc/rpc_device.h"
#include "sim/functional/functional_device.h"
#include "tools/flash/devices.h"

namespace vta {

void register_devices() {
  sim::register_functional_device();
  driver::register_uio_device();
  rpc::register_rpc_device();
}

}  // namespace vta
