// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_PROCESS_MODULE_H_
#define VTA_HW_HLSC_EMIT_PROCESS_MODULE_H_

#include <string>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

// The module of one process: number `index` of the design with the text's names (names.h), in the
// source `process`. With HLS_SIMULATION defined another text of it that is faster to simulate: sums
// move (simulation_schedule.h), and what states and stages compute for others is computed only
// while they are at it. At the ports it does the same in every cycle; only an address or data that
// no enable or push goes with may be another.
std::string process_module(const ir::Design& design, const ir::Process& process,
                           const schedule::Schedule& schedule, const bind::Binding& binding,
                           size_t index);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PROCESS_MODULE_H_
