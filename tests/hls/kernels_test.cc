// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of kernels/, run in all ways that exist so far, means what it means natively.
// VTA_TEST_COUNT: trials of each, 5 if not given.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "runtime/base/error.h"
#include "tests/hls/interpreted.h"

namespace vta::kernels {
namespace {

using hlsc::ir::Design;

// Kernels that the compiler cannot take yet, and what it says: to be removed with the limitation.
struct KnownFailure {
  const char* kernel;
  const char* message;
};
const std::vector<KnownFailure> kKnownFailures = {};

const KnownFailure* known_failure(const Kernel& kernel) {
  const auto found = std::find_if(kKnownFailures.begin(), kKnownFailures.end(),
                                  [&](const KnownFailure& f) { return f.kernel == kernel.name; });
  return found == kKnownFailures.end() ? nullptr : &*found;
}

Design compile(const Kernel& kernel) {
  const std::string root = VTA_SOURCE_ROOT;
  return hlsc::front::compile({root + "/" + kernel.path, {root}, {}});
}

uint64_t trials() {
  const char* count = std::getenv("VTA_TEST_COUNT");
  return count != nullptr ? std::stoull(count) : 5;
}

class EveryKernel : public testing::TestWithParam<Kernel> {};

TEST_P(EveryKernel, MeansInProcessIrWhatItMeansNatively) {
  if (const KnownFailure* failure = known_failure(GetParam())) {
    try {
      compile(GetParam());
      FAIL() << "it compiles now: take it out of kKnownFailures";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(failure->message), std::string::npos)
          << error.what();
    }
    return;
  }
  const Design design = compile(GetParam());
  const Design again = hlsc::ir::parse(hlsc::ir::print(design), "printed");
  hlsc::ir::verify(again);
  for (uint64_t seed = 0; seed < trials(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Trial trial = GetParam().run(seed);
    ASSERT_EQ(difference(trial, interpret(design, trial, seed)), "");
    ASSERT_EQ(difference(trial, interpret(again, trial, ~seed)), "") << "after printing";
  }
}

TEST_P(EveryKernel, HasItemsOnEachOutput) {
  const Trial trial = GetParam().run(1);
  ASSERT_FALSE(trial.inputs.empty());
  ASSERT_FALSE(trial.outputs.empty());
  for (const auto& [name, items] : trial.outputs) EXPECT_FALSE(items.empty()) << name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::ValuesIn(all_kernels()),
                         [](const auto& given) { return given.param.name; });

TEST(KernelTable, NamesOnlyKernelsThatExist) {
  const std::vector<Kernel> kernels = all_kernels();
  EXPECT_GE(kernels.size(), 40u);
  for (const KnownFailure& failure : kKnownFailures) {
    EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& k) {
      return k.name == failure.kernel;
    })) << failure.kernel;
  }
}

// The comparison is not idle: a product that becomes a sum is seen.
TEST(KernelComparison, SeesAnOperationReplacedInTheProcessIr) {
  const std::vector<Kernel> kernels = all_kernels();
  const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                   [](const Kernel& k) { return k.name == "dot_product"; });
  ASSERT_NE(kernel, kernels.end());
  Design design = compile(*kernel);
  int replaced = 0;
  for (hlsc::ir::Op& op : design.processes[0].ops) {
    if (op.opcode != hlsc::ir::Opcode::kMul) continue;
    op.opcode = hlsc::ir::Opcode::kAdd;
    ++replaced;
  }
  ASSERT_EQ(replaced, 1);
  const Trial trial = kernel->run(1);
  EXPECT_NE(difference(trial, interpret(design, trial, 1)), "");
}

}  // namespace
}  // namespace vta::kernels
