// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/race_check.h"

#include "base/errors/error.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/stream_races.h"

namespace vta::sim {
namespace {

void refuse_race(std::span<const uint8_t> instructions, const CoreConfig& core,
                 const StreamMemory& memory) {
  const std::vector<isa::InstructionBits> stream = isa::instructions_in(instructions);
  const StreamFlaws flaws = find_flaws(stream, core, memory);
  if (!flaws.race && !flaws.unloaded) return;
  fail(ErrorCode::kCorrupt, "{}: the result depends on {} (--unchecked runs it anyway)",
       flaw_message(flaws, stream, core),
       flaws.race ? "the device's timing" : "what the core ran before");
}

}  // namespace

void refuse_races(const Program& program) {
  for (const StreamSteps stream : streams_of(program)) {
    const ProgramStep& step = program.steps[stream.first];
    const std::span<const uint8_t> bytes = stream_bytes(program, stream);
    const uint64_t begin = step.stream_offset_bytes;
    with_context(step.layer, [&] {
      refuse_race(bytes, program.core,
                  {program.arena_image, program.arena_bytes, begin, begin + bytes.size()});
    });
  }
}

void refuse_races(std::span<const uint8_t> instructions, std::span<const uint8_t> arena,
                  uint64_t program_offset_bytes, const CoreConfig& core) {
  const uint64_t end = program_offset_bytes + instructions.size();
  refuse_race(instructions, core, {arena, end, program_offset_bytes, end});
}

}  // namespace vta::sim
