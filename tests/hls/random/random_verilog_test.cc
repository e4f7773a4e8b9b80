// SPDX-License-Identifier: Apache-2.0
//
// Random legal kernels have the same outputs in SystemVerilog as in their native run, at any pace
// of the environment. One kernel of four reads its RAMs through output registers.
//   VTA_TEST_COUNT   number of kernels, default 16
//   VTA_TEST_SEED    seed of the first kernel; without a count, only that kernel
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/hls/random/native_batch.h"
#include "tests/hls/random/random_kernel.h"
#include "tests/hls/random/verilog_batch.h"
#include "tests/hls/verilog_run.h"
#include "tests/support/test_count.h"

namespace vta::kernels {
namespace {

struct Counts {
  uint64_t kernels = 0, slower = 0, skipped = 0;
};

constexpr uint64_t kRegisteredEvery = 4;

void expect_same_meaning(uint64_t begin, uint64_t end, Counts& counts) {
  std::vector<KernelSource> sources;
  std::set<std::string> registered;
  for (uint64_t seed = begin; seed < end; ++seed) {
    sources.push_back({random_kernel_name(seed), random_kernel(seed)});
    if (seed % kRegisteredEvery == 0) registered.insert(random_kernel_name(seed));
  }
  const NativeBatch native(sources);
  const VerilogBatch batch(native.kernels(), registered);
  counts.kernels += sources.size();
  counts.slower += static_cast<uint64_t>(batch.num_slower());
  counts.skipped += sources.size() - batch.kernels().size() - batch.errors().size();
  for (const auto& [name, error] : batch.errors()) ADD_FAILURE() << name << ": " << error;
  for (uint64_t trial_seed : {0, 1, 2}) {  // one trial for each pace
    const auto model = batch.model();
    for (const auto& [name, result] : run_in_verilog(*model, batch.kernels(), trial_seed))
      EXPECT_EQ(result.difference, "") << name << ", trial " << trial_seed;
  }
}

TEST(RandomKernels, ProduceTheirNativeOutputsInVerilog) {
  constexpr uint64_t kBatch = 24;
  const uint64_t first = support::test_seed(0);
  const uint64_t count = support::test_count(std::getenv("VTA_TEST_SEED") == nullptr ? 16 : 1);
  Counts counts;
  for (uint64_t begin = first; begin < first + count; begin += kBatch) {
    const uint64_t end = std::min(begin + kBatch, first + count);
    fmt::print("random kernels of seeds {} to {}\n", begin, end - 1);
    std::fflush(stdout);
    try {
      expect_same_meaning(begin, end, counts);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  fmt::print("{} kernels, {} slower than they ask for, {} skipped: no schedule at any interval\n",
             counts.kernels, counts.slower, counts.skipped);
  // Any loop has a schedule at an interval of as many cycles as it has stages.
  EXPECT_EQ(counts.skipped, 0);
}

}  // namespace
}  // namespace vta::kernels
