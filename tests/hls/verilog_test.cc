// SPDX-License-Identifier: Apache-2.0
//
// Every kernel, compiled to SystemVerilog and Verilated, means what it means natively, whatever the
// pace of the world around it. All kernels are one model and run side by side.
// VTA_TEST_COUNT: trials, 6 if not given.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "Vkernels.h"
#include "tests/hls/interpreted.h"
#include "tests/hls/verilog_bench.h"
#include "verilated.h"

namespace vta::kernels {
namespace {

// Long enough for any computation between two moves at a port.
constexpr uint64_t kMostIdleCycles = 3000;

class AllKernels {
 public:
  explicit AllKernels(uint64_t seed) : kernels_(all_kernels()), models_(kernel_models(top_)) {
    static constexpr int kPaces[] = {100, 50, 15};
    for (const Kernel& kernel : kernels_) {
      trials_.push_back(kernel.run(seed));
      benches_.push_back(std::make_unique<VerilogBench>(models_.at(kernel.name), trials_.back(),
                                                        seed, kPaces[seed % 3]));
    }
    reset();
    for (bool busy = true; busy;) {
      cycle();
      busy = false;
      for (const auto& bench : benches_) busy |= bench->idle_cycles() < kMostIdleCycles;
    }
  }

  // By kernel, "" if it did as it does natively.
  std::map<std::string, std::string> differences() const {
    std::map<std::string, std::string> result;
    for (size_t i = 0; i < kernels_.size(); ++i)
      result[kernels_[i].name] = difference(trials_[i], benches_[i]->outcome());
    return result;
  }

 private:
  void reset() {
    top_.rst = 1;
    for (auto& bench : benches_) bench->drive();
    for (int i = 0; i < 4; ++i) edge();
    top_.rst = 0;
  }
  void edge() {
    top_.clk = 1;
    top_.eval();
    top_.clk = 0;
    top_.eval();
  }
  void cycle() {
    for (auto& bench : benches_) bench->drive();
    top_.eval();
    for (auto& bench : benches_) bench->sample();
    edge();
  }

  Vkernels top_;
  std::vector<Kernel> kernels_;
  std::map<std::string, KernelModel> models_;
  std::vector<Trial> trials_;
  std::vector<std::unique_ptr<VerilogBench>> benches_;
};

// Simulated once for all tests.
const std::vector<std::map<std::string, std::string>>& results() {
  static const auto* const all = [] {
    const char* count = std::getenv("VTA_TEST_COUNT");
    auto* list = new std::vector<std::map<std::string, std::string>>;
    const uint64_t trials = count != nullptr ? std::stoull(count) : 6;
    for (uint64_t seed = 0; seed < trials; ++seed) list->push_back(AllKernels(seed).differences());
    return list;
  }();
  return *all;
}

class EveryKernelInVerilog : public testing::TestWithParam<Kernel> {};

TEST_P(EveryKernelInVerilog, MeansWhatItMeansNatively) {
  for (size_t seed = 0; seed < results().size(); ++seed)
    EXPECT_EQ(results()[seed].at(GetParam().name), "") << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernelInVerilog, testing::ValuesIn(all_kernels()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace vta::kernels
