// SPDX-License-Identifier: Apache-2.0
//
// Every kernel, compiled to SystemVerilog and Verilated, has the outputs of its native run at any
// pace of its environment, and each item moves in the cycle that the cycle model predicts. All
// kernels are one model and run in parallel. VTA_TEST_COUNT: trials, default 12.
#include <gtest/gtest.h>

#include <memory>

#include "tests/hls/cycle_model_run.h"
#include "tests/hls/verilog_run.h"
#include "tests/support/test_count.h"

namespace vta::kernels {
namespace {

// By seed and kernel; simulated once for all tests.
const std::vector<std::map<std::string, VerilogResult>>& results() {
  static const auto* const all = [] {
    const uint64_t trials = support::test_count(12);
    auto* list = new std::vector<std::map<std::string, VerilogResult>>;
    for (uint64_t seed = 0; seed < trials; ++seed) {
      const std::unique_ptr<VerilogModel> model(make_verilog_model());
      list->push_back(run_in_verilog(*model, all_kernels(), seed));
    }
    return list;
  }();
  return *all;
}

class EveryKernelInVerilog : public testing::TestWithParam<Kernel> {};

TEST_P(EveryKernelInVerilog, ProducesItsNativeOutputs) {
  for (size_t seed = 0; seed < results().size(); ++seed)
    EXPECT_EQ(results()[seed].at(GetParam().name).difference, "") << "seed " << seed;
}

TEST_P(EveryKernelInVerilog, TakesTheCyclesOfItsCycleModel) {
  static const std::map<std::string, CycleModelRun> models = cycle_models();
  const auto model = models.find(GetParam().name);
  if (model == models.end()) {  // has a DRAM port, whose timing the kernel does not determine
    EXPECT_FALSE(GetParam().run(0).dram_before.empty());
    return;
  }
  for (size_t seed = 0; seed < results().size(); ++seed) {
    const Moves moves = model->second(GetParam().run(seed), seed);
    EXPECT_EQ(moves, results()[seed].at(GetParam().name).moves) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernelInVerilog, testing::ValuesIn(all_kernels()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace vta::kernels
