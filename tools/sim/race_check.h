// SPDX-License-Identifier: Apache-2.0
//
// The check of programs from elsewhere for races and unloaded micro-ops, before they run on any
// device: boards and servers of boards cannot notice them.
#ifndef VTA_TOOLS_SIM_RACE_CHECK_H_
#define VTA_TOOLS_SIM_RACE_CHECK_H_

#include <cstdint>
#include <span>

#include "runtime/program/program.h"

namespace vta::sim {

// The streams of a program file, or a raw stream that is stored at `program_offset_bytes`, after
// `arena`. Errors: kCorrupt for a flaw (runtime/program/stream_races.h), naming the option that
// skips the check.
void refuse_races(const Program& program);
void refuse_races(std::span<const uint8_t> instructions, std::span<const uint8_t> arena,
                  uint64_t program_offset_bytes, const CoreConfig& core);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_RACE_CHECK_H_
