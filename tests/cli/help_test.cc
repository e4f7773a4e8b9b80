// SPDX-License-Identifier: Apache-2.0
//
// --help and --version of every tool and subcommand, including those for builds and tests.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

// A tool and its subcommand, if any.
struct HelpCase {
  std::string tool;
  std::string subcommand;
};

std::string name_of(const HelpCase& help) {
  return help.subcommand.empty() ? help.tool : help.tool + " " + help.subcommand;
}

const HelpCase kCases[] = {
    {"vta-sim", ""},         {"vta-sim", "run"},    {"vta-sim", "eval"},    {"vta-sim", "report"},
    {"vta-sim", "compare"},  {"vta-sim", "tune"},   {"vta-sim", "profile"}, {"vta-sim", "bench"},
    {"vta-sim", "disasm"},   {"vta-sim", "asm"},    {"vta-sim", "info"},    {"vta-sim", "export"},
    {"vta-sim", "explore"},  {"vta-sim", "exec"},   {"vta-hlsc", ""},       {"vta-hlsc", "ir"},
    {"vta-hlsc", "verilog"}, {"vta-hlsc", "model"}, {"vta-hlsc", "report"}, {"vta-compile", ""},
    {"vta-flash", ""},       {"vta-run", ""},       {"vta-rpc-server", ""}, {"register_map", ""},
    {"board_verilog", ""},   {"isa_tables", ""},    {"write_verilog", ""},  {"write_loosened", ""},
    {"vta-hlsc", "new"},     {"vta-hlsc", "cosim"}, {"vta-route", ""}};

class Help : public ::testing::TestWithParam<HelpCase> {};

TEST_P(Help, ShowsOptionsAndAnExampleAndNothingOfTheParser) {
  const auto& [tool, subcommand] = GetParam();
  std::vector<std::string> command = {tool};
  if (!subcommand.empty()) command.push_back(subcommand);
  command.push_back("--help");
  const std::string text = run_ok(command);
  EXPECT_PRED2(contains, text, "\nUsage: " + name_of(GetParam()) + " ");
  EXPECT_PRED2(matches, text, "\nExample:\n  " + name_of(GetParam()) + "[ \n]");
  for (const char* internal : {"INT in", "UINT", "9223372036854775807", " :"})
    EXPECT_PRED2(lacks, text, internal);
}

INSTANTIATE_TEST_SUITE_P(Commands, Help, ::testing::ValuesIn(kCases), [](const auto& case_) {
  std::string name = name_of(case_.param);
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
});

TEST(Version, ComesWithTheNameOfTheTool) {
  for (const std::string tool :
       {"vta-sim", "vta-compile", "vta-hlsc", "vta-flash", "vta-rpc-server", "vta-run"}) {
    EXPECT_PRED2(matches, run_ok({tool, "--version"}), "^" + tool + " [0-9]+[.][0-9]+[.][0-9]+\n$");
  }
}

TEST(Generators, RefuseWhatTheyDoNotTake) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"register_map"},
                                                  {"register_map", "poem"},
                                                  {"write_verilog", ".", "out.sv"},
                                                  {"write_loosened", "out.sv"},
                                                  {"board_verilog", "all"},
                                                  {"isa_tables", "faults"}}) {
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, 2) << command[0];
    EXPECT_EQ(result.out, "") << command[0];
  }
}

}  // namespace
}  // namespace vta::cli_test
