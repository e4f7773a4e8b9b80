// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/core_waits.h"

#include <gtest/gtest.h>

namespace vta::sim {
namespace {

using namespace hw;

CoreWaits waits_of(std::initializer_list<Wait> list) {
  CoreWaits waits;
  for (const Wait wait : list) waits.set(wait, 1);
  return waits;
}

// As after a program's end.
CoreWaits idle_core() {
  return waits_of({kWait_fetch_request_run_request, kWait_fetch_run_fetch,
                   kWait_load_request_load_queue, kWait_load_data_load_plan,
                   kWait_uop_request_uop_plan, kWait_gemm_gemm_queue, kWait_acc_request_acc_plan,
                   kWait_alu_alu_queue, kWait_store_read_store_queue,
                   kWait_store_write_store_plan});
}

TEST(CoreWaits, GiveTheStateOfAProcess) {
  EXPECT_EQ(CoreWaits().state(kProcess_gemm), kStageState_busy);
  EXPECT_EQ(waits_of({kWait_gemm_gemm_queue}).state(kProcess_gemm), kStageState_idle);
  EXPECT_EQ(waits_of({kEnd_gemm}).state(kProcess_gemm), kStageState_idle);
  EXPECT_EQ(waits_of({kWait_gemm_gemm_to_load}).state(kProcess_gemm), kStageState_wait_token);
  EXPECT_EQ(waits_of({kWait_gemm_uop_port}).state(kProcess_gemm), kStageState_wait_memory);
  EXPECT_EQ(waits_of({kWait_gemm_uop_plan}).state(kProcess_gemm), kStageState_wait_queue);
  EXPECT_EQ(waits_of({kWait_alu_out}).state(kProcess_alu), kStageState_wait_port);
  EXPECT_EQ(waits_of({kWait_alu_out}).state(kProcess_gemm), kStageState_busy)
      << "the wait of another process";
  EXPECT_EQ(waits_of({kWait_store_write_store_port}).state(kProcess_store_write),
            kStageState_wait_memory)
      << "the last bit";
}

TEST(CoreWaits, AreQuietIfNoProcessMoves) {
  EXPECT_TRUE(idle_core().is_quiet());
  EXPECT_FALSE(CoreWaits().is_quiet());
  EXPECT_FALSE(waits_of({kWait_gemm_gemm_queue}).is_quiet());
  // All but alu.
  CoreWaits half_moved = waits_of({kWait_fetch_request_run_request, kEnd_fetch, kEnd_load_request,
                                   kEnd_load_data, kWait_uop_request_uop_port, kEnd_gemm,
                                   kWait_acc_request_acc_port, kEnd_store_read, kEnd_store_write});
  EXPECT_FALSE(half_moved.is_quiet());
  half_moved.set(kWait_alu_acc, 1);
  EXPECT_FALSE(half_moved.is_quiet()) << "another process uses the port";
  half_moved.set(kEnd_alu, 1);
  EXPECT_TRUE(half_moved.is_quiet());
}

TEST(CoreWaits, NameTheChannelOfEachStageInADeadlock) {
  ProcessStatuses statuses{};
  statuses[kProcess_store_read] = {true, 7, 0, 0};
  const std::vector<StageEnd> ends =
      waits_of({kWait_store_read_alu_to_store, kWait_load_data_load_to_gemm}).stage_ends(statuses);
  ASSERT_EQ(ends.size(), size_t{kNumProcesses});
  EXPECT_EQ(ends[kProcess_store_read].stage, "store");
  EXPECT_EQ(ends[kProcess_store_read].channel, "alu_to_store");
  EXPECT_FALSE(ends[kProcess_store_read].for_space);
  EXPECT_EQ(ends[kProcess_store_read].status.index, 7u);
  EXPECT_EQ(ends[kProcess_load_data].channel, "load_to_gemm");
  EXPECT_TRUE(ends[kProcess_load_data].for_space);
  EXPECT_EQ(ends[kProcess_gemm].channel, "");

  NativeRun run;
  find_fault({ends, false, 0, 0}, run);
  EXPECT_EQ(run.fault, isa::kDeadlock);
  ASSERT_EQ(run.waiting.size(), 1u);
  EXPECT_EQ(run.waiting[0].stage, "store");
}

}  // namespace
}  // namespace vta::sim
