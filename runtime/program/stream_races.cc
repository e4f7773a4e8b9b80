// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_races.h"

#include <string_view>

#include "base/errors/error.h"

namespace vta {

StreamFlaws find_flaws(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                       const StreamMemory& memory, const StreamExecution::CheckTime& check_time,
                       uint64_t slice_granules) {
  StreamFlaws flaws;
  uint64_t first_step = UINT64_MAX;
  bool more = true;
  for (uint64_t slice = 0; more; ++slice) {
    StreamAccesses accesses(stream, core, memory, check_time, {slice, slice_granules});
    StreamExecution execution(stream, core);
    execution.run(
        [&](const ExecutedInstruction& executed) {
          return !isa::find_encoding_fault(stream[executed.index], core) &&
                 accesses.record(executed);
        },
        [&] {
          if (check_time) check_time();
        });
    if (accesses.first_race() && accesses.race_step() < first_step) {
      flaws.race = accesses.first_race();
      first_step = accesses.race_step();
    }
    flaws.unloaded = accesses.first_unloaded();  // the same in every slice
    more = accesses.has_later_slice();
  }
  return flaws;
}

std::string flaw_message(const StreamFlaws& flaws, std::span<const isa::InstructionBits> stream,
                         const CoreConfig& core) {
  if (flaws.race) return race_message(*flaws.race, stream, core);
  if (!flaws.unloaded) return "";
  const auto [index, element] = *flaws.unloaded;
  return fmt::format(
      "instruction {} ({}) uses micro-op {}, which no earlier LOAD of the program writes", index,
      isa::disassemble(isa::decode(stream[index], core)), element);
}

std::string race_message(const Race& race, std::span<const isa::InstructionBits> stream,
                         const CoreConfig& core) {
  const auto text = [&](uint32_t index) {
    return fmt::format("{} ({})", index, isa::disassemble(isa::decode(stream[index], core)));
  };
  const bool dram = std::string_view(race.memory) == "DRAM";
  return fmt::format("race: instructions {} and {} access {} {} of {} without a token between them",
                     text(race.first_index), text(race.second_index), dram ? "byte" : "element",
                     race.element, race.memory);
}

}  // namespace vta
