// SPDX-License-Identifier: Apache-2.0
//
// --wave and --wave-cycles. tests/unit/sim/rtl tests the contents of the files.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

ToolRun run_digits(const ScratchFolder& folder, std::vector<std::string> more) {
  std::vector<std::string> command = {"vta-sim", "run", "digits.json", "--json", "--wave", "a.fst"};
  command.insert(command.end(), more.begin(), more.end());
  return run(command, {folder.path(), {}});
}

TEST(Wave, IsAFileOfTheWindowThatTheLayersCyclesTell) {
  const ScratchFolder folder;
  const ToolRun plain = run({"vta-sim", "run", "digits.json", "--device", "rtl", "--json"});
  uint64_t next = 0, last_layer = 0, runs = 0;
  const json report = json::parse(plain.out);
  for (const json& layer : report.at("layers")) {
    if (layer.at("cycles").is_null()) {
      EXPECT_TRUE(layer.at("first_cycle").is_null());
      continue;
    }
    last_layer = layer.at("first_cycle");
    if (last_layer != next) {  // 16 cycles between two runs
      EXPECT_EQ(last_layer, next + 16);
      ++runs;
    }
    next = last_layer + layer.at("cycles").get<uint64_t>();
  }
  EXPECT_EQ(next, report.at("counters").at("cycles").get<uint64_t>() + 16 * runs);
  const std::string window = std::to_string(last_layer) + ":" + std::to_string(next);
  const ToolRun recorded = run_digits(folder, {"--device", "rtl", "--wave-cycles", window});
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_EQ(json::parse(recorded.out).at("counters"), report.at("counters"));
  EXPECT_GT(fs::file_size(folder / "a.fst"), 1000u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(Wave, CountsCyclesOverAllInferences) {
  const ToolRun twice =
      run({"vta-sim", "run", "digits.json", "--device", "rtl", "--json", "--repeat", "2"});
  const json layers = json::parse(twice.out).at("layers");
  uint64_t end = 0, first = UINT64_MAX;
  for (const json& layer : layers) {
    if (layer.at("cycles").is_null()) continue;
    if (first == UINT64_MAX) first = layer.at("first_cycle");
    end = layer.at("first_cycle").get<uint64_t>() + layer.at("cycles").get<uint64_t>();
  }
  EXPECT_EQ(first, end - first + 16) << "of the second one";
  const ToolRun eval = run({"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz",
                            "--limit", "2", "--threads", "1", "--device", "cycle", "--json"});
  for (const json& layer : json::parse(eval.out).at("layers")) {
    if (layer.at("cycles").is_null()) continue;
    EXPECT_EQ(layer.at("first_cycle"), first) << "of the second image";
    break;
  }
}

TEST(Wave, WindowsThatAreNoneAreUsageErrors) {
  const ScratchFolder folder;
  for (const auto& [window, why] : {std::pair("5:5", "FIRST must be less than END"),
                                    {"6:5", "FIRST must be less than END"},
                                    {"5", "with a colon"},
                                    {"-1:5", "two cycle numbers"},
                                    {"1:2:3", "two cycle numbers"},
                                    {"1:99999999999999999999", "two cycle numbers"}}) {
    const ToolRun result = run_digits(folder, {"--device", "rtl", "--wave-cycles", window});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_PRED2(contains, result.err, std::string("--wave-cycles ") + window + ": ");
    EXPECT_PRED2(contains, result.err, why);
  }
  EXPECT_EQ(
      run({"vta-sim", "run", "digits.json", "--device", "rtl", "--wave-cycles", "1:2"}).status, 2);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Wave, WindowsBeyondTheEndAreErrorsAndLeaveNoFile) {
  const ScratchFolder folder;
  for (const char* window : {"100:1000000000", "1000000000:1000000001", "1000000000:"}) {
    const ToolRun result = run_digits(folder, {"--device", "rtl", "--wave-cycles", window});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_PRED2(matches, result.err,
                 "^vta-sim: error: --wave-cycles [0-9:]+: the run has [0-9]+ "
                 "cycles with its reset\n$");
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Wave, NeedsADeviceWithSignalsAndAPlaceForTheFile) {
  const ScratchFolder folder;
  for (const char* device : {"functional", "lockstep:functional,rtl"}) {
    const ToolRun result = run_digits(folder, {"--device", device});
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(contains, result.err, "has no signals; use 'rtl'");
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  const ToolRun result = run({"vta-sim", "run", "digits.json", "--wave", "no/such/folder.fst"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "--wave no/such/folder.fst: ");
}

TEST(Wave, OfARunThatFailsIsKept) {
  const ScratchFolder folder;
  write_file(folder / "program.asm",
             "load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n");
  write_file(folder / "arena.bin", std::string(4096, '\0'));
  const RunPlace place = {folder.path(), {}};
  ASSERT_EQ(run({"vta-sim", "asm", "program.asm", "-o", "program.insns"}, place).status, 0);
  const ToolRun result = run({"vta-sim", "exec", "--insns", "program.insns", "--arena", "arena.bin",
                              "--device", "rtl", "--wave", "a.fst"},
                             place);
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "deadlock");
  EXPECT_GT(fs::file_size(folder / "a.fst"), 1000u);
}

TEST(Wave, LeavesNothingAfterCtrlC) {
  const ScratchFolder folder;
  const ToolRun result =
      run({"vta-sim", "run", "resnet18.json", "--device", "rtl", "--wave", "a.fst"},
          {folder.path(), std::chrono::milliseconds(2500)});
  EXPECT_EQ(result.status, 130);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace vta::cli_test
