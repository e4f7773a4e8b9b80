// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/cycle_recorder.h"

#include <gtest/gtest.h>

namespace vta::sim {
namespace {

using Work = RunTrace::Work;
using WaitSpan = RunTrace::WaitSpan;

struct Seen {
  std::vector<Wait> waits;
  bool busy = false;
  uint32_t index = 0;
  TokenMoves tokens;
};

// The record of gemm in these cycles.
RunTrace record(const std::vector<Seen>& cycles, uint64_t count) {
  RunTrace trace;
  CycleRecorder recorder(trace);
  for (const Seen& seen : cycles) {
    CoreWaits waits;
    for (Wait wait : seen.waits) waits.set(wait, 1);
    ProcessStatuses statuses{};
    statuses[kProcess_gemm] = {seen.busy, seen.index, 0, 0};
    recorder.cycle(waits, statuses, seen.tokens);
  }
  recorder.end(count);
  return trace;
}

TEST(CycleRecorder, RecordsInstructionsFromTheCycleInWhichTheirStatusIsWritten) {
  const RunTrace trace = record({{},                                   // 0
                                 {{kWait_gemm_gemm_queue}},            // 1
                                 {},                                   // 2: the first one is taken
                                 {{}, true, 7},                        // 3
                                 {{}, true, 7},                        // 4: its last
                                 {{}, false, 7},                       // 5: the second is taken
                                 {{}, true, 8},                        // 6
                                 {{kWait_gemm_gemm_queue}, false, 8},  // 7
                                 {{kWait_gemm_gemm_queue}, false, 8}},
                                9);
  const RunTrace::ProcessTrace& gemm = trace.processes[kProcess_gemm];
  EXPECT_EQ(gemm.work, (std::vector<Work>{{2, 5, 7}, {5, 7, 8}}));
  EXPECT_EQ(gemm.waits,
            (std::vector<WaitSpan>{{1, 2, kWait_gemm_gemm_queue}, {7, 9, kWait_gemm_gemm_queue}}));
  EXPECT_EQ(trace.cycles, 9u);
}

TEST(CycleRecorder, RecordsTheFirstOfSeveralWaits) {
  const RunTrace trace = record({{{kWait_gemm_load_to_gemm, kWait_gemm_alu_to_gemm}},
                                 {{kWait_gemm_load_to_gemm}},
                                 {{kWait_gemm_alu_to_gemm, kWait_alu_alu_queue}},
                                 {}},
                                4);
  EXPECT_EQ(
      trace.processes[kProcess_gemm].waits,
      (std::vector<WaitSpan>{{0, 2, kWait_gemm_load_to_gemm}, {2, 3, kWait_gemm_alu_to_gemm}}));
  EXPECT_EQ(trace.processes[kProcess_alu].waits,
            (std::vector<WaitSpan>{{2, 3, kWait_alu_alu_queue}}));
}

TEST(CycleRecorder, RecordsTheCyclesOfTokens) {
  const TokenMoves both = {1u << kTokens_gemm_to_alu, 1u << kTokens_alu_to_gemm};
  const RunTrace trace = record({{}, {{}, false, 0, both}, {{}, false, 0, both}}, 3);
  EXPECT_EQ(trace.tokens[kTokens_gemm_to_alu].pushes, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(trace.tokens[kTokens_alu_to_gemm].pops, (std::vector<uint64_t>{1, 2}));
  EXPECT_TRUE(trace.tokens[kTokens_gemm_to_alu].pops.empty());
}

TEST(CycleRecorder, DropsCyclesAfterTheEnd) {
  const RunTrace trace = record({{},
                                 {{kWait_gemm_load_to_gemm}, true, 3},
                                 {{kWait_gemm_load_to_gemm}, true, 3},
                                 {{kWait_gemm_gemm_queue}, true, 3}},
                                2);
  const RunTrace::ProcessTrace& gemm = trace.processes[kProcess_gemm];
  EXPECT_EQ(gemm.work, (std::vector<Work>{{0, 2, 3}}));
  EXPECT_EQ(gemm.waits, (std::vector<WaitSpan>{{1, 2, kWait_gemm_load_to_gemm}}));
}

}  // namespace
}  // namespace vta::sim
