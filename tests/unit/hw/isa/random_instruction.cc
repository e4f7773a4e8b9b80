// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/isa/random_instruction.h"

#include "hw/isa/field_table.h"

namespace vta::isa {
namespace {

int64_t random_value(Random& random, const FieldRange& range) {
  switch (random.between(0, 5)) {
    case 0:
      return 0;
    case 1:
      return range.max;
    case 2:
      return range.min;
    default:
      return random.between(range.min, range.max);
  }
}

}  // namespace

Instruction random_instruction(Random& random, const CoreConfig& core) {
  Instruction instruction;
  instruction.opcode = static_cast<uint32_t>(random.between(0, 7));
  const Format format = format_of(instruction.opcode);
  const IsaWidths widths = widths_of(core);
  for (int id = format.first + 1; id < format.end; ++id) {
    kFieldTable[id].set(instruction, random_value(random, field_range(id, widths)));
  }
  instruction.split = core.extension && has_split(instruction) && random.chance(50);
  return instruction;
}

std::vector<CoreConfig> test_cores() {
  std::vector<CoreConfig> cores;
  for (const std::string& name : installed_core_names()) {
    cores.push_back(load_core_config(name));
  }
  cores.push_back(cores.front());
  cores.back().name = "plain";
  cores.back().extension = false;
  return cores;
}

}  // namespace vta::isa
