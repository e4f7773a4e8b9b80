// SPDX-License-Identifier: Apache-2.0
//
// Connects DRAM (sim/memory/axi_slave.h) to the pins of a Verilated top. In each cycle: drive all
// pins, call the top's eval(), sample all pins. `pins`: the object with the pins; `port`: the
// prefix of their names: load_port_araddr.
#ifndef VTA_SIM_RTL_AXI_PINS_H_
#define VTA_SIM_RTL_AXI_PINS_H_

#include "sim/memory/axi_slave.h"

#define VTA_DRIVE_READ(pins, port, slave)                         \
  {                                                               \
    const ::vta::sim::AxiReadSlavePins& driven = (slave).drive(); \
    (pins).port##_arready = driven.arready;                       \
    (pins).port##_rvalid = driven.rvalid;                         \
    if (driven.rvalid) {                                          \
      (pins).port##_rdata = driven.rdata;                         \
      (pins).port##_rresp = driven.rresp;                         \
      (pins).port##_rlast = driven.rlast;                         \
    }                                                             \
  }
#define VTA_SAMPLE_READ(pins, port, slave)                                                   \
  if ((pins).port##_arvalid != 0 || !(slave).is_quiet()) {                                   \
    (slave).sample({{(pins).port##_arvalid != 0, (pins).port##_araddr, (pins).port##_arlen}, \
                    (pins).port##_rready != 0});                                             \
  }

#define VTA_DRIVE_WRITE(pins, port, slave)                         \
  {                                                                \
    const ::vta::sim::AxiWriteSlavePins& driven = (slave).drive(); \
    (pins).port##_awready = driven.awready;                        \
    (pins).port##_wready = driven.wready;                          \
    (pins).port##_bvalid = driven.bvalid;                          \
    (pins).port##_bresp = driven.bresp;                            \
  }
#define VTA_SAMPLE_WRITE(pins, port, slave)                                                  \
  if (((pins).port##_awvalid | (pins).port##_wvalid) != 0 || !(slave).is_quiet()) {          \
    (slave).sample({{(pins).port##_awvalid != 0, (pins).port##_awaddr, (pins).port##_awlen}, \
                    (pins).port##_wvalid != 0,                                               \
                    (pins).port##_wdata,                                                     \
                    (pins).port##_wlast != 0,                                                \
                    (pins).port##_bready != 0});                                             \
  }

#endif  // VTA_SIM_RTL_AXI_PINS_H_
