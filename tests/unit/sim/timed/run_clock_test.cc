// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/run_clock.h"

#include <gtest/gtest.h>

#include <numeric>

namespace vta::sim {
namespace {

using namespace hw;
using Deadline = std::chrono::steady_clock;

CoreWaits quiet_core() {
  CoreWaits waits;
  for (const Wait wait :
       {kWait_fetch_request_run_request, kWait_fetch_run_fetch, kWait_load_request_load_queue,
        kWait_load_data_load_plan, kWait_uop_request_uop_plan, kWait_gemm_gemm_queue,
        kWait_acc_request_acc_plan, kWait_alu_alu_queue, kWait_store_read_store_queue,
        kWait_store_write_store_plan})
    waits.set(wait, 1);
  return waits;
}

TEST(RunClock, EndsAfterSixteenQuietCyclesInARowAndDoesNotCountThem) {
  RunClock clock(Deadline::time_point::max());
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(clock.count(CoreWaits(), false));
  for (int i = 0; i < 15; ++i) EXPECT_TRUE(clock.count(quiet_core(), false));
  EXPECT_TRUE(clock.count(quiet_core(), true)) << "memory works";
  for (int i = 0; i < 15; ++i) EXPECT_TRUE(clock.count(quiet_core(), false));
  EXPECT_FALSE(clock.count(quiet_core(), false));
  EXPECT_FALSE(clock.timed_out());
  EXPECT_EQ(clock.cycles(), 116u);
  for (const auto& states : clock.stages().of) {
    EXPECT_EQ(std::accumulate(states.begin(), states.end(), uint64_t{0}), 116u);
    EXPECT_EQ(states[kStageState_busy], 100u);
  }
}

TEST(RunClock, GivesUpSoonAfterTheDeadline) {
  RunClock late(Deadline::now() - std::chrono::seconds(1));
  EXPECT_FALSE(late.count(CoreWaits(), false));
  EXPECT_TRUE(late.timed_out());
  RunClock clock(Deadline::now() + std::chrono::milliseconds(20));
  while (clock.count(CoreWaits(), false)) {
  }
  EXPECT_TRUE(clock.timed_out());
}

// The state of load, given the waits of its two processes.
StageState load_state(std::initializer_list<Wait> list) {
  RunClock clock(Deadline::time_point::max());
  CoreWaits waits;
  for (const Wait wait : list) waits.set(wait, 1);
  clock.count(waits, false);
  while (clock.count(quiet_core(), false)) {
  }
  const auto& states = clock.stages().of[kStage_load];
  return static_cast<StageState>(std::find(states.begin(), states.end(), 1u) - states.begin());
}

TEST(RunClock, TakesAStagesStateFromTheProcessThatMovesItsData) {
  EXPECT_EQ(load_state({}), kStageState_busy);
  EXPECT_EQ(load_state({kWait_load_data_load_port}), kStageState_busy) << "the other one works";
  EXPECT_EQ(load_state({kWait_load_request_load_queue}), kStageState_busy);
  EXPECT_EQ(load_state({kWait_load_request_load_queue, kWait_load_data_load_port}),
            kStageState_wait_memory);
  EXPECT_EQ(load_state({kWait_load_request_gemm_to_load, kWait_load_data_load_port}),
            kStageState_wait_memory);
  EXPECT_EQ(load_state({kWait_load_request_gemm_to_load, kWait_load_data_load_plan}),
            kStageState_wait_token);
  EXPECT_EQ(load_state({kWait_load_request_load_queue, kWait_load_data_load_plan}),
            kStageState_idle);
}

}  // namespace
}  // namespace vta::sim
