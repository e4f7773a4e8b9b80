// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/run_report.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace vta::sim {
namespace {

std::vector<int64_t> indices(const std::vector<RankedClass>& top) {
  std::vector<int64_t> result;
  for (const RankedClass& rank : top) result.push_back(rank.index);
  return result;
}

TEST(TopClasses, AreBestFirstAndLowerIndexFirstAmongEquals) {
  const Tensor scores({1, 5}, std::vector<float>{1, 4, 2, 4, 3});
  EXPECT_EQ(indices(top_classes(scores, 4, {})), (std::vector<int64_t>{1, 3, 4, 2}));
}

TEST(TopClasses, AreAtMostAllClasses) {
  const Tensor scores({1, 2}, std::vector<int8_t>{-1, 1});
  const auto top = top_classes(scores, 5, {"no", "yes"});
  EXPECT_EQ(indices(top), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(top[0].label, "yes");
}

TEST(TopClasses, RankNanLast) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor scores({1, 4}, std::vector<float>{nan, -3, nan, -2});
  EXPECT_EQ(indices(top_classes(scores, 4, {})), (std::vector<int64_t>{3, 1, 0, 2}));
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor more({1, 6}, std::vector<float>{nan, 2, -infinity, nan, 3, 2});
  EXPECT_EQ(indices(top_classes(more, 5, {})), (std::vector<int64_t>{4, 1, 5, 2, 0}));
}

TEST(StatisticsText, AlignsNamesAndNumbers) {
  hw::Counters counters;
  counters.inp_load_nbytes = 5549568;
  counters.out_store_nbytes = 2433536;
  counters.alu_counter = 7;
  EXPECT_EQ(statistics_text(counters),
            "Execution statistics:\n"
            "\tinp_load_nbytes :          5549568\n"
            "\twgt_load_nbytes :                0\n"
            "\tacc_load_nbytes :                0\n"
            "\tuop_load_nbytes :                0\n"
            "\tout_store_nbytes:          2433536\n"
            "\tgemm_counter    :                0\n"
            "\talu_counter     :                7\n");
}

TEST(StatisticsText, HasCyclesWhereTheDeviceCountsThem) {
  hw::Counters counters;
  counters.cycles = 7729601;
  EXPECT_TRUE(statistics_text(counters).ends_with("\tcycles          :          7729601\n"));
}

TEST(StatisticsText, HasATableOfStagesWhereTheDeviceCountsThem) {
  hw::Counters counters;
  counters.stages.emplace();
  counters.stages->of[hw::kStage_store][hw::kStageState_wait_token] = 6503950;
  const std::string text = statistics_text(counters);
  EXPECT_NE(text.find("\tcycles of       :         busy   wait_token  wait_memory    wait_port   "
                      "wait_queue         idle\n\tload"),
            std::string::npos)
      << text;
  EXPECT_TRUE(
      text.ends_with("\tstore           :            0      6503950            0            "
                     "0            0            0\n"))
      << text;
}

TEST(CountersJson, HasTheStagesOfADeviceThatCountsThem) {
  ExecReport report;
  const auto stages_of = [&] {
    return nlohmann::json::parse(to_json(report)).at("counters").at("stages");
  };
  EXPECT_TRUE(stages_of().is_null());
  report.counters.stages.emplace();
  report.counters.stages->of[hw::kStage_alu][hw::kStageState_wait_port] = 9;
  const auto stages = stages_of();
  EXPECT_EQ(stages.size(), 4u);
  EXPECT_EQ(stages.at("alu").size(), 6u);
  EXPECT_EQ(stages.at("alu").at("wait_port"), 9);
}

TEST(PredictionsText, NamesClassesUnlessWeightsAreSynthetic) {
  RunReport report;
  report.network = "net";
  report.weights = "net.npz";
  report.samples = {{"cat.png", "out", Tensor({1, 1}, std::vector<float>{1}), {{3, 1.0, "tabby"}}}};
  EXPECT_EQ(predictions_text(report), "\nnet prediction for sample 0, cat.png\n\t#1: tabby (1)\n");
  report.weights = "synthetic:1";
  report.samples[0].top[0].label = "";
  EXPECT_EQ(predictions_text(report),
            "\nnet prediction for sample 0, cat.png (synthetic weights: class indices only)\n"
            "\t#1: class 3 (1)\n");
}

TEST(RepetitionText, SaysWhatASampleIs) {
  EXPECT_EQ(repetition_text({1, 3}, 1, "inference"),
            "2 samples of 1 inference: mean 2.000000 s, standard deviation 1.000000 s\n"
            "\tresults: (1.000000, 3.000000)\n");
  EXPECT_EQ(repetition_text({0.5}, 3, "run"), "1 sample of 3 runs: mean 0.500000 s\n");
}

TEST(RunReportJson, LeavesOutWhatWasNotAskedFor) {
  const auto json = nlohmann::json::parse(to_json(RunReport()));
  EXPECT_FALSE(json.contains("repeat"));
  EXPECT_FALSE(json.contains("images"));
  EXPECT_TRUE(json.at("counters").at("cycles").is_null());
}

TEST(RunReportJson, TellsLargeOutputsByTheirChecksum) {
  RunReport report;
  report.samples = {{"a.png", "out", Tensor(TensorType{DType::kInt8, {1, 5000}}), {}}};
  const auto sample = nlohmann::json::parse(to_json(report)).at("outputs")[0];
  EXPECT_FALSE(sample.contains("values"));
  EXPECT_EQ(sample.at("type"), "int8[1, 5000]");
  EXPECT_TRUE(sample.at("crc32").is_string());
}

}  // namespace
}  // namespace vta::sim
