// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/program.h"

#include "hw/isa/instruction.h"

namespace vta {

std::span<const uint8_t> stream_bytes(const Program& program, const ProgramStep& step) {
  return std::span(program.arena_image)
      .subspan(step.stream_offset_bytes, uint64_t{step.num_instructions} * isa::kInstructionBytes);
}

}  // namespace vta
