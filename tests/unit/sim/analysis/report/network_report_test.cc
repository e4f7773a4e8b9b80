// SPDX-License-Identifier: Apache-2.0
//
// The report of the digits network: its sums, and its JSON form beside a reviewed file. A new
// schedule changes the file: review the difference, then rewrite it with
//   VTA_UPDATE_GOLDEN=1 build/release/tests/network_report_test
#include "sim/analysis/report/network_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "compiler/import/network.h"
#include "configs/memory_config.h"
#include "sim/analysis/report/headlines.h"
#include "sim/analysis/report/report_json.h"
#include "sim/cycle/cycle_device.h"

namespace vta::sim {
namespace {

using nlohmann::ordered_json;

NetworkReport report_of(const std::string& network, lower::Mode mode, bool noise) {
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  options.mode = mode;
  options.measure_noise = noise;
  const CompileResult compiled = compile(import::load_network(network), options);
  const auto make_device = [](const CoreConfig& core, const MemoryConfig& memory) {
    return make_timing_device(core, memory);
  };
  return make_network_report({make_device,
                              compiled.program,
                              compiled.layers,
                              compiled.noise,
                              compiled.calibration,
                              load_memory_config("ideal64"),
                              100,
                              {}});
}

class DigitsReport : public testing::TestWithParam<lower::Mode> {};

TEST_P(DigitsReport, AccountsForAllCyclesAndBytes) {
  const NetworkReport report = report_of("digits.json", GetParam(), false);
  uint64_t cycles = 0, bytes = 0;
  for (const ReportedLayer& layer : report.layers) {
    cycles += layer.cycles();
    for (size_t kind = 0; kind < kNumTrafficKinds - 1; ++kind) bytes += layer.traffic.bytes[kind];
    uint64_t stalls = 0;
    for (const GemmStall& stall : layer.stalls) stalls += stall.cycles;
    if (!layer.is_part_of_run) continue;
    // gemm's states and the causes of its waits are two views of the same cycles.
    EXPECT_EQ(layer.cycles() - stalls,
              layer.measured.counters.stages->of[hw::kStage_gemm][hw::kStageState_busy])
        << layer.measured.name;
    EXPECT_GE(layer.traffic.sum_bytes(), layer.traffic.sum_min_bytes());
  }
  EXPECT_EQ(cycles, report.cycles());
  EXPECT_EQ(bytes, report.counters.dram_bytes());
}

TEST_P(DigitsReport, HasScratchpadRegionsInsideTheirMemoryAndRun) {
  const NetworkReport report = report_of("digits.json", GetParam(), false);
  ASSERT_EQ(report.scratchpads.size(), report.runs.size());
  for (size_t run = 0; run < report.runs.size(); ++run) {
    for (size_t pad = 0; pad < kNumScratchpads; ++pad) {
      const uint32_t depth = depth_of(static_cast<Scratchpad>(pad), report.core);
      for (const ScratchpadRegion& region : report.scratchpads[run].regions[pad]) {
        EXPECT_LE(region.first + region.count, depth) << kScratchpadNames[pad];
        EXPECT_LT(region.begin, region.end) << kScratchpadNames[pad];
        EXPECT_LE(region.end, report.runs[run].cycles) << kScratchpadNames[pad];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, DigitsReport,
                         testing::Values(lower::Mode::kFused, lower::Mode::kCompatible));

TEST(WhatIf, OfAMemoryWithoutLimitsIsNeverSlower) {
  const NetworkReport report = report_of("digits.json", lower::Mode::kFused, false);
  for (const WhatIf& change : report.what_if) {
    if (change.change == kFreeDram) EXPECT_LE(change.cycles, report.cycles());
    EXPECT_EQ(change.layer_cycles.size(), report.layers.size());
  }
}

// Without noise, which depends on the machine's floating point.
TEST(ReportJson, EqualsTheReviewedFile) {
  ordered_json json =
      ordered_json::parse(to_json(report_of("digits.json", lower::Mode::kFused, false)));
  for (const char* columns : {"timeline", "scratchpads", "host_seconds"}) json.erase(columns);
  const std::string text = json.dump(1) + "\n";
  const std::string file = "tests/recorded_runs/digits.report.json";
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_text_file(file));
}

TEST(ReportJson, KeepsRangesOfSmallNumbers) {
  NetworkReport report = report_of("digits.json", lower::Mode::kFused, false);
  const auto layer = std::ranges::find_if(report.layers, &ReportedLayer::has_instructions);
  layer->noise = {{.layer = "small", .op = OpKind::kConv2d}};
  layer->noise->results = {-2.34567891e-9F, 0};
  layer->noise->int8_min = -2.34567891e-9;
  layer->noise->int8_max = 1234567.89;
  const ordered_json layers = ordered_json::parse(to_json(report)).at("layers");
  const auto& json = layers.at(static_cast<size_t>(layer - report.layers.begin()));
  EXPECT_DOUBLE_EQ(json.at("int8_min").get<double>(), -2.34568e-9);
  EXPECT_DOUBLE_EQ(json.at("results")[0].get<double>(), -2.34568e-9);
  EXPECT_EQ(json.at("results")[1], 0);
  EXPECT_EQ(json.at("int8_max"), 1234570);
}

TEST(Report, KnowsWhatStepsReadAndWhyAndHowLongTheHostRuns) {
  const NetworkReport report = report_of("digits.json", lower::Mode::kFused, true);
  EXPECT_EQ(report.layers.front().reads, std::vector<size_t>{});
  for (size_t i = 1; i < report.layers.size(); ++i) {
    const ReportedLayer& layer = report.layers[i];
    ASSERT_FALSE(layer.reads.empty()) << layer.measured.name;
    EXPECT_LT(layer.reads.front(), i);
    EXPECT_EQ(layer.host_seconds > 0, layer.measured.where == Place::kHost) << layer.measured.name;
    if (layer.noise) EXPECT_LT(layer.noise->weights.lo, layer.noise->weights.hi);
  }
}

TEST(ReportJson, HasAColumnEntryForEachInstructionAndRegion) {
  const auto json =
      ordered_json::parse(to_json(report_of("digits.json", lower::Mode::kFused, false)));
  const auto& timeline = json.at("timeline");
  size_t executed = 0;
  for (const auto& track : timeline.at("tracks")) {
    for (const char* column : {"index", "cycles", "token", "memory"})
      EXPECT_EQ(track.at(column).size(), track.at("begin").size()) << column;
    executed += track.at("begin").size();
  }
  EXPECT_EQ(executed, timeline.at("instructions").at("text").size());
  for (const auto& pad : json.at("scratchpads")) {
    for (const char* column : {"cycles", "first", "count", "layer"})
      EXPECT_EQ(pad.at("regions").at(column).size(), pad.at("regions").at("begin").size());
  }
}

TEST(Headlines, NameTheLayersOfTheReport) {
  const NetworkReport report = report_of("digits.json", lower::Mode::kFused, true);
  std::vector<std::string> topics;
  for (const Headline& headline : headlines(report)) {
    topics.push_back(headline.topic);
    const auto is_named = [&](const ReportedLayer& layer) {
      return layer.measured.name == headline.layer;
    };
    EXPECT_TRUE(headline.layer.empty() || std::ranges::any_of(report.layers, is_named))
        << headline.layer;
  }
  EXPECT_EQ(topics, (std::vector<std::string>{"speed", "most cycles", "what would help",
                                              "most lost cycles", "DRAM traffic", "quantization"}));
}

}  // namespace
}  // namespace vta::sim
