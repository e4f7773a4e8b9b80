// SPDX-License-Identifier: Apache-2.0
//
// find_race(): whether two stages access one scratchpad element or DRAM byte, one of them writing,
// without a token that orders them. The result of such a stream depends on timing, and no device
// can tell: hardware has no clocks of that kind.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_RACES_H_
#define VTA_RUNTIME_PROGRAM_STREAM_RACES_H_

#include <optional>
#include <span>
#include <string>

#include "runtime/program/stream_accesses.h"

namespace vta::program {

// Returns the first race that the queues and tokens lead to, the same for every device. A fault
// stops its stage, a deadlock all; what has started before is checked. Not checked: the
// scratchpad elements of instructions whose micro-ops the stream itself stores. Takes memory for
// the DRAM that the stream writes, and time for its instructions, not for their iterations. Errors:
// any error of `check_time`, which is called every few instructions and may be empty.
std::optional<Race> find_race(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                              const StreamMemory& memory,
                              const StreamExecution::CheckTime& check_time = {});

// One line: both instructions with their indices, the memory and the element.
std::string race_message(const Race& race, std::span<const isa::InstructionBits> stream,
                         const CoreConfig& core);

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_STREAM_RACES_H_
