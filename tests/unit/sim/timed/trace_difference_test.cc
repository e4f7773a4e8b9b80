// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trace_difference.h"

#include <gtest/gtest.h>

namespace vta::support {
namespace {

using sim::RunTrace;

struct TraceDifference : testing::Test {
  void SetUp() override {
    rtl.processes[sim::kProcess_load_data].work = {{10, 20, 0}, {30, 40, 2}};
    rtl.processes[sim::kProcess_gemm].work = {{12, 50, 1}};
    rtl.processes[sim::kProcess_gemm].waits = {{14, 18, sim::kWait_gemm_load_to_gemm}};
    rtl.cycles = 60;
    model = rtl;
  }
  std::string difference() const { return first_difference(rtl, model, stream, config); }

  const CoreConfig config = load_core_config("tiny_1x8");
  const std::vector<isa::InstructionBits> stream =
      isa::assemble("finish\nfinish pop_prev\nfinish\n", "stream", config);
  RunTrace rtl, model;
};

TEST_F(TraceDifference, OfEqualRecordsIsNothing) { EXPECT_EQ(difference(), ""); }

TEST_F(TraceDifference, IsTheEarliestInstructionWithBothTimesAndTheWaitThatMadeIt) {
  model.processes[sim::kProcess_load_data].work[1] = {31, 41, 2};
  model.processes[sim::kProcess_gemm].work[0] = {12, 51, 1};
  model.processes[sim::kProcess_gemm].waits[0].end = 19;
  EXPECT_EQ(difference(),
            "gemm works: cycles [12, 50) for instruction 1 in RTL, cycles [12, 51) for instruction "
            "1 in the model\n" +
                isa::disassemble(isa::decode(stream[1], config)) +
                "\ngemm waits: cycles [14, 18) for load_to_gemm in RTL, cycles [14, 19) for "
                "load_to_gemm in the model");
}

TEST_F(TraceDifference, NamesAnInstructionThatOnlyOneHas) {
  model.processes[sim::kProcess_load_data].work.pop_back();
  EXPECT_NE(difference().find("cycles [30, 40) for instruction 2 in RTL, none in the model"),
            std::string::npos);
}

TEST_F(TraceDifference, FindsTokensAndTheEndToo) {
  model.cycles = 61;
  EXPECT_EQ(difference(), "60 cycles in RTL, 61 in the model");
  rtl.tokens[sim::kTokens_gemm_to_alu].pops = {7};
  model.tokens[sim::kTokens_gemm_to_alu].pops = {8};
  EXPECT_EQ(difference(), "pop from gemm_to_alu: cycle 7 in RTL, cycle 8 in the model");
}

}  // namespace
}  // namespace vta::support
