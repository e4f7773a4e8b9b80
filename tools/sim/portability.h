// SPDX-License-Identifier: Apache-2.0
//
// Programs for other implementations of VTA (docs/instruction_set.md, "Differences from VTA").
#ifndef VTA_TOOLS_SIM_PORTABILITY_H_
#define VTA_TOOLS_SIM_PORTABILITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/instruction.h"
#include "runtime/program/program.h"

namespace vta::sim {

// The first page, which VTA's virtual memory does not map.
inline constexpr uint64_t kUnmappedBytes = 4096;

// The instructions with the arena `base_bytes` later: what dram_base counts from.
// Errors: kInvalidArgument if `base_bytes` is not a multiple of the largest element in DRAM, or if
// an address does not fit dram_base.
std::vector<isa::InstructionBits> moved(const std::vector<isa::InstructionBits>& stream,
                                        uint64_t base_bytes, const CoreConfig& core);

// What the program needs that other implementations lack, a line each, with the cure.
std::vector<std::string> portability_notes(const Program& program, uint64_t base_bytes);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PORTABILITY_H_
