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

namespace vta {

// Returns the first race that the queues and tokens lead to, the same for every device. A fault
// stops its stage, a deadlock all; what has started before is checked. Not checked: the
// scratchpad elements of instructions whose micro-ops the stream itself stores. Takes a
// sixteenth of the arena of memory and `slice_granules` histories of 24 bytes: a stream that writes
// more of DRAM is executed once for each slice. Takes time for its instructions, not for their
// iterations. Errors: any error of `check_time`, which is called every few instructions and may be
// empty.
inline constexpr uint64_t kDramSliceGranules = uint64_t{1} << 20;
std::optional<Race> find_race(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                              const StreamMemory& memory,
                              const StreamExecution::CheckTime& check_time = {},
                              uint64_t slice_granules = kDramSliceGranules);

// One line: both instructions with their indices, the memory and the element.
std::string race_message(const Race& race, std::span<const isa::InstructionBits> stream,
                         const CoreConfig& core);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_STREAM_RACES_H_
