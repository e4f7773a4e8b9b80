// SPDX-License-Identifier: Apache-2.0
//
// vta-rpc-server for a host: serves the simulators, and the board devices if it runs on a board.
#include "driver/uio/uio_device.h"
#include "driver/xrt/xrt_device.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tools/rpc_server/server_main.h"

int main(int argc, char** argv) {
  vta::sim::register_functional_device();
  vta::sim::register_cycle_device();
  vta::sim::register_rtl_device();
  vta::driver::register_uio_device();
  vta::driver::register_xrt_device();
  return vta::rpc::server_main(argc, argv, {});
}
