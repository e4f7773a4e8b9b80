// SPDX-License-Identifier: Apache-2.0
//
// The cycle models of two small kernels against the files of golden/. A change of the compiler
// changes them: check the difference, then rewrite them with
//   VTA_UPDATE_GOLDEN=1 build/release/tests/hlsc_model_test
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files/file.h"
#include "hw/hlsc/model/cycle_model.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::model {
namespace {

std::string model_of(const ir::Design& design) {
  const schedule::Schedule schedule = schedule::schedule(design, {});
  return cycle_model(design, schedule, bind::bind(design, schedule), "");
}

class GoldenModel : public testing::TestWithParam<const char*> {};

TEST_P(GoldenModel, IsThatOfTheFile) {
  const std::string text = model_of(compile_kernel(GetParam()));
  const std::string file = fmt::format("tests/unit/hw/hlsc/model/golden/{}.txt", GetParam());
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_text_file(file));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenModel, testing::Values("histogram", "late_exit"),
                         [](const auto& info) { return info.param; });

TEST(CycleModel, IsDeterministic) {
  const ir::Design first = compile_core("tiny_1x8"), second = compile_core("tiny_1x8");
  EXPECT_TRUE(model_of(first) == model_of(second));
}

}  // namespace
}  // namespace vta::hlsc::model
