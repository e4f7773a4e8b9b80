// SPDX-License-Identifier: Apache-2.0
//
// vta_core_states is generated from hw/core/processes.def, and says of the core's waits what the
// simulators say of them.
#include "hw/rtl/board/core_states.h"

#include <Vvta_core_states.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "hw/rtl/board/core_package.h"
#include "sim/timed/run_clock.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

// The state of a stage that RunClock counts for one cycle with these waits.
std::array<uint32_t, hw::kNumCycleStages> counted_states(const CoreWaits& waits) {
  RunClock clock(std::chrono::steady_clock::time_point::max());
  clock.count(waits, true);
  CoreWaits quiet;
  for (int wait = 0; wait < kNumWaits; ++wait) quiet.set(static_cast<Wait>(wait), 1);
  while (clock.count(quiet, false)) {
  }
  std::array<uint32_t, hw::kNumCycleStages> states;
  for (size_t stage = 0; stage < states.size(); ++stage) {
    const auto& of = clock.stages().of[stage];
    states[stage] = static_cast<uint32_t>(std::find(of.begin(), of.end(), 1u) - of.begin());
  }
  return states;
}

// Tests run in the source tree.
TEST(CoreStates, ModuleIsExactlyAsGenerated) {
  EXPECT_EQ(read_text_file("hw/rtl/board/vta_core_states.sv"), board::core_states_module())
      << "replace it by the output of `board_verilog states`";
}

TEST(CoreStates, EqualTheSimulatorsStates) {
  const uint64_t seed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Vvta_core_states top;
  int quiet = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    CoreWaits waits;
    const int percent = static_cast<int>(random.between(0, 9)) * 10;
    const auto draw = [&](Wait wait) -> uint8_t {
      const bool waits_here = random.chance(percent);
      waits.set(wait, waits_here ? 1 : 0);
      return waits_here ? 1 : 0;
    };
#define VTA_END(process) top.process##_ended = draw(kEnd_##process);
#define VTA_WAIT(process, channel, what, for_space) \
  top.process##_waits_##channel = draw(kWait_##process##_##channel);
#include "hw/core/processes.def"
    top.eval();
    ASSERT_EQ(top.still != 0, waits.is_quiet());
    quiet += top.still;
    const auto states = counted_states(waits);
    ASSERT_EQ(top.load_state, 1u << states[hw::kStage_load]);
    ASSERT_EQ(top.gemm_state, 1u << states[hw::kStage_gemm]);
    ASSERT_EQ(top.alu_state, 1u << states[hw::kStage_alu]);
    ASSERT_EQ(top.store_state, 1u << states[hw::kStage_store]);
  }
  EXPECT_GT(quiet, 100);
}

TEST(CorePackage, RefusesPixelPairs) {
  EXPECT_EQ(vta::error_in([] { board::core_package(load_core_config("vta_2p16")); },
                          ErrorCode::kUnsupported),
            "core vta_2p16: pixels is 2, must be 1: the registers of a board do not have it yet");
}

}  // namespace
}  // namespace vta::sim
