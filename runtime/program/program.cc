// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/program.h"

#include "hw/isa/instruction.h"

namespace vta {

std::vector<StreamSteps> streams_of(const Program& program) {
  std::vector<StreamSteps> streams;
  bool continues = false;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const ProgramStep& step = program.steps[i];
    if (step.kind != ProgramStep::Kind::kCore || step.num_instructions == 0) continue;
    if (!continues) streams.push_back({i, 0});
    streams.back().end = i + 1;
    continues = step.continues;
  }
  return streams;
}

TensorType sample_type(const Program& program, ValueId value) {
  TensorType type = program.value(value).type;
  if (program.batch > 1) type.shape.at(0) /= program.batch;
  return type;
}

int64_t num_named_classes(const Program& program) {
  std::vector<TensorType> types;
  for (const ProgramOutput& output : program.outputs)
    types.push_back(program.value(output.value).type);
  return num_classes(program.output_spec, types);
}

const std::string& output_name(const Program& program, size_t index) {
  const ProgramOutput& output = program.outputs.at(index);
  return output.name.empty() ? program.value(output.value).name : output.name;
}

std::span<const uint8_t> step_bytes(const Program& program, const ProgramStep& step) {
  return std::span(program.arena_image)
      .subspan(step.stream_offset_bytes, uint64_t{step.num_instructions} * isa::kInstructionBytes);
}

std::span<const uint8_t> stream_bytes(const Program& program, StreamSteps stream) {
  uint64_t instructions = 0;
  for (size_t i = stream.first; i < stream.end; ++i)
    instructions += program.steps[i].num_instructions;
  return std::span(program.arena_image)
      .subspan(program.steps[stream.first].stream_offset_bytes,
               instructions * isa::kInstructionBytes);
}

}  // namespace vta
