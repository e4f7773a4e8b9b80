// SPDX-License-Identifier: Apache-2.0
//
// The commands in README.md, docs/tools.md and docs/vta_sim.md work, in order, in a folder that
// contains an image and two reports. The commands in docs/from_pytorch.md do with a small model.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

// The lines of a document's code blocks that start with the name of a tool, without comments, as
// words.
std::vector<std::vector<std::string>> commands_of(const std::string& document) {
  std::vector<std::vector<std::string>> commands;
  std::istringstream text(read_text_file(VTA_SOURCE_FOLDER "/" + document));
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
  const std::string report = run_ok({"vta-sim", "run", "digits.json", "--json"});
  for (const char* name : {"before.json", "after.json"}) write_file(folder / name, report);
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);  // explore keeps cycle models there
  for (const auto& [document, least] :
       {std::pair{"README.md", 2u}, {"docs/tools.md", 5u}, {"docs/vta_sim.md", 1u}}) {
    const auto commands = commands_of(document);
    EXPECT_GE(commands.size(), least) << document;
    for (const std::vector<std::string>& command : commands) {
      const ToolRun result = run(command, {folder.path(), {}});
      EXPECT_EQ(result.status, 0) << fmt::format("{}\n{}", fmt::join(command, " "), result.err);
    }
  }
}

// A model of 10 classes, their names, 200 photographs for calibration, 1,000 in two classes and one
// more, all of them small.
void write_model_and_photographs(const ScratchFolder& folder) {
  const std::string root = VTA_SOURCE_FOLDER;
  const std::string photograph = root + "/configs/networks/samples/landscape_32.png";
  std::filesystem::copy(root + "/tests/onnx/quantized/small.qdq_s8.onnx", folder / "resnet18.onnx");
  std::filesystem::copy(photograph, folder / "cat.jpg");
  write_file(folder / "labels.txt", std::string("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"));
  for (const char* name : {"photos/all", "val/cats", "val/dogs"}) {
    std::filesystem::create_directories(folder / name);
    for (int i = 0; i < (name[0] == 'p' ? 200 : 500); ++i) {
      std::filesystem::create_symlink(photograph, folder / fmt::format("{}/{}.png", name, i));
    }
  }
}

TEST(FromPyTorch, CommandsWorkAsShownButOnABoard) {
  const ScratchFolder folder;
  write_model_and_photographs(folder);
  size_t runs = 0;
  for (const std::vector<std::string>& command : commands_of("docs/from_pytorch.md")) {
    if (fmt::format("{}", fmt::join(command, " ")).find("rpc://") != std::string::npos) continue;
    const ToolRun result = run(command, {folder.path(), {}});
    EXPECT_EQ(result.status, 0) << fmt::format("{}\n{}", fmt::join(command, " "), result.err);
    ++runs;
  }
  EXPECT_EQ(runs, 6u);
}

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
