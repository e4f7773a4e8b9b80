// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_PROCESS_MODULE_H_
#define VTA_HW_HLSC_EMIT_PROCESS_MODULE_H_

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/rtl/module.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

// The module of process `index` of the design with Verilog names (names.h); `process` is the same
// process in the source. The unit has a second module for simulators, which is faster to simulate:
// sums are scheduled earlier (simulation_schedule.h), and a state or stage computes its wires only
// while it is active. Both modules behave alike at their ports in every cycle, except that an
// address or data without its enable or push may differ.
rtl::Unit process_module(const ir::Design& design, const ir::Process& process,
                         const schedule::Schedule& schedule, const bind::Binding& binding,
                         size_t index);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PROCESS_MODULE_H_
