// SPDX-License-Identifier: Apache-2.0
//
// CheckedStreams: the check of a simulator's runs for races and unloaded micro-ops. It remembers
// the last streams without such a flaw, because most programs run many times. It keeps a hash of
// each: one load of 16 bytes may read all micro-ops again, and copies of them would be thousands of
// times the program.
#ifndef VTA_SIM_FUNCTIONAL_CHECKED_STREAMS_H_
#define VTA_SIM_FUNCTIONAL_CHECKED_STREAMS_H_

#include <cstdint>
#include <list>
#include <span>
#include <string>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "runtime/program/stream_races.h"

namespace vta::sim {

class CheckedStreams {
 public:
  explicit CheckedStreams(const CoreConfig& core) : core_(core) {}

  // Returns flaw_message() of the stream, which is at `program_offset_bytes` of `arena`;
  // empty if there is no flaw. Errors: any error of `check_time`.
  std::string flaw_of(std::span<const isa::InstructionBits> stream, std::span<const uint8_t> arena,
                      uint64_t program_offset_bytes, const StreamExecution::CheckTime& check_time);

 private:
  // All that the result depends on.
  struct Checked {
    uint64_t hash;  // of the stream and of the micro-ops that its loads read
    uint64_t num_instructions, program_offset_bytes, arena_bytes;
    bool operator==(const Checked&) const = default;
  };

  uint64_t hash_of(std::span<const isa::InstructionBits> stream, std::span<const uint8_t> arena,
                   const StreamExecution::CheckTime& check_time) const;

  const CoreConfig core_;
  std::list<Checked> without_flaw_;  // most recent one in front
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_CHECKED_STREAMS_H_
