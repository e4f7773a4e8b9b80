// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/pipeline.h"

#include <gtest/gtest.h>

#include <set>

#include "base/errors/error.h"
#include "hw/hlsc/ir/text.h"
#include "tests/support/error_in.h"
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

// The same for the first `num_steps` steps of the table, so that a new pass changes no test.
std::vector<std::string> executions_of_steps(size_t num_steps) {
  std::vector<std::string> names;
  const auto add = [&](const char* pass, const char* process) {
    names.push_back(fmt::format("{} {} {}", names.size() + 1, pass, process));
  };
  for (const Step& step : pipeline().first(num_steps)) {
    if (std::holds_alternative<DesignPass*>(pass_of(step.pass).function)) {
      add(step.pass, "");
    } else {
      add(step.pass, "first");
      add(step.pass, "second");
    }
  }
  return names;
}

TEST(HlscPipeline, RunsEachStepOnEveryProcess) {
  EXPECT_EQ(executions({}), executions_of_steps(pipeline().size()));
}

TEST(HlscPipeline, StopsAfterTheFirstStepOfAPass) {
  size_t steps = 0;
  while (std::string(pipeline()[steps++].pass) != "forward_stores") {
  }
  EXPECT_EQ(executions({.stop_after = "forward_stores"}), executions_of_steps(steps));
}

TEST(HlscPipeline, StopsAtTheLimit) {
  const std::vector<std::string> all = executions_of_steps(pipeline().size());
  EXPECT_EQ(executions({.pass_limit = 3}), std::vector(all.begin(), all.begin() + 3));
  EXPECT_TRUE(executions({.pass_limit = 0}).empty());
}

TEST(HlscPipeline, RefusesAnUnknownPassByTheNamesOfAll) {
  ir::Design design = design_of(kTwoProcesses);
  const Error error = expect_error([&] { legalize(design, {.stop_after = "fold"}); });
  const std::string message = error.what();
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  const std::string list = fmt::format("pass 'fold' is not one of {}", pass_names()[0]);
  EXPECT_NE(message.find(list), std::string::npos) << message;
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
    const std::string fourth = executions_of_steps(pipeline().size())[3];  // "4 simplify second"
    const std::string pass = fourth.substr(2, fourth.rfind(' ') - 2);
    const std::string expected = fmt::format("pass {} (execution 4) broke the design", pass);
    EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
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
