// SPDX-License-Identifier: Apache-2.0
//
// ONNX's own node tests against a reviewed list of expected outcomes. VTA_UPDATE_GOLDEN=1 rewrites
// the list.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files/file.h"
#include "tests/onnx/node_test.h"
#include "tests/support/shared_data.h"

namespace vta::onnx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGolden = "tests/onnx/node_tests.txt";  // tests run in the project's root

TEST(OnnxNodeTests, BecomeWhatTheListSays) {
  const fs::path folder = test::shared_data() / "onnx_node_tests";
  if (!fs::exists(folder)) GTEST_SKIP() << "[SKIP] no shared data";
  std::string text;
  int num_failed = 0;
  for (const fs::path& test : find_node_tests(folder)) {
    const NodeTestResult result = run_node_test(test);
    num_failed += result.status == NodeTestResult::Status::kFail ? 1 : 0;
    text += fmt::format("{} {}\n", test.filename().string(), to_string(result));
  }
  EXPECT_EQ(num_failed, 0) << text;
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(kGolden, text);
  EXPECT_EQ(text, read_text_file(kGolden));
}

}  // namespace
}  // namespace vta::onnx
