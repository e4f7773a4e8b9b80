// SPDX-License-Identifier: Apache-2.0
//
// vta-sim report as documented: the page, the JSON form, the text, and errors.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

TEST(VtaSimReport, PrintsHeadlinesAndWritesAPage) {
  const ScratchFolder folder;
  const std::string file = folder / "digits.html";
  const std::string text = run_ok({"vta-sim", "report", "digits.json", "-o", file});
  for (const char* topic : {"speed:", "most cycles:", "most lost cycles:", "DRAM traffic:",
                            "what would help:", "quantization:"})
    EXPECT_PRED2(contains, text, topic);
  const std::string page = read_text_file(file);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_PRED2(contains, page, "<title>digits on vta_1x16</title>");
  EXPECT_PRED2(matches, page,
               "<footer><p>vta-sim [^ ]+, [-0-9]+ [0-9:]+ UTC: vta-sim report digits.json -o ");
}

// `compare` reads the file.
TEST(VtaSimReport, WritesJsonIntoTheFileThatIsNamedWithIt) {
  const ScratchFolder folder;
  const std::string file = folder / "digits.json";
  const std::string text = run_ok({"vta-sim", "report", kDigitsProgram, "--json", "-o", file});
  EXPECT_PRED2(contains, text, "speed:");
  auto report = nlohmann::json::parse(read_text_file(file));
  auto printed = run_json({"vta-sim", "report", kDigitsProgram});
  report.erase("host_seconds");
  printed.erase("host_seconds");
  EXPECT_EQ(report, printed);
  EXPECT_EQ(report.at("fpga").at("has").at("RAMB36"), 140);
  EXPECT_PRED2(matches, run_ok({"vta-sim", "compare", file, file}), "^0 regressions [^\n]*\n$");
}

// Each core with a bitstream has it, as a share of its board's FPGA.
TEST(VtaSimReport, SaysWhatARoutedCoreTakesOfItsFpga) {
  for (const auto& [core, ramb36] :
       {std::pair("vta_1x16", 140), std::pair("vta_1x8", 60), std::pair("tiny_1x8", 140)}) {
    const auto fpga = run_json({"vta-sim", "report", "digits.json", "--core", core}).at("fpga");
    EXPECT_EQ(fpga.at("has").at("RAMB36"), ramb36) << core;
    for (const auto& [name, uses] : fpga.at("uses").items()) {
      EXPECT_GT(uses, 0) << core << " " << name;
      EXPECT_LE(uses, fpga.at("has").at(name)) << core << " " << name;
    }
  }
}

// Also of a program file, whose tiles and noise are unknown.
TEST(VtaSimReport, CountsTheCyclesOfRun) {
  const auto run = run_json({"vta-sim", "run", "digits.json", "--memory", "pynq-z1"});
  for (const std::string& name : {std::string("digits.json"), kDigitsProgram}) {
    const auto report = run_json({"vta-sim", "report", name, "--memory", "pynq-z1"});
    EXPECT_EQ(report.at("counters").at("cycles"), run.at("counters").at("cycles"));
    EXPECT_EQ(report.at("counters").at("stages"), run.at("counters").at("stages"));
    ASSERT_EQ(report.at("layers").size(), run.at("layers").size());
    for (size_t i = 0; i < run.at("layers").size(); ++i) {
      const auto &layer = report.at("layers")[i], &wanted = run.at("layers")[i];
      EXPECT_EQ(layer.at("name"), wanted.at("name"));
      EXPECT_EQ(layer.at("cycles"), wanted.at("cycles")) << wanted.at("name");
      if (!wanted.at("first_cycle").is_null())
        EXPECT_EQ(layer.at("first_cycle"), wanted.at("first_cycle")) << wanted.at("name");
    }
    EXPECT_EQ(report.at("layers")[1].contains("tiling"), name == "digits.json");
    EXPECT_EQ(report.contains("snr_db"), name == "digits.json");
  }
}

TEST(VtaSimReport, ScalesTimesByTheClockAndNothingElse) {
  const auto at = [](const char* mhz) {
    return run_json({"vta-sim", "report", kDigitsProgram, "--clock", mhz});
  };
  const auto slow = at("50"), fast = at("100");
  EXPECT_EQ(slow.at("counters"), fast.at("counters"));
  EXPECT_NE(slow.at("headlines")[0], fast.at("headlines")[0]);
}

TEST(VtaSimReport, MemoriesInTimeFollowTheClock) {
  const auto report =
      run_json({"vta-sim", "report", kDigitsProgram, "--memory", "pynq-z1", "--clock", "125"});
  EXPECT_EQ(report.at("memory").at("bytes_per_100_cycles"), 1260);
  EXPECT_EQ(report.at("memory").at("read_latency_cycles"), 50);
  const auto run = run_json({"vta-sim", "run", kDigitsProgram, "--memory", "pynq-z1@125"});
  EXPECT_EQ(report.at("counters").at("cycles"), run.at("counters").at("cycles"));
}

TEST(VtaSimReport, RefusesBadOptionsInOneLine) {
  const auto error = [](std::vector<std::string> options, int status) {
    options.insert(options.begin(), {"vta-sim", "report", "digits.json"});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_PRED2(contains, error({"--memory", "none"}, 1), "none");
  EXPECT_PRED2(contains, error({"--clock", "0"}, 2),
               "--clock: expected a number from 1 to 500, got '0'");
  EXPECT_PRED2(contains, error({"-o", "no/such/folder/page.html"}, 1), "no/such/folder/page.html");
}

TEST(VtaSimCompare, EndsWithStatusThreeAfterARegression) {
  const ScratchFolder folder;
  const std::string fused = folder / "fused.json", compatible = folder / "compatible.json";
  write_file(fused, run_ok({"vta-sim", "report", "digits.json", "--json"}));
  write_file(compatible,
             run_ok({"vta-sim", "run", "digits.json", "--mode", "compatible", "--json"}));
  EXPECT_PRED2(matches, run_ok({"vta-sim", "compare", fused, fused}), "^0 regressions [^\n]*\n$");
  const ToolRun slower = run({"vta-sim", "compare", fused, compatible});
  EXPECT_EQ(slower.status, 3) << slower.err;
  EXPECT_EQ(slower.err, "");
  EXPECT_PRED2(contains, slower.out, "different mode: fused, compatible\n");
  EXPECT_PRED2(matches, slower.out, "\n! all layers +cycles ");
  EXPECT_EQ(run({"vta-sim", "compare", fused, compatible, "--tolerance", "100000"}).status, 0);
  const auto json =
      nlohmann::json::parse(run({"vta-sim", "compare", fused, compatible, "--json"}).out);
  EXPECT_EQ(json.at("regression"), true);
  const std::string page = folder / "page with 'quotes'.html";
  EXPECT_EQ(run({"vta-sim", "compare", fused, compatible, "-o", page}).status, 3);
  EXPECT_PRED2(contains, read_text_file(page), "\"metric\": \"cycles\"");
  EXPECT_PRED2(contains, read_text_file(page),
               " -o '" + (folder / "page with ") + "'\\''quotes'\\''.html'. Plots");
}

TEST(VtaSimCompare, RefusesOtherFiles) {
  const ToolRun result = run({"vta-sim", "compare", "configs/cores/vta_1x16.json", "missing.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "missing.json");
  const std::string core = "configs/cores/vta_1x16.json";
  EXPECT_PRED2(contains, run({"vta-sim", "compare", core, core}).err,
               core + ": expected a report of 'vta-sim report --json'");
}

}  // namespace
}  // namespace vta::cli_test
