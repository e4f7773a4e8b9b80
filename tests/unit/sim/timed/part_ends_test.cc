// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/part_ends.h"

#include <gtest/gtest.h>

#include <numeric>

namespace vta::sim {
namespace {

// Instructions 0 and 2 are loads, 1 and 3 GEMMs; two of each are a layer. The second load runs
// while the first GEMM does.
RunTrace overlapping_layers() {
  RunTrace trace;
  trace.cycles = 100;
  trace.processes[kProcess_load_data].work = {{5, 20, 0}, {25, 45, 2}};
  trace.processes[kProcess_gemm].work = {{20, 60, 1}, {60, 95, 3}};
  trace.processes[kProcess_gemm].waits = {{0, 20, kEnd_gemm}, {95, 100, kEnd_gemm}};
  for (Process process : {kProcess_load_request, kProcess_load_data})
    trace.processes[process].waits = {{0, 5, kEnd_load_data}, {45, 100, kEnd_load_data}};
  return trace;
}

uint64_t sum(const driver::PartEnd& end, hw::Stage stage) {
  const auto& states = end.stages->of[stage];
  return std::accumulate(states.begin(), states.end(), uint64_t{0});
}

TEST(PartEnds, AreThoseOfTheLastInstructionInAnyStage) {
  const RunTrace trace = overlapping_layers();
  const std::vector<driver::RunPart> parts = {{"first", 2}, {"second", 4}};
  const auto ends = part_ends(trace, parts);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].cycles, 60u) << "the second layer's load has ended before";
  EXPECT_EQ(ends[1].cycles, 95u);
}

TEST(PartEnds, CountTheStatesUpToTheirCycle) {
  const RunTrace trace = overlapping_layers();
  const std::vector<driver::RunPart> parts = {{"first", 2}, {"second", 4}};
  const auto ends = part_ends(trace, parts);
  const auto gemm = [&](size_t part) { return ends[part].stages->of[hw::kStage_gemm]; };
  EXPECT_EQ(gemm(0)[hw::kStageState_idle], 20u);
  EXPECT_EQ(gemm(0)[hw::kStageState_busy], 40u);
  EXPECT_EQ(gemm(1)[hw::kStageState_idle], 20u);
  EXPECT_EQ(gemm(1)[hw::kStageState_busy], 75u);
  const auto load = [&](size_t part) { return ends[part].stages->of[hw::kStage_load]; };
  EXPECT_EQ(load(0)[hw::kStageState_busy], 40u);
  for (size_t part = 0; part < 2; ++part) {
    for (hw::Stage stage : {hw::kStage_load, hw::kStage_gemm, hw::kStage_alu, hw::kStage_store})
      EXPECT_EQ(sum(ends[part], stage), ends[part].cycles);
  }
}

// A view between two layers has no instructions.
TEST(PartEnds, OfAPartWithoutInstructionsIsThatOfThePartBefore) {
  const RunTrace trace = overlapping_layers();
  const std::vector<driver::RunPart> parts = {{"first", 2}, {"view", 2}, {"second", 4}};
  const auto ends = part_ends(trace, parts);
  EXPECT_EQ(ends[1].cycles, ends[0].cycles);
  EXPECT_EQ(ends[1].stages, ends[0].stages);
}

}  // namespace
}  // namespace vta::sim
