// SPDX-License-Identifier: Apache-2.0
//
// find_flaws(): what makes the result of a stream depend on more than its arena, and no device can
// tell. A race: two stages access one scratchpad element or DRAM byte, one of them writing, without
// a token that orders them; the result depends on timing. An unloaded micro-op: it has the value
// that an earlier stream has left.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_RACES_H_
#define VTA_RUNTIME_PROGRAM_STREAM_RACES_H_

#include <optional>
#include <span>
#include <string>

#include "runtime/program/stream_accesses.h"

namespace vta {

struct StreamFlaws {
  std::optional<Race> race;
  std::optional<UnloadedUop> unloaded;
};

// Finds the first of each that the queues and tokens lead to, the same for every device. A fault
// stops its stage, a deadlock all; what has started before is checked. Not checked: the
// scratchpad elements of instructions whose micro-ops the stream itself stores. Takes a
// sixteenth of the arena of memory and `slice_granules` histories of 24 bytes: a stream that writes
// more of DRAM is executed once for each slice. Takes time for its instructions, not for their
// iterations. Errors: any error of `check_time`, which is called every few instructions and may be
// empty.
inline constexpr uint64_t kDramSliceGranules = uint64_t{1} << 20;
StreamFlaws find_flaws(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                       const StreamMemory& memory,
                       const StreamExecution::CheckTime& check_time = {},
                       uint64_t slice_granules = kDramSliceGranules);

// One line, of the race if there are both; "" if there is none.
std::string flaw_message(const StreamFlaws& flaws, std::span<const isa::InstructionBits> stream,
                         const CoreConfig& core);

// One line: both instructions with their indices, the memory and the element.
std::string race_message(const Race& race, std::span<const isa::InstructionBits> stream,
                         const CoreConfig& core);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_STREAM_RACES_H_
