// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/program.h"

#include "hw/isa/instruction.h"

namespace vta {

size_t stream_end(const Program& program, size_t first) {
  size_t last = first;  // of kind kCore
  for (size_t i = first; program.steps[last].continues;) {
    if (program.steps[++i].kind == ProgramStep::Kind::kCore) last = i;
  }
  return last + 1;
}

const std::string& output_name(const Program& program, size_t index) {
  const ProgramOutput& output = program.outputs.at(index);
  return output.name.empty() ? program.values.at(static_cast<size_t>(output.value)).name
                             : output.name;
}

std::span<const uint8_t> step_bytes(const Program& program, const ProgramStep& step) {
  return std::span(program.arena_image)
      .subspan(step.stream_offset_bytes, uint64_t{step.num_instructions} * isa::kInstructionBytes);
}

std::span<const uint8_t> stream_bytes(const Program& program, size_t first) {
  uint64_t instructions = 0;
  for (size_t i = first; i < stream_end(program, first); ++i)
    instructions += program.steps[i].num_instructions;
  return std::span(program.arena_image)
      .subspan(program.steps[first].stream_offset_bytes, instructions * isa::kInstructionBytes);
}

}  // namespace vta
