// SPDX-License-Identifier: Apache-2.0
//
// Cycles of each layer of the shipped networks on the Verilated core and on the cycle model with
// memory ideal64, compared with the files in this folder; all other results are compared with the
// functional device. Changes of the core, its compiler or the schedule may change the cycles:
// review the difference, then rewrite the files with
//   VTA_NIGHTLY=1 VTA_UPDATE_GOLDEN=1 build/release/tests/golden_cycles_test
// Without VTA_NIGHTLY only the quick cases run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files/file.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tests/recorded_runs/network_run.h"

namespace vta::test {
namespace {

struct Case {
  const char* network;
  lower::Mode mode;
  bool extension;
  uint64_t max_cycles;  // 0: no limit
  // VTA's flow: global, with the average pool and the classifier on the host.
  std::optional<quantize::Method> method = std::nullopt;
  std::optional<Place> first_convolution = std::nullopt;
};

NetworkRun run_case(const Case& run, driver::Device& device) {
  return run_network(fmt::format("{}.json", run.network), device, run.mode, run.method,
                     run.first_convolution);
}

std::string name_of(const Case& run) {
  const bool on_host = run.first_convolution == Place::kHost;
  return fmt::format("{}.{}{}{}", run.network, to_string(run.mode), run.extension ? "" : ".plain",
                     on_host ? ".first_on_host" : "");
}

// "1000: load 1/2/3/4/5/6, gemm ...", in the order of hw::StageState.
std::string cycles_text(const hw::Counters& counters) {
  std::string text = fmt::format("{}:", counters.cycles.value());
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    text += fmt::format("{} {} {}", stage == 0 ? "" : ",", hw::kStageNames[stage],
                        fmt::join(counters.stages.value().of[stage], "/"));
  }
  return text;
}

std::string report_text(const InferenceReport& report) {
  std::string text =
      fmt::format("# cycles: of each stage {}\n", fmt::join(hw::kStageStateNames, "/"));
  for (const LayerReport& layer : report.layers) {
    if (layer.where == Place::kCore)
      text += fmt::format("{} {}: {}\n", layer.name, layer.op, cycles_text(layer.counters));
  }
  return text + fmt::format("sum: {}\n", cycles_text(report.counters));
}

hw::Counters without_time(hw::Counters counters) {
  counters.cycles.reset();
  counters.stages.reset();
  return counters;
}

void expect_same_work(const NetworkRun& timed, const NetworkRun& functional) {
  EXPECT_TRUE(without_time(timed.report.counters) == functional.report.counters);
  ASSERT_EQ(timed.report.layers.size(), functional.report.layers.size());
  for (size_t i = 0; i < timed.report.layers.size(); ++i) {
    const LayerReport& layer = timed.report.layers[i];
    EXPECT_TRUE(without_time(layer.counters) == functional.report.layers[i].counters)
        << "counters of " << layer.name;
  }
  ASSERT_EQ(timed.values.size(), functional.values.size());
  for (const auto& [name, value] : timed.values) {
    const auto own = value.bytes(), expected = functional.values.at(name).bytes();
    EXPECT_TRUE(std::equal(own.begin(), own.end(), expected.begin(), expected.end())) << name;
  }
}

class GoldenCycles : public testing::TestWithParam<Case> {};

TEST_P(GoldenCycles, EqualTheFile) {
  const Case& run = GetParam();
  CoreConfig core = load_core_config("vta_1x16");
  core.extension = run.extension;
  const NetworkRun timed = run_case(run, *sim::open_rtl_device("rtl", core));
  const std::string text = report_text(timed.report);
  const std::filesystem::path file = fmt::format("tests/recorded_runs/{}.cycles.txt", name_of(run));
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_text_file(file));
  if (run.max_cycles != 0) EXPECT_LE(timed.report.counters.cycles.value(), run.max_cycles);
  expect_same_work(timed, run_case(run, *sim::open_functional_device("functional", core)));
}

// All of them, since the model is quick; and what takes only time, in no time.
class ModelCycles : public testing::TestWithParam<Case> {};

TEST_P(ModelCycles, EqualTheFile) {
  const Case& run = GetParam();
  CoreConfig core = load_core_config("vta_1x16");
  core.extension = run.extension;
  const NetworkRun timed = run_case(run, *sim::open_cycle_device("cycle", core));
  const std::string text = report_text(timed.report);
  EXPECT_EQ(text, read_text_file(fmt::format("tests/recorded_runs/{}.cycles.txt", name_of(run))));
  expect_same_work(timed, run_case(run, *sim::open_functional_device("functional", core)));
  const NetworkRun empty = run_case(run, *sim::open_cycle_device("timing", core));
  EXPECT_EQ(text, report_text(empty.report));
  EXPECT_TRUE(timed.report.counters == empty.report.counters);
}

std::vector<Case> quick_cases() {
  return {
      {"resnet18", lower::Mode::kFused, true, 7'600'000},
      {"resnet18", lower::Mode::kFused, true, 6'700'000, quantize::Method::kGlobal, Place::kHost},
      {"resnet20_cifar", lower::Mode::kFused, true, 0}};
}
std::vector<Case> all_cases() {
  std::vector<Case> cases = quick_cases();
  cases.push_back(
      {"resnet18", lower::Mode::kCompatible, true, 8'500'000, quantize::Method::kGlobal});
  cases.push_back(
      {"resnet18", lower::Mode::kFused, false, 7'800'000, quantize::Method::kGlobal, Place::kHost});
  return cases;
}

std::string test_name(const testing::TestParamInfo<Case>& test) {
  std::string name = name_of(test.param);
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Networks, GoldenCycles,
                         testing::ValuesIn(std::getenv("VTA_NIGHTLY") != nullptr ? all_cases()
                                                                                 : quick_cases()),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Networks, ModelCycles, testing::ValuesIn(all_cases()), test_name);

}  // namespace
}  // namespace vta::test
