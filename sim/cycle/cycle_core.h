// SPDX-License-Identifier: Apache-2.0
//
// The cycle model of hw/core, which vta-hlsc generates from the same schedule as the SystemVerilog.
// Its counters, cycles and stage states equal the Verilated core's.
#ifndef VTA_SIM_CYCLE_CYCLE_CORE_H_
#define VTA_SIM_CYCLE_CYCLE_CORE_H_

#include <memory>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

// The model with the values of `config`, of those that are built in; null: there is none.
// Without `computes` only the timing is simulated: scratchpads and outputs do not change, and
// micro-ops and instructions are read from the arena.
std::unique_ptr<TimedCore> find_cycle_core(const CoreConfig& config, const MemoryConfig& memory,
                                           bool computes);

// Likewise. Errors: kUnsupported if there is none; names the folder to extend.
std::unique_ptr<TimedCore> make_cycle_core(const CoreConfig& config, const MemoryConfig& memory,
                                           bool computes);

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_CYCLE_CORE_H_
