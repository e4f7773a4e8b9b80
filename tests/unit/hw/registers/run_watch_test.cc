// SPDX-License-Identifier: Apache-2.0
//
// The hardware detects the same end of a run, with the same fault, as the simulators.
#include <Vvta_run_watch.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "hw/isa/layout.h"
#include "hw/registers/registers.h"
#include "sim/functional/run_end.h"

namespace vta::hw {
namespace {

constexpr int kProcesses = 7;
constexpr Stage kStageOf[kProcesses] = {kStage_fetch, kStage_load,  kStage_load, kStage_gemm,
                                        kStage_alu,   kStage_store, kStage_store};

class Watch {
 public:
  Watch() {
    top_.core_running = 0;
    cycle();
    top_.core_running = 1;
  }

  void set(int process, const core::StageStatus& status) {
    const uint8_t bit = static_cast<uint8_t>(1u << process);
    top_.busy = static_cast<uint8_t>((top_.busy & ~bit) | (status.busy ? bit : 0));
    top_.index[process] = status.index;
    top_.fault = (top_.fault & ~(uint64_t{0xFF} << 8 * process)) | uint64_t{status.fault}
                                                                       << 8 * process;
    top_.value[2 * process] = static_cast<uint32_t>(status.value);
    top_.value[2 * process + 1] = static_cast<uint32_t>(status.value >> 32);
  }

  void cycle() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
  }

  // Cycles until the run has ended; -1 if it does not end.
  int until_end() {
    for (int i = 0; i < 100; ++i) {
      if (top_.run_ended) return i;
      cycle();
    }
    return -1;
  }

  Vvta_run_watch& pins() { return top_; }

 private:
  Vvta_run_watch top_;
};

struct Trial {
  std::vector<sim::StageEnd> stages{kProcesses};
  bool finished = false;
  uint32_t finish_index = 0;
  uint32_t tokens = 0;
};

// Few indices, so that some are equal.
uint32_t random_index(Random& random) {
  const uint32_t index = static_cast<uint32_t>(random.between(0, 4));
  return random.chance(20) ? UINT32_MAX - index : index;
}

Trial random_trial(Random& random) {
  Trial trial;
  const int busy = static_cast<int>(random.between(0, 3)) * 25;
  const int faulty = static_cast<int>(random.between(0, 3)) * 25;
  for (int process = 0; process < kProcesses; ++process) {
    core::StageStatus& status = trial.stages[process].status;
    const bool can_fault = process != 1 && process != 5;
    status.index = random_index(random);
    status.fault =
        can_fault && random.chance(faulty) ? static_cast<uint8_t>(random.between(1, 15)) : 0;
    status.value = random.next();
    status.busy = status.fault != 0 || random.chance(busy);
  }
  trial.finished = random.chance(50);
  trial.finish_index = random_index(random);
  trial.tokens = random.chance(50) ? static_cast<uint32_t>(random.between(1, 5000)) : 0;
  return trial;
}

void put(const Trial& trial, Watch& watch) {
  for (int process = 0; process < kProcesses; ++process) {
    watch.set(process, trial.stages[process].status);
  }
  watch.pins().finished = trial.finished;
  watch.pins().finish_index = trial.finish_index;
  watch.pins().tokens = trial.tokens;
  watch.pins().quiet = 1;
}

// True if the fault may be reported for `stage`.
bool may_be_of(const Trial& trial, const sim::NativeRun& run, uint32_t stage) {
  if (run.fault == isa::kTokensLeft) return stage == kStage_gemm;
  for (int process = 0; process < kProcesses; ++process) {
    const core::StageStatus& status = trial.stages[process].status;
    const bool found = run.fault == isa::kDeadlock
                           ? status.busy
                           : status.fault == run.fault && status.value == run.value;
    if (found && status.index == run.index && kStageOf[process] == stage) return true;
  }
  return false;
}

TEST(RunWatch, FindsTheFaultOfTheSimulators) {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 11, trial " << i);
    const Trial trial = random_trial(random);
    sim::NativeRun run;
    sim::find_fault({trial.stages, trial.finished, trial.finish_index, trial.tokens}, run);
    Watch watch;
    put(trial, watch);
    ASSERT_GE(watch.until_end(), 16);
    ASSERT_EQ(watch.pins().run_fault_code, run.fault);
    if (run.fault == isa::kNoFault) continue;
    ASSERT_EQ(watch.pins().run_fault_index, run.index);
    ASSERT_EQ(watch.pins().run_fault_value, run.value);
    ASSERT_TRUE(may_be_of(trial, run, watch.pins().run_fault_stage));
  }
}

TEST(RunWatch, AnyActivityRestartsTheWait) {
  for (int moves_at = 1; moves_at < 24; ++moves_at) {
    SCOPED_TRACE(moves_at);
    Watch watch;
    watch.pins().quiet = 1;
    watch.set(0, {true, 7, 0, 0});  // looks like a deadlock
    for (int i = 0; i < moves_at; ++i) watch.cycle();
    ASSERT_FALSE(watch.pins().run_ended);
    watch.pins().quiet = 0;
    watch.set(0, {false, 0, 0, 0});
    watch.cycle();
    EXPECT_EQ(watch.until_end(), -1);
    watch.pins().quiet = 1;
    EXPECT_GE(watch.until_end(), 16);
    EXPECT_EQ(watch.pins().run_fault_code, 0);
  }
}

TEST(RunWatch, NothingEndsBeforeItRuns) {
  Watch watch;
  watch.pins().core_running = 0;
  watch.pins().quiet = 1;
  EXPECT_EQ(watch.until_end(), -1);
}

TEST(RunWatch, AStageIsBusyIfOneOfItsProcessesIs) {
  for (int process = 0; process < kProcesses; ++process) {
    Watch watch;
    watch.set(process, {true, 0, 0, 0});
    watch.cycle();
    EXPECT_EQ(watch.pins().stage_busy, 1u << kStageOf[process]) << process;
  }
}

}  // namespace
}  // namespace vta::hw
