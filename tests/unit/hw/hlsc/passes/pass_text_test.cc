// SPDX-License-Identifier: Apache-2.0
//
// Every pass on the designs of tests/hls/passes/<pass>.hlsir, whose README has the format. After a
// change of a pass look at the differences, then write the files anew with
//   VTA_UPDATE_GOLDEN=1 build/release/tests/hlsc_passes_test --gtest_filter='*EveryPass*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/pipeline.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

constexpr const char* kCase = "# CASE ";
constexpr const char* kRun = "# RUN ";
constexpr const char* kExpect = "# EXPECT";

struct Case {
  std::string name;
  std::vector<std::string> passes;
  std::string before, expected;
};

struct File {
  std::string head;  // comments before the first case
  std::vector<Case> cases;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

File parse_file(const std::string& text, const std::string& pass) {
  File file;
  std::string* part = &file.head;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kCase)) {
      file.cases.push_back({line.substr(std::string(kCase).size()), {pass}, "", ""});
      part = &file.cases.back().before;
    } else if (line.starts_with(kRun) && !file.cases.empty()) {
      file.cases.back().passes = words_of(line.substr(std::string(kRun).size()));
    } else if (line == kExpect && !file.cases.empty()) {
      part = &file.cases.back().expected;
    } else {
      part->append(line).append("\n");
    }
  }
  return file;
}

std::string text_of(const File& file, const std::string& pass) {
  std::string text = file.head;
  for (const Case& it : file.cases) {
    text += kCase + it.name + "\n";
    if (it.passes != std::vector<std::string>{pass})
      text += fmt::format("{}{}\n", kRun, fmt::join(it.passes, " "));
    text += it.before + kExpect + "\n" + it.expected;
  }
  return text;
}

// The text after the passes, or the error of one.
std::string after(const Case& it) {
  ir::Design design = design_of(it.before);
  const ir::Design before = design_of(it.before);
  try {
    for (const std::string& name : it.passes) {
      run(pass_of(name), design);
      ir::verify(design);
    }
  } catch (const Error& error) {
    return fmt::format("# error: {}\n", error.what());
  }
  EXPECT_GT(expect_same_meaning(before, design, 20), 0u);
  return ir::print(design);
}

class EveryPass : public testing::TestWithParam<std::string> {};

TEST_P(EveryPass, GivesTheExpectedText) {
  const std::string path = fmt::format("tests/hls/passes/{}.hlsir", GetParam());
  File file = parse_file(read_text_file(path), GetParam());
  ASSERT_FALSE(file.cases.empty()) << path << " has no '" << kCase << "'";
  for (Case& it : file.cases) {
    SCOPED_TRACE(path + ": " + it.name);
    const std::string text = after(it);
    if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) it.expected = text + "\n";
    EXPECT_EQ(text + "\n", it.expected);
  }
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(path, text_of(file, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Passes, EveryPass, testing::ValuesIn(pass_names()),
                         [](const auto& given) { return given.param; });

}  // namespace
}  // namespace vta::hlsc::passes
