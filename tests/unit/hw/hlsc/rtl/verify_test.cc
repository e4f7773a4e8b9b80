// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/verify.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace vta::hlsc::rtl {
namespace {

Module base() {
  Module module;
  module.name = "m";
  module.ports = {{false, false, 1, "clk"}, {false, false, 8, "x"}, {true, false, 8, "y"}};
  module.nets = {{NetKind::kRegister, 8, "r", {}}};
  module.items = {Assignment{net("y", 8), net("r", 8)},
                  Always{Trigger::kClock, {nonblocking(net("r", 8), net("x", 8))}}};
  return module;
}

std::string problem(const Module& module) {
  try {
    verify(module);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "none";
}

void expect_problem(const Module& module, const std::string& text) {
  EXPECT_NE(problem(module).find(text), std::string::npos) << problem(module);
}

TEST(Verify, AcceptsAModule) { EXPECT_EQ(problem(base()), "none"); }

TEST(Verify, FindsANameWithoutADeclaration) {
  Module module = base();
  module.items.push_back(Assignment{net("z"), literal(1, 0)});
  expect_problem(module, "no declaration of 'z'");
}

TEST(Verify, FindsASecondDeclaration) {
  Module module = base();
  module.nets.push_back({NetKind::kWire, 8, "x", {}});
  expect_problem(module, "second declaration of 'x'");
}

TEST(Verify, FindsAUseWithAnotherWidth) {
  Module module = base();
  module.nets.push_back({NetKind::kWire, 4, "w", net("x", 4)});
  expect_problem(module, "wrong width of 'x'");
}

TEST(Verify, FindsASecondDriver) {
  Module module = base();
  module.items.push_back(Assignment{net("y", 8), net("x", 8)});
  expect_problem(module, "second driver of 'y'");
}

TEST(Verify, FindsAnAssignmentOfAnInputAndAContinuousOneOfARegister) {
  for (const char* name : {"x", "r"}) {
    Module module = base();
    module.items.push_back(Assignment{net(name, 8), literal(8, 0)});
    expect_problem(module, std::string("wrong kind of assignment to '") + name + "'");
  }
}

TEST(Verify, KeepsVariablesInTheirBlock) {
  Module module = base();
  Statement block = if_then(net("x", 8), blocking(net("t"), literal(1, 1)));
  block.kind = StatementKind::kBlock;
  block.variables = {{"t", 1}};
  module.items.push_back(Always{Trigger::kClock, {block}});
  EXPECT_EQ(problem(module), "none");
  module.items.push_back(Always{Trigger::kClock, {blocking(net("t"), literal(1, 1))}});
  expect_problem(module, "no declaration of 't'");
}

}  // namespace
}  // namespace vta::hlsc::rtl
