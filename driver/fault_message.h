// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_FAULT_MESSAGE_H_
#define VTA_DRIVER_FAULT_MESSAGE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hw/isa/instruction.h"

namespace vta::driver {

// A stage that is still waiting at the end of a run.
struct WaitingStage {
  std::string stage;            // "load", "gemm", "alu", "store", "fetch"
  uint32_t index = UINT32_MAX;  // of its instruction; UINT32_MAX: unknown
  std::string channel;          // that it waits on, "gemm_to_load"; empty: unknown
  bool for_space = false;       // true: waits to push; false: waits to pop
};

// The fault that ended a run of the core.
struct Fault {
  isa::FaultCode code = isa::kNoFault;
  uint32_t index = 0;                 // of the instruction
  uint64_t value = 0;                 // see isa::FaultCode
  std::vector<WaitingStage> waiting;  // of a deadlock
};

// Returns one line: the instruction's index and disassembly, the offending value and its limit. For
// a deadlock: each waiting stage, its instruction and the token or space that it waits for, as far
// as known.
std::string fault_message(const Fault& fault, std::span<const isa::InstructionBits> stream,
                          const CoreConfig& config, uint64_t arena_bytes);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FAULT_MESSAGE_H_
