// SPDX-License-Identifier: Apache-2.0
//
// vta-sim info.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "configs/config_files.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

bool has_element(const json& array, const std::string& element) {
  return std::find(array.begin(), array.end(), element) != array.end();
}

TEST(VtaSim, InfoListsDevicesCoresMemoriesNetworksAndTheBuild) {
  const json info = run_json({"vta-sim", "info"});
  EXPECT_PRED2(has_element, info.at("devices"), "functional");
  EXPECT_EQ(info.at("cores").size(), installed_config_names("cores").size());
  EXPECT_PRED2(has_element, info.at("memories"), "ideal64");
  for (const char* network : {"digits.json", "resnet18.json", "resnet20_cifar.json"}) {
    EXPECT_PRED2(has_element, info.at("networks"), network);
  }
  EXPECT_TRUE(info.at("build").at("compiler").is_string());
  const std::string text = run_ok({"vta-sim", "info"});
  EXPECT_PRED2(contains, text, "vta_1x16        batch 1, block 16x16");
  EXPECT_PRED2(contains, text, ", extension, ALU folded by 4\n");
  EXPECT_PRED2(contains, text, "rpc://HOST:PORT                  a device that a vta-rpc-server");
}

TEST(VtaSim, InfoListsBoardsWithPartClockAndMemory) {
  const json boards = run_json({"vta-sim", "info"}).at("boards");
  const json expected = {{"name", "pynq-z2"},          {"part", "xc7z020clg400-1"},
                         {"core", "vta_1x16"},         {"clock_hz", 100000000},
                         {"fast_clock_hz", 142857142}, {"memory_bytes", 536870912}};
  EXPECT_NE(std::ranges::find(boards, expected), boards.end()) << boards;
  EXPECT_PRED2(contains, run_ok({"vta-sim", "info"}),
               "\tpynq-z1         xc7z020clg400-1, vta_1x16 at 100 or 142.857 MHz, 512 MiB of "
               "memory\n");
}

TEST(VtaSim, InfoSaysWhatANetworkLeavesToTheHost) {
  const std::vector<std::string> command = {"vta-sim", "info", "digits.json", "--mode",
                                            "compatible"};
  const std::string text = run_ok(command);
  EXPECT_PRED2(contains, text, "multiply-accumulates on the core (99.");
  EXPECT_PRED2(contains, text, "mode compatible leaves classifiers to the host (fc)");
  std::vector<std::string> ran = command;
  ran[1] = "run";
  EXPECT_PRED2(contains, run_ok(ran), "mode compatible leaves classifiers to the host (fc)");
  EXPECT_PRED2(contains, run_ok({"vta-compile", "digits.json", "--mode", "compatible"}),
               "mode compatible leaves classifiers to the host (fc)");
  const json info = run_json(command), report = run_json(ran);
  EXPECT_EQ(info.at("host"), report.at("host"));
  EXPECT_EQ(info.at("host").back().at("reason"), "classifier");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "info", "digits.json"}),
               "On the host: conversions only");
  expect_usage_error({"vta-sim", "info", "--mode", "compatible"},
                     "options of networks need a network or program");
}

}  // namespace
}  // namespace vta::cli_test
