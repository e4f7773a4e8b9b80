// SPDX-License-Identifier: Apache-2.0
//
// Random legal kernels have the same outputs as process IR, before and after the passes, as in
// their native run.
//   VTA_TEST_COUNT   number of kernels, default 40
//   VTA_TEST_SEED    seed of the first kernel; without a count, only that kernel
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/pipeline.h"
#include "tests/hls/interpreted.h"
#include "tests/hls/random/native_batch.h"
#include "tests/hls/random/random_kernel.h"
#include "tests/support/test_count.h"

namespace vta::kernels {
namespace {

std::vector<KernelSource> sources_of(uint64_t begin, uint64_t end) {
  std::vector<KernelSource> sources;
  for (uint64_t seed = begin; seed < end; ++seed) {
    sources.push_back({random_kernel_name(seed), random_kernel(seed)});
  }
  return sources;
}

hlsc::ir::Design compile(const Kernel& kernel) {
  return hlsc::front::compile({kernel.path, {VTA_SOURCE_ROOT}, {}});
}

// Two trials of one kernel.
void expect_same_meaning(const Kernel& kernel) {
  const hlsc::ir::Design design = compile(kernel);
  const std::string text = hlsc::ir::print(design);
  const hlsc::ir::Design again = hlsc::ir::parse(text, "printed");
  hlsc::ir::verify(again);
  hlsc::ir::Design legalized = hlsc::ir::parse(text, "printed");
  hlsc::passes::legalize(legalized, {.verify_each = true});
  for (uint64_t trial_seed : {1, 2}) {
    const Trial trial = kernel.run(trial_seed);
    EXPECT_EQ(difference(trial, interpret(design, trial, trial_seed)), "");
    EXPECT_EQ(difference(trial, interpret(again, trial, ~trial_seed)), "") << "after printing";
    EXPECT_EQ(difference(trial, interpret(legalized, trial, trial_seed)), "") << "legalized";
  }
}

TEST(RandomKernels, ProduceTheirNativeOutputsInProcessIr) {
  constexpr uint64_t kBatch = 40;
  const uint64_t first = support::test_seed(0);
  const uint64_t count = support::test_count(std::getenv("VTA_TEST_SEED") == nullptr ? 40 : 1);
  for (uint64_t begin = first; begin < first + count; begin += kBatch) {
    const uint64_t end = std::min(begin + kBatch, first + count);
    fmt::print("random kernels of seeds {} to {}\n", begin, end - 1);  // a trap prints nothing
    std::fflush(stdout);
    const std::vector<KernelSource> sources = sources_of(begin, end);
    const NativeBatch batch(sources);
    for (size_t i = 0; i < sources.size(); ++i) {
      SCOPED_TRACE(fmt::format("VTA_TEST_SEED={}", begin + i));
      try {
        expect_same_meaning(batch.kernels()[i]);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
      if (HasFailure()) FAIL() << sources[i].text;
    }
  }
}

// The comparison is effective: computed values reach the outputs. No counter depends on these two
// operations, and they cannot move an index out of its memory.
TEST(RandomKernels, RevealTwoReplacedOperations) {
  using hlsc::ir::Opcode;
  const NativeBatch batch(sources_of(1'000'000, 1'000'010));
  int seen = 0;
  for (const Kernel& kernel : batch.kernels()) {
    hlsc::ir::Design design = compile(kernel);
    for (hlsc::ir::Process& process : design.processes) {
      for (hlsc::ir::Op& op : process.ops) {
        if (op.opcode == Opcode::kSub) op.opcode = Opcode::kAdd;
        if (op.opcode == Opcode::kXor && op.width > 1) op.opcode = Opcode::kOr;
      }
    }
    const Trial trial = kernel.run(1);
    seen += difference(trial, interpret(design, trial, 1)).empty() ? 0 : 1;
  }
  EXPECT_GE(seen, 7);
}

TEST(RandomKernels, AreTheSameForTheSameSeed) {
  for (uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(random_kernel(seed), random_kernel(seed));
  EXPECT_NE(random_kernel(1).substr(40), random_kernel(2).substr(40));
}

}  // namespace
}  // namespace vta::kernels
