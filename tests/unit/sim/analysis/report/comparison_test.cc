// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/comparison.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

std::string layer(const std::string& name, int cycles, int wgt_bytes, double snr = 20) {
  return fmt::format(
      R"({{"name": "{}", "cycles": {}, "inp_load_nbytes": 10, "wgt_load_nbytes": {},
          "acc_load_nbytes": 0, "uop_load_nbytes": 0, "out_store_nbytes": 0, "snr_db": {}}})",
      name, cycles, wgt_bytes, snr);
}

std::string report(const std::string& layers, int cycles, const std::string& memory = "ideal64") {
  return fmt::format(
      R"({{"network": "net", "memory": {{"name": "{}"}}, "counters": {{"cycles": {}}},
          "layers": [{}]}})",
      memory, cycles, layers);
}

Comparison compare(const std::string& before, const std::string& after, double tolerance = 0) {
  return compare_reports(before, "a.json", after, "b.json", tolerance);
}

std::vector<std::string> marked(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const Change& change : comparison.changes)
    if (change.is_regression) names.push_back(change.layer + " " + change.metric);
  return names;
}

TEST(CompareReports, FindsNothingInEqualReports) {
  const std::string same = report(layer("a", 10, 5), 10);
  const Comparison comparison = compare(same, same);
  EXPECT_TRUE(comparison.changes.empty());
  EXPECT_EQ(comparison.num_equal_layers, 1u);
  EXPECT_FALSE(comparison.has_regression());
}

TEST(CompareReports, MarksMoreCyclesAndBytesAndMoreNoise) {
  const Comparison comparison =
      compare(report(layer("a", 100, 50) + "," + layer("b", 100, 50), 200),
              report(layer("a", 101, 49) + "," + layer("b", 99, 51, 19.8), 200));
  EXPECT_EQ(marked(comparison), (std::vector<std::string>{"a cycles", "b dram_bytes", "b snr_db"}));
  EXPECT_EQ(comparison.changes.size(), 5u);
}

TEST(CompareReports, ToleratesAsMuchAsTheCallerAllows) {
  const std::string before = report(layer("a", 1000, 50), 1000);
  EXPECT_TRUE(compare(before, report(layer("a", 1011, 50), 1000), 1).has_regression());
  EXPECT_FALSE(compare(before, report(layer("a", 1010, 50), 1000), 1).has_regression());
  EXPECT_FALSE(compare(before, report(layer("a", 1000, 50, 19.95), 1000)).has_regression());
}

TEST(CompareReports, NamesLayersOfOneReportAndDifferentSettings) {
  const Comparison comparison =
      compare(report(layer("a", 1, 1), 1), report(layer("b", 1, 1), 1, "pynq-z1"));
  EXPECT_EQ(comparison.only_before, std::vector<std::string>{"a"});
  EXPECT_EQ(comparison.only_after, std::vector<std::string>{"b"});
  EXPECT_EQ(comparison.settings, std::vector<std::string>{"memory: ideal64, pynq-z1"});
}

TEST(CompareReports, ComparesLayersOfEqualNamesInOrder) {
  const std::string before = report(layer("a", 1, 1) + "," + layer("a", 2, 1), 3);
  EXPECT_TRUE(compare(before, before).changes.empty());
}

TEST(CompareReports, LeavesOutMetricsThatOneReportLacks) {
  const std::string functional = R"({"counters": {"cycles": null},
      "layers": [{"name": "a", "cycles": null}]})";
  EXPECT_TRUE(compare(functional, report(layer("a", 1, 1), 1)).changes.empty());
}

TEST(CompareReports, RefusesOtherFilesByNameAndReason) {
  const std::string good = report(layer("a", 1, 1), 1);
  for (const char* bad : {"[]", "{", "{\"layers\": []}", "{\"counters\": {}, \"layers\": [{}]}"}) {
    const Error error = expect_error([&] { compare(good, bad); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << bad;
    EXPECT_TRUE(std::string(error.what()).starts_with("b.json: ")) << error.what();
  }
}

TEST(ComparisonText, MarksRegressionsAndCountsThem) {
  EXPECT_EQ(to_text(compare(report(layer("a", 100, 50), 100), report(layer("a", 110, 40), 110))),
            "  layer       metric                before           after          change   percent\n"
            "! all layers  cycles                   100             110             +10    +10.00\n"
            "! a           cycles                   100             110             +10    +10.00\n"
            "  a           dram_bytes                60              50             -10    -16.67\n"
            "2 regressions (!), 1 other change, 0 layers without a change\n");
}

}  // namespace
}  // namespace vta::sim
