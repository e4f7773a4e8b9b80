// SPDX-License-Identifier: Apache-2.0
//
// Items that a kernel sends after those of its native run are compared, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/hls/verilog_run.h"

namespace vta::kernels {
namespace {

TEST(ItemsAhead, AreThoseOfFurtherInput) {
  const std::vector<Kernel> kernels = all_kernels();
  const auto found = std::ranges::find(kernels, "runs_ahead", &Kernel::name);
  ASSERT_NE(found, kernels.end());
  const auto run = [](const Kernel& kernel) {
    const std::unique_ptr<VerilogModel> model(make_verilog_model());
    return run_in_verilog(*model, {kernel}, 0).at(kernel.name);
  };
  const VerilogResult result = run(*found);
  EXPECT_EQ(result.difference, "");
  EXPECT_GT(result.moves.at("begun").size(), found->run(0).outputs.at("begun").size());
  Kernel altered = *found;
  altered.run = [original = found->run](uint64_t seed) {
    Trial trial = original(seed);
    trial.outputs_ahead.at("begun").at(0).at(0) ^= 1;
    return trial;
  };
  EXPECT_NE(run(altered).difference, "");
}

}  // namespace
}  // namespace vta::kernels
