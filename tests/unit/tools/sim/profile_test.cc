// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/profile.h"

#include <fmt/format.h>
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
  row.layouts = {.data = "nchw", .kernel = "Oihw16o", .out = "nChw16c"};
  row.hash = "hash_of_" + name;
  row.macs = 500'000;
  row.bytes = 4864;
  row.seconds = std::move(seconds);
  return row;
}

// Two rows of 1 and 3 ms in inferences of 4.1 ms; a plain one takes 4 ms.
Profile profile() {
  Profile profile;
  profile.description = "net in fp32 on the host, 1 thread";
  profile.configuration = {{"threads", "1"}};
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

// Pairs 1 and 5 ran at half the speed; 0 and 2 were disturbed in one of their inferences.
TEST(Profile, LeavesOutPairsOfWhichOneInferenceWasDisturbed) {
  Profile changing = profile();
  changing.rows = {row("a", {9e-3, 2e-3, 1e-3, 1e-3, 1e-3, 2e-3, 1e-3, 1e-3})};
  changing.profiled_seconds = {9.9e-3, 2.2e-3, 1.1e-3, 1.1e-3, 1.1e-3, 2.2e-3, 1.1e-3, 1.1e-3};
  changing.plain_seconds = {1e-3, 2e-3, 9e-3, 1e-3, 1e-3, 2e-3, 1e-3, 1e-3};
  EXPECT_EQ(changing.steady_samples().indices.size(), 4u);
  EXPECT_DOUBLE_EQ(changing.sum_percent_of_plain(), 100);
  EXPECT_DOUBLE_EQ(changing.profiled_percent_of_plain(), 110);
  EXPECT_NEAR(changing.percent_error(), 0, 1e-9);
  changing.plain_seconds = {8e-3, 2e-3, 9e-3, 2e-3, 3e-3, 2e-3, 1e-3, 1e-3};
  EXPECT_GT(changing.percent_error(), 1);
}

// What is printed can be checked by hand: the means give the percentages.
TEST(Profile, PercentagesAreThoseOfTheMeans) {
  Profile spread = profile();
  spread.rows = {row("a", {1e-3, 2e-3, 3e-3, 9e-3})};
  spread.profiled_seconds = {2e-3, 3e-3, 4e-3, 9.5e-3};
  spread.plain_seconds = {1.5e-3, 2.5e-3, 2.5e-3, 4e-3};
  const SteadySamples steady = spread.steady_samples();
  EXPECT_DOUBLE_EQ(spread.sum_percent_of_plain(),
                   100 * steady.mean(spread.sums()) / steady.mean(spread.plain_seconds));
  const std::string error = fmt::format("(standard error {:.2f};", spread.percent_error());
  EXPECT_NE(to_text(spread).find(error), std::string::npos) << to_text(spread);
}

TEST(Profile, ByKernelAddsEqualRowsAndSortsThemByTime) {
  Profile three = profile();
  three.rows = {row("a", {1e-3, 1e-3}), row("b", {3e-3, 3e-3}), row("c", {4e-3, 2e-3})};
  three.rows[2].hash = three.rows[0].hash;
  const Profile kernels = by_kernel(three);
  ASSERT_EQ(kernels.rows.size(), 2u);
  EXPECT_EQ(kernels.rows[0].name, "a");
  EXPECT_EQ(kernels.rows[0].count, 2u);
  EXPECT_EQ(kernels.rows[0].macs, 1'000'000u);
  EXPECT_EQ(kernels.rows[0].seconds, (std::vector<double>{5e-3, 3e-3}));
  EXPECT_EQ(kernels.rows[1].name, "b");
  EXPECT_EQ(kernels.sums(), three.sums());
}

TEST(Profile, PrintsRowsSumTotalPlainAndTheComparison) {
  const std::string text = to_text(profile());
  EXPECT_TRUE(text.starts_with("net in fp32 on the host, 1 thread\nname   op           where"))
      << text;
  for (const char* line :
       {"\na      conv2d+relu  host       1  1000.00       0.00    24.39   500000   4864  1.00  "
        "nchw",
        "\nSum                            2  4000.00       0.00    97.56  1000000   9728  0.50\n",
        "\nTotal                          1  4100.00       0.00   100.00\n",
        "\nPlain                          1  4000.00       0.00    97.56\n",
        "\nSum is 97.56 % of Total, and 100.00 % of Plain, an inference that is not profiled "
        "(standard error 0.00; means "
        "of 2 of 2 pairs",
        "\nno CPU counters: a test\n\nConfiguration\nthreads         : 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(Profile, ShowsCyclesAndBoundsOfCoreRows) {
  Profile core = profile();
  ProfileRow& row = core.rows[0];
  row.where = Place::kCore;
  row.counters.cycles = 1000;
  row.counters.gemm_counter = 1750;  // some of them while the layer before stored its result
  row.counters.stages.emplace();
  row.counters.stages->of[hw::kStage_gemm][hw::kStageState_busy] = 750;
  row.counters.stages->of[hw::kStage_gemm][hw::kStageState_wait_token] = 250;
  row.counters.stages->of[hw::kStage_load][hw::kStageState_busy] = 500;
  const std::string csv = to_csv(core);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "name,op,where,count,mean_us,stddev_us,percent,macs,bytes,gops,cycles,wait_token,"
            "wait_memory,wait_port,wait_queue,idle,array_percent,port_percent,inp_load_nbytes,"
            "wgt_load_nbytes,acc_load_nbytes,uop_load_nbytes,out_store_nbytes,gemm_counter,"
            "alu_counter,data_layout,kernel_layout,out_layout,src_layout,dst_layout,hash,shapes");
  for (const char* part : {",1000,250,0,0,0,0,75.0,50.0,0,0,0,0,0,1750,0,nchw,Oihw16o,nChw16c,,,"
                           "hash_of_a,\"float32[1, 3, 8, 8], ",
                           "\nSum,,,2,4000.00,0.00,97.56,1000000,9728,0.50,1000,250,0,0,0,0,75.0,"
                           "50.0,0,0,0,0,0,1750,0,,,,,,,\n"})
    EXPECT_NE(csv.find(part), std::string::npos) << part << "\n" << csv;
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
