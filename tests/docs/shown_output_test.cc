// SPDX-License-Identifier: Apache-2.0
//
// Pages that show excerpts of what tools print, and explain numbers in them: they are today's.
// pages_test.py runs the commands of all pages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

// The paragraph of a tool's output with `title`, with tabs replaced by eight spaces as in the
// documents.
std::string paragraph(const std::string& output, const std::string& title) {
  const size_t found = output.find(title);
  if (found == std::string::npos) return "no '" + title + "' in the output";
  const size_t above = output.rfind("\n\n", found);
  std::string text;
  for (const char c : output.substr(above == std::string::npos ? 0 : above + 2)) {
    text += c == '\t' ? std::string(8, ' ') : std::string(1, c);
  }
  text = text.substr(0, text.find("\n\n"));
  return text.ends_with('\n') ? text : text + '\n';
}

TEST(ToolsPage, ShowsWhatNetworksGiveNow) {
  const std::string page = read_text_file(VTA_SOURCE_FOLDER "/docs/tools.md");
  const ToolRun resnet18 = run({"vta-sim", "run", "resnet18.json"});
  EXPECT_PRED2(contains, page, paragraph(resnet18.out, "Execution statistics:"));
  EXPECT_PRED2(contains, page, paragraph(resnet18.out, "resnet18 prediction"));
  const ToolRun digits = run({"vta-sim", "run", "digits.json"});
  EXPECT_PRED2(contains, page, paragraph(digits.out, "digits prediction"));
}

// The layer of which docs/lowering.md explains the tiling.
TEST(LoweringPage, ShowsTodaysTilings) {
  const std::string page = read_text_file(VTA_SOURCE_FOLDER "/docs/lowering.md");
  for (const char* network : {"resnet18.json", "digits.json"}) {
    const ToolRun result = run({"vta-compile", network, "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto report = nlohmann::json::parse(result.out);
    std::string tiles;
    for (const auto& layer : report["layers"]) {
      if (layer["name"] == "layer1.0.conv1") tiles = layer["tiles"];
    }
    EXPECT_FALSE(tiles.empty()) << network;
    EXPECT_PRED2(contains, page, "`" + tiles + "`");
  }
}

}  // namespace
}  // namespace vta::cli_test
