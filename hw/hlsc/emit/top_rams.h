// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_TOP_RAMS_H_
#define VTA_HW_HLSC_EMIT_TOP_RAMS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::emit {

// <process>_<signal>: the net of the top for a process's own signal.
std::string process_signal(const ir::Design& design, size_t process, const std::string& signal);

// Adds a RAM of the design to the top: its instances of hw/rtl, one for each bank, the nets of the
// processes at it, and the arbiters of shared ports. `ports` are the RAM's.
void add_top_ram(const ir::Design& design, ir::ObjectId ram, const bind::RamPorts& ports,
                 rtl::Module& top);

// The modules of RAMs with initial contents, one for each bank, which the top has in place of
// hls_ram. `rams` are the RAMs that a process uses.
std::vector<rtl::InitializedRam> initialized_rams(
    const ir::Design& design, const std::map<ir::ObjectId, bind::RamPorts>& rams);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_TOP_RAMS_H_
