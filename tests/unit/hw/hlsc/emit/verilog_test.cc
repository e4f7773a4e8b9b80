// SPDX-License-Identifier: Apache-2.0
//
// Verilog as text; tests/text/verilog has what that of small kernels contains.
#include "hw/hlsc/emit/verilog.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>
#include <regex>

#include "hw/hlsc/schedule/scheduler.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::emit {
namespace {

std::string verilog_of(const std::string& kernel) {
  const ir::Design design = compile_kernel(kernel);
  const schedule::Schedule schedule = schedule::schedule(design, {});
  return verilog(design, schedule, bind::bind(design, schedule));
}

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
