// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_TOP_MODULE_H_
#define VTA_HW_HLSC_EMIT_TOP_MODULE_H_

#include <map>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::emit {

// The module that connects the processes: see verilog.h.
rtl::Module top_module(const ir::Design& design, const std::map<ir::ObjectId, bind::RamPorts>& rams,
                       DramPorts dram_ports);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_TOP_MODULE_H_
