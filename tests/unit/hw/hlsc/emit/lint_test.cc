// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/emit/lint.h"

#include <gtest/gtest.h>

#include "tests/support/rtl_cores.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::emit {
namespace {

class EveryKernelsVerilog : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernelsVerilog, HasNoWarningsOfVerilatorAndIcarus) {
  EXPECT_EQ(lint(compile_kernel(GetParam())), "");
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernelsVerilog, testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

class CoresVerilog : public testing::TestWithParam<std::string> {};

TEST_P(CoresVerilog, HasNoWarningsOfVerilatorAndIcarus) {
  EXPECT_EQ(lint(compile_core(GetParam())), "");
}

INSTANTIATE_TEST_SUITE_P(Cores, CoresVerilog, testing::ValuesIn(support::rtl_cores()));

}  // namespace
}  // namespace vta::hlsc::emit
