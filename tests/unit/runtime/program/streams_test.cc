// SPDX-License-Identifier: Apache-2.0
//
// streams_of(), stream_bytes().
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "hw/isa/instruction.h"
#include "runtime/program/program.h"

namespace vta {
namespace {

using Kind = ProgramStep::Kind;

ProgramStep step_of(Kind kind) {
  ProgramStep step;
  step.kind = kind;
  return step;
}

ProgramStep core_step(uint64_t offset_bytes, uint32_t num_instructions, bool continues = false) {
  ProgramStep step = step_of(Kind::kCore);
  step.stream_offset_bytes = offset_bytes;
  step.num_instructions = num_instructions;
  step.continues = continues;
  return step;
}

std::vector<std::pair<size_t, size_t>> pairs_of(const std::vector<StreamSteps>& streams) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (const StreamSteps stream : streams) pairs.emplace_back(stream.first, stream.end);
  return pairs;
}

TEST(StreamsOf, HaveTheViewsBetweenTheirSteps) {
  Program program;
  program.steps = {step_of(Kind::kHost),  step_of(Kind::kView), core_step(0, 3, true),
                   step_of(Kind::kView),  step_of(Kind::kView), core_step(48, 2),
                   step_of(Kind::kView),  core_step(80, 1),     core_step(96, 4),
                   step_of(Kind::kUnpack)};
  const auto streams = streams_of(program);
  EXPECT_EQ(pairs_of(streams), (std::vector<std::pair<size_t, size_t>>{{2, 6}, {7, 8}, {8, 9}}));
  program.arena_image.resize(12 * isa::kInstructionBytes);
  const auto bytes = stream_bytes(program, streams[0]);
  EXPECT_EQ(bytes.data(), program.arena_image.data());
  EXPECT_EQ(bytes.size(), 5 * isa::kInstructionBytes);
  EXPECT_EQ(stream_bytes(program, streams[2]).data(), program.arena_image.data() + 96);
  EXPECT_EQ(stream_bytes(program, streams[2]).size(), 4 * isa::kInstructionBytes);
}

TEST(StreamsOf, LackStepsWithoutInstructions) {
  Program program;
  program.steps = {core_step(0, 0), core_step(0, 2, true), core_step(32, 1), core_step(0, 0)};
  EXPECT_EQ(pairs_of(streams_of(program)), (std::vector<std::pair<size_t, size_t>>{{1, 3}}));
  EXPECT_TRUE(streams_of(Program{}).empty());
}

}  // namespace
}  // namespace vta
