// SPDX-License-Identifier: Apache-2.0
//
// --help of every script prints its purpose and an example, and does nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

// The script of CI and the executable files of scripts/ and hw/fpga/; the other files are parts of
// them.
std::vector<std::string> scripts() {
  std::vector<std::string> names = {".ci/run"};
  for (const std::string folder : {"scripts/", "hw/fpga/"}) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(VTA_SOURCE_FOLDER "/" + folder)) {
      const bool executable = (entry.status().permissions() & fs::perms::owner_exec) != fs::perms();
      if (entry.is_regular_file() && executable)
        names.push_back(folder + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Script : public ::testing::TestWithParam<std::string> {};

TEST_P(Script, ExplainsItselfWithAnExample) {
  const ScratchFolder folder;
  const std::string script = VTA_SOURCE_FOLDER "/" + GetParam();
  for (const char* option : {"--help", "-h"}) {
    const std::string text = run_ok({script, option}, {folder.path(), {}});
    EXPECT_PRED2(matches, text, "\nExample:\n[^\n]*" + GetParam());
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40) << "that and no more";
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(All, Script, ::testing::ValuesIn(scripts()), [](const auto& case_) {
  std::string name = case_.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == '/'; }, '_');
  return name;
});

}  // namespace
}  // namespace vta::cli_test
