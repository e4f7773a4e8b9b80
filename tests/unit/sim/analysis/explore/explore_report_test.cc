// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/explore_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace vta::sim {
namespace {

ExploredCore core_of(const std::string& name, double ms, double share) {
  ExploredCore core;
  core.choice.core = load_core_config("tiny_1x8");
  core.choice.core.name = name;
  core.uses = {1000, 900, 80, 20};
  core.clocks = {99.4, {}};
  core.share = {share, "DSP48E1"};
  core.runs = {{"net", "ideal64", static_cast<uint64_t>(ms * 100'000), ms, ""}};
  core.mean_ms = ms;
  core.fits = share <= 1;
  return core;
}

ExploreResult example() {
  ExploreResult result;
  result.part = find_fpga_part("xc7z020");
  result.cores = {core_of("slow", 8, 0.25), core_of("large", 1, 1.5), core_of("fast", 2, 0.5)};
  result.cores[0].on_front = result.cores[2].on_front = true;
  result.cores[2].clocks.routed_mhz = 101.8;
  result.front = {2, 0};
  ExploredCore broken = core_of("broken", 1, 0.5);
  broken.runs[0].error = "conv1: no tile fits";
  broken.mean_ms.reset();
  broken.fits = false;
  result.cores.push_back(broken);
  return result;
}

TEST(ExploreReport, ListsTheFastestThatFitFirst) {
  const std::string text = to_text(example(), {});
  const auto at = [&](const std::string& what) { return text.find(what); };
  EXPECT_LT(at("* fast"), at("* slow")) << text;
  EXPECT_LT(at("* slow"), at("  large")) << text;
  EXPECT_NE(at("* fast    100         99   101.8  1000"), std::string::npos) << text;
  EXPECT_NE(at("50.0 % DSP48E1"), std::string::npos) << text;
  EXPECT_NE(at("broken, net: conv1: no tile fits\n"), std::string::npos) << text;
  EXPECT_NE(at("2 of 4 cores fit xc7z020; 2 (*) are on the Pareto front"), std::string::npos)
      << text;
  EXPECT_NE(at("Fastest: fast at 100 MHz, 2.000 ms"), std::string::npos) << text;
}

TEST(ExploreReport, SaysThatNothingFits) {
  ExploreResult result = example();
  result.front.clear();
  for (ExploredCore& core : result.cores) core.fits = false;
  result.max_share = 0.1;
  EXPECT_NE(to_text(result, {}).find("None of the cores fits 10 % of xc7z020."), std::string::npos);
}

TEST(ExploreReport, SaysWhichScheduleIsNotForTheClock) {
  ExploreResult result = example();
  result.front.clear();
  result.cores[2].on_front = false;
  result.cores[2].choice.clock_mhz = 125;
  result.cores[2].scheduled_mhz = 100;
  result.cores[2].schedule_refusal = "vta-hlsc report: too fast";
  result.cores[2].clocks.not_routed = "of other Verilog";
  const std::string text = to_text(result, {});
  for (const char* part :
       {"  fast    125, scheduled for 100  ", "2 of 4 cores fit xc7z020; none is scheduled",
        "fast, scheduled for 100 MHz instead of 125: vta-hlsc report: too fast\n",
        "fast, routed: of other Verilog\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(ExploreReport, HasEverythingInJson) {
  CoreSpace space;
  space.num_illegal = 3;
  const auto json = nlohmann::json::parse(to_json(example(), space, load_core_config("tiny_1x8")));
  EXPECT_EQ(json.at("front"), (std::vector<int>{2, 0}));
  EXPECT_EQ(json.at("num_illegal"), 3);
  EXPECT_EQ(json.at("part").at("has").at("dsp48e1"), 220);
  const auto& fast = json.at("cores").at(2);
  EXPECT_EQ(fast.at("mean_ms"), 2);
  EXPECT_EQ(fast.at("is_default"), true);
  EXPECT_EQ(fast.at("share_percent"), 50);
  EXPECT_EQ(fast.at("estimated_mhz"), 99.4);
  EXPECT_EQ(fast.at("routed_mhz"), 101.8);
  EXPECT_TRUE(json.at("cores").at(0).at("routed_mhz").is_null());
  EXPECT_EQ(fast.at("core").at("block_in"), 8);
  EXPECT_EQ(fast.at("runs").at(0).at("cycles"), 200'000);
  EXPECT_TRUE(json.at("cores").at(3).at("mean_ms").is_null());
  EXPECT_EQ(json.at("cores").at(3).at("runs").at(0).at("error"), "conv1: no tile fits");
}

TEST(ExploreReport, IsOnePageWithItsData) {
  const std::string page =
      explore_page("by test", to_json(example(), {}, load_core_config("vta_1x16")));
  EXPECT_NE(page.find("\"share_percent\":50"), std::string::npos);
  EXPECT_NE(page.find("\"is_default\":false"), std::string::npos);
  EXPECT_NE(page.find("draw_front"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

}  // namespace
}  // namespace vta::sim
