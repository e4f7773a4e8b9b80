// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_FUNCTIONAL_FAULT_MESSAGE_H_
#define VTA_SIM_FUNCTIONAL_FAULT_MESSAGE_H_

#include <span>
#include <string>

#include "hw/isa/instruction.h"
#include "sim/functional/native_core.h"

namespace vta::sim {

// One line on a run that ended with a fault: the instruction's index and disassembly, the offending
// value and its limit; of a deadlock each waiting stage, its instruction and the token or room that
// it waits for.
std::string fault_message(const NativeRun& run, std::span<const isa::InstructionBits> stream,
                          const CoreConfig& config, uint64_t arena_bytes);

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_FAULT_MESSAGE_H_
