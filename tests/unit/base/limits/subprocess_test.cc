// SPDX-License-Identifier: Apache-2.0
#include "base/limits/subprocess.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"

namespace vta {
namespace {

TEST(RunProcess, GivesInputAndReturnsBothOutputsAndTheStatus) {
  const FinishedProcess run = run_process({"sh", "-c", "cat; echo no >&2; exit 3"}, "in\n");
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.out, "in\n");
  EXPECT_EQ(run.err, "no\n");
}

TEST(RunProcess, DoesNotBlockOnMuchText) {
  const std::string text(5'000'000, 'x');
  EXPECT_EQ(run_process({"cat"}, text).out, text);
}

TEST(RunProcess, TellsOfASignal) {
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(RunProcess, NamesAMissingProgram) {
  try {
    run_process({"no-such-program-of-vta"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_STREQ(error.what(), "cannot run no-such-program-of-vta: No such file or directory");
  }
}

}  // namespace
}  // namespace vta
