// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hlsc_emit/lint.h"

#include <gtest/gtest.h>

#include "tests/unit/hlsc_schedule/compiled.h"

namespace vta::hlsc::emit {
namespace {

class EveryKernelsVerilog : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernelsVerilog, HasNoVerilatorWarnings) {
  EXPECT_EQ(lint(compile_kernel(GetParam())), "");
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernelsVerilog, testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

class CoresVerilog : public testing::TestWithParam<const char*> {};

TEST_P(CoresVerilog, HasNoVerilatorWarnings) { EXPECT_EQ(lint(compile_core(GetParam())), ""); }

INSTANTIATE_TEST_SUITE_P(Cores, CoresVerilog, testing::Values("tiny_1x8", "vta_1x16"));

}  // namespace
}  // namespace vta::hlsc::emit
