// SPDX-License-Identifier: Apache-2.0
//
// The Verilog of small kernels against the files of golden/. After an intended change of the
// compiler, check the difference and update the files with
//   VTA_UPDATE_GOLDEN=1 build/release/tests/hlsc_emit_test
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <regex>
#include <string_view>

#include "base/files/file.h"
#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::emit {
namespace {

std::string verilog_of(const std::string& kernel, const schedule::Options& options = {}) {
  const ir::Design design = compile_kernel(kernel);
  const schedule::Schedule schedule = schedule::schedule(design, options);
  return verilog(design, schedule, bind::bind(design, schedule));
}

class GoldenVerilog : public testing::TestWithParam<const char*> {};

TEST_P(GoldenVerilog, EqualsTheFile) {
  schedule::Options options;
  options.ram_output_registers = std::string_view(GetParam()) == "table_product";
  const std::string text = verilog_of(GetParam(), options);
  const std::string file = fmt::format("tests/unit/hw/hlsc/emit/golden/{}.sv", GetParam());
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_text_file(file));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenVerilog,
                         testing::Values("fir", "histogram", "table_product", "zero_trips"),
                         [](const auto& info) { return info.param; });

TEST(Verilog, IsTheSameEachTime) {
  for (const char* kernel : {"matrix_product", "two_reads", "second_reader_writes"})
    EXPECT_EQ(verilog_of(kernel), verilog_of(kernel));
  const ir::Design first = compile_core("tiny_1x8"), second = compile_core("tiny_1x8");
  const auto verilog_of_design = [](const ir::Design& design) {
    const schedule::Schedule schedule = schedule::schedule(design, {});
    return verilog(design, schedule, bind::bind(design, schedule));
  };
  EXPECT_TRUE(verilog_of_design(first) == verilog_of_design(second));
}

// gemm reads inp and wgt where an iteration multiplies, which the faults of older iterations
// decide: a path that must not reach the enables of the RAMs, in neither view.
TEST(Verilog, PredicatesDoNotReachThePortOfARamThatNobodyElseReads) {
  const ir::Design design = compile_core("tiny_1x8");
  const schedule::Schedule schedule = schedule::schedule(design, {});
  const std::string text = verilog(design, schedule, bind::bind(design, schedule));
  for (const char* ram : {"inp", "wgt"}) {
    const std::regex enable(fmt::format(R"(wire {}_\d+_n0 = n0_v\d+;)", ram));
    const auto first = std::sregex_iterator(text.begin(), text.end(), enable);
    EXPECT_EQ(std::distance(first, std::sregex_iterator()), 2) << ram;
  }
}

}  // namespace
}  // namespace vta::hlsc::emit
