// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of kernels/ has the same outputs as process IR as in its native run.
// VTA_TEST_COUNT: trials of each kernel, default 5.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/errors/error.h"
#include "hw/hls/burst.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/pipeline.h"
#include "tests/hls/interpreted.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"

namespace vta::kernels {
namespace {

using hlsc::ir::Design;

Design compile(const Kernel& kernel) {
  const std::string root = VTA_SOURCE_ROOT;
  return hlsc::front::compile({root + "/" + kernel.path, {root}, {}});
}

uint64_t trials() { return support::test_count(5); }

class EveryKernel : public testing::TestWithParam<Kernel> {};

TEST_P(EveryKernel, ProducesItsNativeOutputsInProcessIr) {
  const Design design = compile(GetParam());
  const Design again = hlsc::ir::parse(hlsc::ir::print(design), "printed");
  hlsc::ir::verify(again);
  for (uint64_t seed = 0; seed < trials(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Trial trial = GetParam().run(seed);
    ASSERT_EQ(difference(trial, interpret(design, trial, seed)), "");
    ASSERT_EQ(difference(trial, interpret(again, trial, ~seed)), "") << "after printing";
  }
}

// The first execution of a pass after which the kernel no longer produces its native outputs.
std::string first_wrong_pass(const Kernel& kernel, const Trial& trial, uint64_t seed) {
  Design design = compile(kernel);
  const auto is_wrong = [&] { return !difference(trial, interpret(design, trial, seed)).empty(); };
  if (is_wrong()) return "the front end";
  std::string first;
  hlsc::passes::LegalizeOptions options;
  options.on_execution = [&](const hlsc::passes::Execution& it) {
    if (first.empty() && is_wrong())
      first = fmt::format("--pass-limit {}: {} {}", it.number, it.pass, it.process);
  };
  hlsc::passes::legalize(design, options);
  return first.empty() ? "no pass" : first;
}

TEST_P(EveryKernel, ProducesTheSameOutputsAfterThePasses) {
  Design design = compile(GetParam());
  hlsc::passes::legalize(design, {.verify_each = true});
  for (uint64_t seed = 0; seed < trials(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Trial trial = GetParam().run(seed);
    ASSERT_EQ(difference(trial, interpret(design, trial, seed)), "")
        << "wrong since " << first_wrong_pass(GetParam(), trial, seed);
  }
}

TEST_P(EveryKernel, HasItemsOnEachOutput) {
  const Trial trial = GetParam().run(1);
  ASSERT_FALSE(trial.inputs.empty());
  ASSERT_FALSE(trial.outputs.empty());
  for (const auto& [name, items] : trial.outputs) EXPECT_FALSE(items.empty()) << name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::ValuesIn(all_kernels()),
                         [](const auto& given) { return given.param.name; });

TEST(KernelTable, HoldsEveryFileOfTheFolder) {
  size_t files = 0;
  const std::string folder = std::string(VTA_SOURCE_ROOT) + "/tests/hls/kernels";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files += entry.path().extension() == ".cc";
  }
  EXPECT_EQ(all_kernels().size(), files);
}

TEST(NumberOfTrials, IsRejectedByNameIfItIsNotPositive) {
  const char* given = std::getenv("VTA_TEST_COUNT");
  const std::string before = given == nullptr ? "" : given;
  for (const char* bad : {"0", "", "many", "12x", "-1", " 3", "99999999999999999999"}) {
    ::setenv("VTA_TEST_COUNT", bad, 1);
    const Error error = expect_error([&] { trials(); });
    EXPECT_NE(std::string(error.what()).find(std::string("VTA_TEST_COUNT=") + bad + ":"),
              std::string::npos)
        << error.what();
  }
  ::setenv("VTA_TEST_COUNT", "12", 1);
  EXPECT_EQ(trials(), 12u);
  ::unsetenv("VTA_TEST_COUNT");
  EXPECT_EQ(trials(), 5u);
  if (given != nullptr) ::setenv("VTA_TEST_COUNT", before.c_str(), 1);
}

// The interpreter and the Verilog testbench reject them as well; hardware would hang.
TEST(NativePorts, RejectIllegalBursts) {
  std::vector<uint8_t> dram(8192);
  hls::read_port<4> source{"source"};
  hls::write_port<4> target{"target"};
  source.bind(dram.data());
  target.bind(dram.data());
  for (const auto& [address, beats] :
       std::vector<std::pair<uint32_t, uint32_t>>{{8, 0}, {4, 1}, {0, 17}, {4088, 2}, {8, ~0u}}) {
    EXPECT_THROW(source.request(address, beats), std::logic_error) << address << ", " << beats;
    EXPECT_THROW(target.request(address, beats), std::logic_error) << address << ", " << beats;
  }
  for (const auto& [address, beats] :
       std::vector<std::pair<uint32_t, uint32_t>>{{8, 1}, {0, 16}, {4088, 1}, {4096, 16}}) {
    EXPECT_NO_THROW(source.request(address, beats)) << address << ", " << beats;
    EXPECT_NO_THROW(target.request(address, beats)) << address << ", " << beats;
  }
}

// The comparison is effective: it detects a product that is replaced by a sum.
TEST(KernelComparison, DetectsAReplacedOperationInTheProcessIr) {
  const std::vector<Kernel> kernels = all_kernels();
  const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                   [](const Kernel& k) { return k.name == "dot_product"; });
  ASSERT_NE(kernel, kernels.end());
  Design design = compile(*kernel);
  int replaced = 0;
  for (hlsc::ir::Op& op : design.processes[0].ops) {
    if (op.opcode != hlsc::ir::Opcode::kMul) continue;
    op.opcode = hlsc::ir::Opcode::kAdd;
    ++replaced;
  }
  ASSERT_EQ(replaced, 1);
  const Trial trial = kernel->run(1);
  EXPECT_NE(difference(trial, interpret(design, trial, 1)), "");
}

}  // namespace
}  // namespace vta::kernels
