// SPDX-License-Identifier: Apache-2.0
//
// The commands that README.md shows work, in its order, from a folder with a picture in it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "runtime/base/file.h"
#include "runtime/base/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

// Lines of the README's code that start with the name of a tool, without their comments, as words.
std::vector<std::vector<std::string>> readme_commands() {
  std::vector<std::vector<std::string>> commands;
  std::istringstream text(read_text_file(VTA_SOURCE_FOLDER "/README.md"));
  bool in_code = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code || !(line.starts_with("vta-sim ") || line.starts_with("vta-compile "))) continue;
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<std::string>& command = commands.emplace_back();
    for (std::string word; words >> word;) command.push_back(word);
  }
  return commands;
}

TEST(Readme, CommandsWorkAsShown) {
  const ScratchFolder folder;
  std::filesystem::copy(VTA_SOURCE_FOLDER "/configs/networks/digits/sample.png",
                        folder / "digit.png");
  const auto commands = readme_commands();
  EXPECT_GE(commands.size(), 5u);
  for (const std::vector<std::string>& command : commands) {
    const ToolRun result = run(command, {folder.path(), {}});
    EXPECT_EQ(result.status, 0) << fmt::format("{}\n{}", fmt::join(command, " "), result.err);
  }
}

// The statistics table of a run, as the README shows it: tabs are eight spaces there.
std::string statistics_table(const std::string& output) {
  std::string table;
  for (const char c : output.substr(output.find("Execution statistics:"))) {
    table += c == '\t' ? std::string(8, ' ') : std::string(1, c);
  }
  return table.substr(0, table.find("\n\n"));
}

TEST(Readme, ShowsTheCountersThatResNet18HasNow) {
  const ToolRun result = run({"vta-sim", "run", "resnet18.json"});
  const std::string readme = read_text_file(VTA_SOURCE_FOLDER "/README.md");
  EXPECT_PRED2(contains, readme, statistics_table(result.out));
}

}  // namespace
}  // namespace vta::cli_test
