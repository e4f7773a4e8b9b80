// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl/rtl_device.h"

#include "sim/rtl/lockstep_device.h"
#include "sim/rtl/rtl_core.h"
#include "sim/timed/timed_device.h"

namespace vta::sim {

std::unique_ptr<driver::Device> open_rtl_device(const std::string& uri, const CoreConfig& core) {
  return open_timed_device(uri, core, make_rtl_core);
}

void register_rtl_device() {
  driver::register_device("rtl", {"rtl[:MEMORY[@MHZ]]", "the core's Verilog, cycle by cycle"},
                          open_rtl_device);
  driver::register_device("lockstep",
                          {"lockstep:functional,rtl[:MEMORY[@MHZ]]",
                           "functional and rtl at once; stops at the first store that differs"},
                          open_lockstep_device);
}

}  // namespace vta::sim
