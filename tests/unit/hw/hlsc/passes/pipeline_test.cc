// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/pipeline.h"

#include <gtest/gtest.h>

#include <set>

#include "hw/hlsc/ir/text.h"
#include "runtime/base/error.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

constexpr const char* kTwoProcesses = R"(design d
    stream in : 8 x 2
    stream s : 8 x 2
    stream out : 8 x 2
    process first { loop l if 1:1 { } while 1:1 {
      %x : 8 = stream_read in 1:1 %y : 8 = add %x, 1:8 stream_write s 1:1, %y } }
    process second { loop l if 1:1 { } while 1:1 {
      %x : 8 = stream_read s 1:1 %y : 8 = add %x, %x %z : 8 = add %y, %x
      stream_write out 1:1, %z } })";

// "1 simplify first", in order.
std::vector<std::string> executions(LegalizeOptions options) {
  std::vector<std::string> names;
  options.on_execution = [&](const Execution& it) {
    names.push_back(fmt::format("{} {} {}", it.number, it.pass, it.process));
  };
  ir::Design design = design_of(kTwoProcesses);
  legalize(design, options);
  return names;
}

TEST(HlscPipeline, RunsEachStepOnEveryProcess) {
  const std::vector<std::string> names = executions({});
  size_t expected = 0;
  for (const Step& step : pipeline())
    expected += std::holds_alternative<DesignPass*>(pass_of(step.pass).function) ? 1 : 2;
  EXPECT_EQ(names.size(), expected);
  EXPECT_EQ(names[0], "1 simplify first");
  EXPECT_EQ(names[1], "2 simplify second");
  EXPECT_EQ(names[2], "3 narrow_streams ");
}

TEST(HlscPipeline, StopsAfterTheFirstStepOfAPass) {
  const std::vector<std::string> names = executions({.stop_after = "forward_stores"});
  EXPECT_EQ(names.back(), "7 forward_stores second");
}

TEST(HlscPipeline, StopsAtTheLimit) {
  EXPECT_EQ(executions({.pass_limit = 2}).back(), "2 simplify second");
  EXPECT_TRUE(executions({.pass_limit = 0}).empty());
}

TEST(HlscPipeline, RefusesAnUnknownPassByTheNamesOfAll) {
  ir::Design design = design_of(kTwoProcesses);
  try {
    legalize(design, {.stop_after = "fold"});
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(message.find("pass 'fold' is not one of simplify, "), std::string::npos) << message;
  }
}

TEST(HlscPipeline, UsesEveryPass) {
  std::set<std::string> used;
  for (const Step& step : pipeline()) used.insert(step.pass);
  for (const std::string& name : pass_names()) EXPECT_TRUE(used.contains(name)) << name;
}

TEST(HlscPipeline, NamesThePassThatBreaksADesign) {
  ir::Design design = design_of(kTwoProcesses);
  LegalizeOptions options{.verify_each = true};
  options.on_execution = [&](const Execution& it) {  // a widened constant, which verify() refuses
    if (it.number != 3) return;
    for (ir::Op& op : design.processes[0].ops) {
      if (op.opcode == ir::Opcode::kConstant) op.width = 99;
    }
  };
  try {
    legalize(design, options);
    FAIL() << "no error";
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("pass simplify (execution 4) broke the design"),
              std::string::npos)
        << error.what();
  }
}

TEST(HlscPipeline, LeavesAVerifiedDesignAfterEveryExecution) {
  const ir::Design before = design_of(kTwoProcesses);
  const size_t all = executions({}).size();
  for (size_t limit = 0; limit <= all; ++limit) {
    SCOPED_TRACE(limit);
    ir::Design design = design_of(kTwoProcesses);
    legalize(design, {.verify_each = true, .pass_limit = limit});
    expect_same_meaning(before, design, 3);
  }
}

}  // namespace
}  // namespace vta::hlsc::passes
