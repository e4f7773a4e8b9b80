// SPDX-License-Identifier: Apache-2.0
//
// vta-sim profile and vta-sim bench as documented. No test asserts a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

TEST(VtaSimProfile, HasARowForEachStepWithTheCyclesOfRun) {
  const json run = run_json({"vta-sim", "run", "digits.json"});
  const json profile =
      run_json({"vta-sim", "profile", "digits.json", "--repeat", "2", "--by", "layer"});
  ASSERT_EQ(profile.at("rows").size(), run.at("layers").size());
  for (size_t i = 0; i < run.at("layers").size(); ++i) {
    const json &row = profile.at("rows")[i], &layer = run.at("layers")[i];
    EXPECT_EQ(row.at("name"), layer.at("name"));
    EXPECT_TRUE(row.at("op").get<std::string>().starts_with(layer.at("op").get<std::string>()));
    EXPECT_EQ(row.at("macs"), layer.at("macs"));
    EXPECT_EQ(row.at("seconds").size(), 2u);
    if (row.at("where") == "core")
      EXPECT_EQ(row.at("counters").at("cycles"), layer.at("cycles")) << layer.at("name");
  }
  for (const char* key : {"sum_seconds", "total_seconds", "plain_seconds"})
    EXPECT_EQ(profile.at(key).size(), 2u) << key;
}

TEST(VtaSimProfile, SumIsThatOfTheRowsAndAtMostTheTotal) {
  for (const char* fp32 : {"", "--fp32"}) {
    std::vector<std::string> command = {"vta-sim", "profile", "digits.json", "--repeat", "3"};
    if (*fp32 != 0) command.emplace_back(fp32);
    const json profile = run_json(command);
    for (size_t sample = 0; sample < 3; ++sample) {
      double sum = 0;
      for (const json& row : profile.at("rows")) sum += row.at("seconds")[sample].get<double>();
      EXPECT_NEAR(sum, profile.at("sum_seconds")[sample].get<double>(), 1e-12);
      EXPECT_LE(sum, profile.at("total_seconds")[sample].get<double>());
    }
  }
}

TEST(VtaSimProfile, NamesFusedOperatorsAndLayoutsInFp32) {
  const json profile =
      run_json({"vta-sim", "profile", "digits.json", "--fp32", "--by", "layer", "--repeat", "2"});
  const auto is_fused = [](const json& row) { return row.at("op") == "conv2d+relu"; };
  const auto row = std::ranges::find_if(profile.at("rows"), is_fused);
  ASSERT_NE(row, profile.at("rows").end());
  EXPECT_EQ(row->at("count"), 1);
  EXPECT_EQ(row->at("where"), "host");
  EXPECT_PRED2(matches, row->at("out_layout").get<std::string>(), "^n[Cchw0-9]+$");
  EXPECT_PRED2(matches, row->at("kernel_layout").get<std::string>(), "^[OIhwio0-9]+$");
  EXPECT_PRED2(matches, row->at("hash").get<std::string>(), "^[0-9a-f]{16}$");
  uint64_t macs = 0;
  for (const json& one : profile.at("rows")) macs += one.at("macs").get<uint64_t>();
  EXPECT_EQ(macs, run_json({"vta-sim", "run", "digits.json", "--no-compute"}).at("macs"));
}

// layer1.0 and layer1.1 of digits have convolutions of the same shapes.
TEST(VtaSimProfile, HasARowForEachKernelSortedByTime) {
  const json kernels = run_json({"vta-sim", "profile", "digits.json", "--fp32", "--repeat", "2"});
  const json layers =
      run_json({"vta-sim", "profile", "digits.json", "--fp32", "--repeat", "2", "--by", "layer"});
  EXPECT_LT(kernels.at("rows").size(), layers.at("rows").size());
  uint64_t calls = 0;
  double last = 1e9;
  for (const json& row : kernels.at("rows")) {
    calls += row.at("count").get<uint64_t>();
    EXPECT_LE(row.at("mean_seconds").get<double>(), last);
    last = row.at("mean_seconds").get<double>();
  }
  EXPECT_EQ(calls, layers.at("rows").size());
}

TEST(VtaSimProfile, HasPackedTypesWithWeightsOnTheCore) {
  const json profile = run_json({"vta-sim", "profile", "digits.json", "--repeat", "1"});
  const auto has_residual = [](const json& row) {
    return row.at("op") == "qconv2d+qadd" && row.at("count") == 2;
  };
  const auto row = std::ranges::find_if(profile.at("rows"), has_residual);
  ASSERT_NE(row, profile.at("rows").end());
  EXPECT_EQ(row->at("shapes"),
            (json{"int8[1, 1, 8, 8, 1, 16]", "int8[1, 1, 3, 3, 16, 16]", "int32[1, 1, 1, 1, 16]",
                  "int8[1, 1, 8, 8, 1, 16]", "int8[1, 1, 8, 8, 1, 16]"}));
  EXPECT_EQ(row->at("data_layout"), "NCHW1n16c");
  EXPECT_EQ(row->at("kernel_layout"), "OIHW16o16i");
  EXPECT_EQ(profile.at("configuration").at("memory"), "ideal64");
  EXPECT_EQ(profile.at("configuration").at("clock_mhz"), "100");
  for (const char* place : {"src_layout", "dst_layout"}) {
    const auto converts = [&](const json& one) { return one.at(place) == "NCHW1n16c"; };
    EXPECT_TRUE(std::ranges::any_of(profile.at("rows"), converts)) << place;
  }
}

TEST(VtaSimProfile, TakesTenPairsOrMoreByDefault) {
  const json profile = run_json({"vta-sim", "profile", "digits.json", "--fp32"});
  EXPECT_GE(profile.at("plain_seconds").size(), 10u);
}

TEST(VtaSimProfile, PrintsTextAndCsv) {
  EXPECT_PRED2(matches, run_ok({"vta-sim", "profile", "digits.json", "--repeat", "2"}),
               "\nSum +[0-9]+ +[0-9.]+ [^\n]*\nTotal +1 +[0-9.]+ [^\n]*\nPlain +1 +[^\n]*\n"
               "Sum is [0-9.]+ % of Total, and [0-9.]+ % of Plain");
  const std::string csv = run_ok({"vta-sim", "profile", "digits.json", "--csv", "--repeat", "1"});
  EXPECT_TRUE(csv.starts_with("name,op,where,count,mean_us,"));
}

TEST(VtaSimBench, PrintsAProfileResult) {
  const std::string text =
      run_ok({"vta-sim", "bench", "digits.json", "--number", "2", "--repeat", "3"});
  EXPECT_PRED2(contains, text,
               "digits on vta_1x16 (functional), batch 1: 3 samples of 2 inferences, after 1 to "
               "warm up\n");
  EXPECT_PRED2(
      matches, text,
      "\nProfileResult\\(mean=[0-9.e-]+, results=\\([0-9.e-]+, [0-9.e-]+, [0-9.e-]+\\)\\)\n$");
}

// libgomp prints its variables when it is loaded.
std::string openmp_variables(const std::string& threads) {
  ::setenv("OMP_DISPLAY_ENV", "verbose", 1);
  const ToolRun bench =
      run({"vta-sim", "bench", "digits.json", "--fp32", "--threads", threads, "--repeat", "1"});
  ::unsetenv("OMP_DISPLAY_ENV");
  EXPECT_EQ(bench.status, 0) << bench.err;
  return bench.err;
}

TEST(VtaSimBench, LimitsHowLongThreadsSpinForEachOther) {
  constexpr const char* kLimit = "GOMP_SPINCOUNT = '10000'";
  if (!contains(openmp_variables("1"), "GOMP_SPINCOUNT")) GTEST_SKIP() << "not libgomp";
  EXPECT_FALSE(contains(openmp_variables("1"), kLimit));
  EXPECT_PRED2(contains, openmp_variables("2"), kLimit);
  ::setenv("GOMP_SPINCOUNT", "77", 1);
  EXPECT_PRED2(contains, openmp_variables("2"), "GOMP_SPINCOUNT = '77'");
  ::unsetenv("GOMP_SPINCOUNT");
  ::setenv("OMP_WAIT_POLICY", "active", 1);
  EXPECT_FALSE(contains(openmp_variables("2"), kLimit));
  ::unsetenv("OMP_WAIT_POLICY");
}

TEST(VtaSimBench, HasAtMostAThreadPerProcessor) {
  const std::string text =
      run_ok({"vta-sim", "bench", "digits.json", "--fp32", "--threads", "256", "--repeat", "1"});
  EXPECT_PRED2(contains, text, "(256 were asked for");
}

TEST(VtaSimBench, ReportsPercentilesOfItsSamples) {
  const json bench = run_json({"vta-sim", "bench", "digits.json", "--fp32", "--repeat", "5"});
  std::vector<double> seconds = bench.at("seconds");
  ASSERT_EQ(seconds.size(), 5u);
  std::ranges::sort(seconds);
  EXPECT_EQ(bench.at("percentiles").at("50").get<double>(), seconds[2]);
  EXPECT_EQ(bench.at("percentiles").at("99").get<double>(), seconds[4]);
  EXPECT_EQ(bench.at("min_seconds").get<double>(), seconds[0]);
}

TEST(VtaSimBench, RefusesOptionsThatContradictEachOther) {
  const auto error = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "bench"});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, 2) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"digits.json", "--threads", "2"}), "--threads applies to --fp32");
  EXPECT_PRED2(contains, error({"digits.json", "--fp32", "--device", "cycle"}),
               "do not apply to --fp32");
  EXPECT_PRED2(contains, error({VTA_DIGITS_PROGRAM, "--fp32"}), "--fp32 needs the network");
}

}  // namespace
}  // namespace vta::cli_test
