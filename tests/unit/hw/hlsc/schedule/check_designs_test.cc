// SPDX-License-Identifier: Apache-2.0
//
// The checker accepts the schedules of all kernels and cores, and rejects them with moved
// operations.
#include <gtest/gtest.h>

#include <set>

#include "base/errors/error.h"
#include "configs/core_config.h"
#include "hw/hlsc/schedule/check.h"
#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/support/error_in.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::schedule {
namespace {

class EveryKernelsSchedule : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernelsSchedule, IsCorrect) {
  for (double period_ns : {6.0, 10.0, 30.0}) {
    Options options;
    options.period_ns = period_ns;
    const ir::Design design = compile_kernel(GetParam(), options);
    for (bool registers : {false, true}) {
      options.ram_output_registers = registers;
      try {
        const Schedule schedule = schedule::schedule(design, options);
        EXPECT_NO_THROW(check(design, schedule));
      } catch (const Error& error) {  // a faster clock may need a longer interval
        EXPECT_LT(period_ns, 10.0) << error.what();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernelsSchedule, testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

class CoresSchedule : public testing::TestWithParam<std::string> {};

TEST_P(CoresSchedule, IsCorrect) {
  const ir::Design design = compile_core(GetParam());
  Options options;
  EXPECT_NO_THROW(check(design, schedule(design, options)));
  options.ram_output_registers = true;
  EXPECT_NO_THROW(check(design, schedule(design, options)));
}

// Recurrences of gemm are shortened: the fault, the held sums.
TEST_P(CoresSchedule, IsCorrectForAFasterClock) {
  for (const double period_ns : {6.0, 7.0, 8.0}) {
    const Options options = {.period_ns = period_ns, .margin_ns = 0.1 * period_ns};
    const ir::Design design = compile_core(GetParam(), options);
    EXPECT_NO_THROW(check(design, schedule(design, options))) << period_ns << " ns";
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, CoresSchedule, testing::ValuesIn(installed_core_names()));

// A process with its schedule, and with single operations moved.
class GemmOfTheCore : public testing::Test {
 protected:
  void SetUp() override {
    while (design_.processes[process_].name != "gemm") ++process_;
  }
  const ir::Process& process() const { return design_.processes[process_]; }
  uint32_t& step(ir::ValueId value) { return schedule_.processes[process_].step[value]; }

  // The latest step or stage of the operands in the operation's own sequence; 0 if there is none.
  // Independent of the checker.
  uint32_t earliest(ir::ValueId value, const std::set<ir::ValueId>& others) {
    uint32_t earliest = 0;
    for (ir::ValueId operand : process().ops[value].operands) {
      if (!others.contains(operand)) continue;
      const bool word = process().ops[operand].opcode == ir::Opcode::kRamRead;
      earliest = std::max(earliest, step(operand) + (word ? 1 : 0));
    }
    return earliest;
  }
  std::string refusal() const {
    return error_in([&] { check(design_, schedule_); });
  }

  ir::Design design_ = compile_core("vta_1x16");
  Schedule schedule_ = schedule(design_, {});
  size_t process_ = 0;
};

TEST_F(GemmOfTheCore, MayMoveAStageForwardOnlyWhereNothingIsUsedTooEarly) {
  size_t refused = 0, legal = 0;
  for (const auto& [outer, nest] : schedule_.processes[process_].nests) {
    std::set<ir::ValueId> body;
    for (const ir::Item& item : nest.levels.back()->body) body.insert(std::get<ir::ValueId>(item));
    for (ir::ValueId value : body) {
      if (step(value) == 0) continue;
      --step(value);
      const std::string why = refusal();
      const bool too_early = step(value) < earliest(value, body);
      EXPECT_TRUE(!why.empty() || !too_early) << operation_text(design_, process().ops[value]);
      if (too_early) EXPECT_NE(why.find("rule 'data'"), std::string::npos) << why;
      (why.empty() ? legal : refused) += 1;
      ++step(value);
    }
  }
  // The scheduler places operations that no port delays as early as possible.
  EXPECT_GT(refused, 100u);
  EXPECT_LT(legal, refused / 4);
  EXPECT_EQ(refusal(), "");
}

TEST_F(GemmOfTheCore, IsRefusedWithAnyWordUsedInTheStageOfItsRead) {
  for (const auto& [outer, nest] : schedule_.processes[process_].nests) {
    for (const ir::Item& item : nest.levels.back()->body) {
      const ir::ValueId value = std::get<ir::ValueId>(item);
      if (process().ops[value].opcode != ir::Opcode::kRamRead) continue;
      step(value) += 1;
      const std::string why = refusal();
      step(value) -= 1;
      EXPECT_NE(why, "") << operation_text(design_, process().ops[value]);
    }
  }
}

}  // namespace
}  // namespace vta::hlsc::schedule
