// SPDX-License-Identifier: Apache-2.0
//
// vta-sim: networks and raw instruction streams on simulated cores.
#include "base/limits/freed_memory.h"
#include "driver/uio/uio_device.h"
#include "driver/xrt/xrt_device.h"
#include "runtime/rpc/rpc_device.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tools/sim/commands.h"
#include "tools/sim/other_cores.h"

int main(int argc, char** argv) {
  vta::keep_freed_memory();
  vta::sim::register_functional_device();
  vta::sim::register_cycle_device(vta::sim::make_other_core);
  vta::sim::register_rtl_device();
  vta::driver::register_uio_device();
  vta::driver::register_xrt_device();
  vta::rpc::register_rpc_device();
  vta::Tool tool("vta-sim", "Runs int8 networks on VTA cores: simulated, on boards or remote.",
                 VTA_VERSION);
  vta::sim::add_run(tool);
  vta::sim::add_eval(tool);
  vta::sim::add_report(tool);
  vta::sim::add_compare(tool);
  vta::sim::add_profile(tool);
  vta::sim::add_bench(tool);
  vta::sim::add_tune(tool);
  vta::sim::add_explore(tool);
  vta::sim::add_disasm(tool);
  vta::sim::add_asm(tool);
  vta::sim::add_info(tool);
  vta::sim::add_export(tool);
  vta::sim::add_exec(tool);
  return tool.run(argc, argv);
}
