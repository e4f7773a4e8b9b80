// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/sim/bench_result.h"

namespace vta::sim {
namespace {

ProfileRow row(const std::string& name, std::vector<double> seconds) {
  ProfileRow row;
  row.name = name;
  row.op = "conv2d+relu";
  row.where = Place::kHost;
  row.shapes = {"float32[1, 3, 8, 8]", "float32[1, 16, 8, 8]"};
  row.layout = "nChw16c";
  row.count = 2;
  row.macs = 500'000;
  row.bytes = 4864;
  row.seconds = std::move(seconds);
  return row;
}

// Two rows of 1 and 3 ms in inferences of 4.1 ms; a plain one takes 4 ms.
Profile profile() {
  Profile profile;
  profile.description = "net in fp32 on the host, 1 thread";
  profile.rows = {row("a", {1e-3, 1e-3}), row("b", {3e-3, 3e-3})};
  profile.profiled_seconds = {4.1e-3, 4.1e-3};
  profile.plain_seconds = {4e-3, 4e-3};
  profile.no_cpu_counters = "no CPU counters: a test";
  return profile;
}

TEST(Profile, ComparesItsSumWithPlainRuns) {
  EXPECT_EQ(profile().sums(), (std::vector<double>{4e-3, 4e-3}));
  EXPECT_DOUBLE_EQ(profile().sum_percent_of_plain(), 100);
  EXPECT_DOUBLE_EQ(profile().profiled_percent_of_plain(), 102.5);
}

// The second of three pairs ran at half the speed; one sample alone was disturbed.
TEST(Profile, ComparesNeighborsOnAMachineWhoseSpeedChanges) {
  Profile changing = profile();
  changing.rows = {row("a", {1e-3, 2e-3, 9e-3})};
  changing.profiled_seconds = {1.1e-3, 2.2e-3, 9.9e-3};
  changing.plain_seconds = {1e-3, 2e-3, 1e-3};
  EXPECT_DOUBLE_EQ(changing.sum_percent_of_plain(), 100);
  EXPECT_DOUBLE_EQ(changing.profiled_percent_of_plain(), 110);
  EXPECT_DOUBLE_EQ(median_ratio({2, 6}, {1, 1}), 4);
}

TEST(Profile, PrintsRowsSumTotalAndTheComparison) {
  const std::string text = to_text(profile());
  EXPECT_TRUE(text.starts_with("net in fp32 on the host, 1 thread\nname   op           where"))
      << text;
  EXPECT_NE(text.find("\na      conv2d+relu  host       2  1000.00       0.00    25.00  500000   "
                      "4864  1.00  nChw16c  float32[1, 3, 8, 8], float32[1, 16, 8, 8]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nSum         4000.00 us"), std::string::npos) << text;
  EXPECT_NE(text.find("\nTotal       4100.00 us"), std::string::npos) << text;
  EXPECT_NE(text.find("\nSum is 97.56 % of Total, and 100.00 % of an inference that is not "
                      "profiled, 4000.00 us (medians over 2 pairs)\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("no CPU counters: a test\n"));
}

TEST(Profile, ShowsCyclesAndBoundsOfCoreRows) {
  Profile core = profile();
  core.rows[0].counters.cycles = 1000;
  core.rows[0].counters.gemm_counter = 750;
  core.rows[0].counters.wgt_load_nbytes = 4000;
  core.rows[0].counters.stages.emplace();
  core.rows[0].counters.stages->of[hw::kStage_gemm][hw::kStageState_wait_token] = 250;
  const std::string csv = to_csv(core);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "name,op,where,count,mean_us,stddev_us,percent,macs,bytes,gops,cycles,wait_token,"
            "wait_memory,wait_port,wait_queue,idle,array_percent,port_percent,layout,shapes");
  EXPECT_NE(csv.find(",1000,250,0,0,0,0,75.0,50.0,nChw16c,\"float32[1, 3, 8, 8], "),
            std::string::npos)
      << csv;
}

TEST(Profile, AveragesCpuCounters) {
  Profile counted = profile();
  counted.cpu_counters = {"cycles"};
  counted.rows[0].cpu_counts = {5000};
  const auto json = nlohmann::json::parse(to_json(counted));
  EXPECT_EQ(json.at("rows")[0].at("cpu").at("cycles"), 2500);
  EXPECT_FALSE(json.at("rows")[1].contains("cpu"));
}

TEST(BenchText, EndsWithTheResultAsTvmPrintsIt) {
  const BenchResult result{"net", 1, 2, 1, {0.25, 0.75}};
  EXPECT_EQ(to_text(result),
            "net, batch 1: 2 samples of 2 inferences, after 1 to warm up\n"
            "mean 500.000 ms, standard deviation 250.000 ms, minimum 250.000 ms, p50 250.000 ms, "
            "p90 750.000 ms, p99 750.000 ms, maximum 750.000 ms; 2.0 images per second\n"
            "ProfileResult(mean=0.5, results=(0.25, 0.75))\n");
  EXPECT_TRUE(to_text({"net", 1, 1, 0, {0.25}}).ends_with("results=(0.25,))\n"));
}

}  // namespace
}  // namespace vta::sim
