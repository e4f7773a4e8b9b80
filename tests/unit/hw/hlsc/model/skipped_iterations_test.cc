// SPDX-License-Identifier: Apache-2.0
//
// The nests whose iterations can be skipped. Their timing is tested against the Verilated designs.
#include "hw/hlsc/model/skipped_iterations.h"

#include <gtest/gtest.h>

#include "hw/hlsc/model/cycle_model.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::model {
namespace {

std::string process_of(const ir::Design& design, const std::string& process) {
  const schedule::Schedule schedule = schedule::schedule(design, {});
  const std::string text = cycle_model(design, schedule, bind::bind(design, schedule), "");
  const size_t start = text.find("void run_" + process + "()");
  EXPECT_NE(start, std::string::npos);
  return text.substr(start, text.find("\nvoid run_", start) - start);
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(SkippedIterations, AreInGemmWhileAluWaits) {
  const std::string gemm = process_of(compile_core("tiny_1x8"), "gemm");
  EXPECT_TRUE(has(gemm, "reads_port_acc.is_watched(0)"));
  EXPECT_TRUE(has(gemm, "if (quiet && !watched && "));
  EXPECT_TRUE(has(gemm, "issue += more;"));
  EXPECT_TRUE(has(gemm, "const uint64_t rounds = ")) << "of the loop around";
}

TEST(SkippedIterations, AreNotInAPipelineThatWaitsForPorts) {
  EXPECT_FALSE(has(process_of(compile_core("tiny_1x8"), "alu"), "issue += more;"));
}

TEST(SkippedIterations, AreInASearchWithABound) {
  EXPECT_TRUE(has(process_of(compile_kernel("searched_while_asked"), "search"), "issue += more;"));
}

// Only the last round is run: a register that it may not write would keep its old value.
TEST(SkippedIterations, AreNotWholeRoundsIfOneOfThemWritesARegister) {
  const std::string search = process_of(compile_kernel("marked_row"), "search");
  EXPECT_TRUE(has(search, "issue += more;"));
  EXPECT_FALSE(has(search, "const uint64_t rounds = "));
}

TEST(SkippedIterations, NeedChecksThatAreBounds) {
  EXPECT_FALSE(has(process_of(compile_kernel("late_nest"), "run"), "issue += more;"));
}

}  // namespace
}  // namespace vta::hlsc::model
