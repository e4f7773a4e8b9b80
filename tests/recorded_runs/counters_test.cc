// SPDX-License-Identifier: Apache-2.0
//
// DRAM bytes and micro-ops of each layer of the shipped networks, compared with the files in this
// folder. A new schedule changes them: review the difference, then rewrite the files with
//   VTA_UPDATE_GOLDEN=1 build/release/tests/golden_counters_test
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files/file.h"
#include "tests/recorded_runs/network_run.h"

namespace vta::test {
namespace {

std::string counters_text(const hw::Counters& c) {
  return fmt::format("inp {} wgt {} acc {} uop {} out {} gemm {} alu {}", c.inp_load_nbytes,
                     c.wgt_load_nbytes, c.acc_load_nbytes, c.uop_load_nbytes, c.out_store_nbytes,
                     c.gemm_counter, c.alu_counter);
}

std::string report_text(const NetworkRun& run) {
  std::string text;
  for (const LayerReport& layer : run.report.layers) {
    if (layer.where == Place::kCore)
      text += fmt::format("{} {}: {}\n", layer.name, layer.op, counters_text(layer.counters));
  }
  return text + fmt::format("sum: {}\n", counters_text(run.report.counters));
}

uint64_t dram_bytes(const hw::Counters& c) {
  return c.inp_load_nbytes + c.wgt_load_nbytes + c.acc_load_nbytes + c.uop_load_nbytes +
         c.out_store_nbytes;
}

struct Case {
  const char* network;
  const char* core;
  lower::Mode mode;
  std::optional<quantize::Method> method = std::nullopt;
};

class GoldenCounters : public testing::TestWithParam<Case> {};

TEST_P(GoldenCounters, EqualTheFile) {
  const auto& [network, core, mode, method] = GetParam();
  const NetworkRun run = run_network(fmt::format("{}.json", network), core, mode, method);
  const std::string text = report_text(run);
  const std::filesystem::path file =
      fmt::format("tests/recorded_runs/{}.{}.{}.txt", network, core, to_string(mode));
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_text_file(file));

  // The compiler predicts the device's counters.
  hw::Counters sum = run.report.counters;
  uint64_t gemm = 0, bytes = 0;
  for (const LayerSummary& layer : run.compiled.layers) {
    gemm += layer.gemm_counter;
    bytes += layer.dram_bytes;
  }
  EXPECT_EQ(gemm, sum.gemm_counter);
  EXPECT_EQ(bytes, dram_bytes(sum));
}

INSTANTIATE_TEST_SUITE_P(Networks, GoldenCounters,
                         testing::Values(Case{"resnet18", "vta_1x16", lower::Mode::kFused},
                                         Case{"resnet18", "vta_1x16", lower::Mode::kCompatible,
                                              quantize::Method::kGlobal},
                                         Case{"resnet20_cifar", "vta_1x16", lower::Mode::kFused},
                                         Case{"resnet20_cifar", "vta_1x16",
                                              lower::Mode::kCompatible},
                                         Case{"digits", "vta_1x16", lower::Mode::kFused},
                                         Case{"digits", "vta_1x16", lower::Mode::kCompatible}),
                         [](const auto& test) {
                           return std::string(test.param.network) + "_" +
                                  to_string(test.param.mode);
                         });

// The published schedule of ResNet-18 with its residual adds on the core and the first convolution
// on the host, by global scales: 6,623,232 GEMM and 702,464 ALU micro-ops, 26,820,952 bytes. In
// mode fused the core also computes the first convolution, 10 micro-ops for each of 119 x 121 x 4
// output elements, some of them in two tiles of the max pool that its stream computes, too; but it
// leaves out 515,168 products with padding.
TEST(GoldenCounters, OfResNet18AreNoWorseThanThePublishedOnes) {
  const auto counters = [](lower::Mode mode) {
    return run_network("resnet18.json", "vta_1x16", mode, quantize::Method::kGlobal)
        .report.counters;
  };
  const auto compatible = counters(lower::Mode::kCompatible);
  EXPECT_EQ(compatible.gemm_counter, 6'623'232u);
  EXPECT_LE(compatible.alu_counter, 702'464u);
  EXPECT_LE(dram_bytes(compatible), 26'820'952u);
  const auto fused = counters(lower::Mode::kFused);
  EXPECT_EQ(fused.gemm_counter, 6'623'232u + 119 * 121 * 4 * 10 - 515'168u);
  EXPECT_LE(dram_bytes(fused), 21'000'000u);
}

}  // namespace
}  // namespace vta::test
