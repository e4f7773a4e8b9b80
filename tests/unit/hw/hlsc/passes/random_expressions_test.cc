// SPDX-License-Identifier: Apache-2.0
//
// Expressions of all pure operations mean the same when they are simplified.
// VTA_TEST_COUNT: designs, 4000 if not given.
#include "tests/unit/hw/hlsc/passes/random_expressions.h"

#include <gtest/gtest.h>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/support/test_count.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

TEST(HlscRandomExpressions, MeanTheSameWhenTheyAreSimplified) {
  constexpr uint64_t kTrials = 6;
  const uint64_t designs = support::test_count(4000);
  for (uint64_t seed = 0; seed < designs && !HasFailure(); ++seed) {
    SCOPED_TRACE("expressions of seed " + std::to_string(seed));
    const ir::Design before = random_expressions(seed);
    ir::verify(before);
    ir::Design after = random_expressions(seed);
    simplify(after, after.processes[0]);
    ir::verify(after);
    expect_same_meaning(before, after, kTrials);
  }
}

}  // namespace
}  // namespace vta::hlsc::passes
