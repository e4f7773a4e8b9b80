// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/host_work.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace vta {
namespace {

using Kind = ProgramStep::Kind;

ProgramStep step_of(Kind kind, const std::string& layer, OpKind op, HostReason reason) {
  ProgramStep step;
  step.kind = kind;
  step.layer = layer;
  step.op = op;
  step.host_reason = reason;
  step.inputs = {0, 1, 2};
  step.outputs = {3};
  return step;
}

// With the values of a dense layer, for its multiply-accumulates.
Program program() {
  Program program;
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{1, 4}, {4, 4}, {4}, {1, 4}}) {
    ProgramValue value;
    value.type = {DType::kInt8, shape};
    program.values.push_back(value);
  }
  program.inputs.push_back({.value = 0, .image = {}, .sample = ""});
  program.steps = {step_of(Kind::kHost, "q", OpKind::kQuantize, HostReason::kConversion),
                   step_of(Kind::kPack, "q.pack", OpKind::kInput, HostReason::kConversion),
                   step_of(Kind::kHost, "t0", OpKind::kTanh, HostReason::kOutsideLayers)};
  for (const char* name : {"a", "b", "c", "d", "e"})
    program.steps.push_back(step_of(Kind::kHost, name, OpKind::kLookup, HostReason::kNoCoreForm));
  program.steps.push_back(step_of(Kind::kHost, "t1", OpKind::kTanh, HostReason::kOutsideLayers));
  program.steps.push_back(step_of(Kind::kHost, "t2", OpKind::kTanh, HostReason::kKeptFloat));
  return program;
}

TEST(HostWork, IsGroupedByOperatorAndReason) {
  const std::vector<HostWork> work = host_work(program());
  ASSERT_EQ(work.size(), 3u);
  EXPECT_EQ(work[0].op, OpKind::kTanh);
  EXPECT_EQ(work[0].layers, (std::vector<std::string>{"t0", "t1"}));
  EXPECT_EQ(work[1].reason, HostReason::kNoCoreForm);
  EXPECT_EQ(work[1].layers.size(), 5u);
  EXPECT_EQ(work[2].reason, HostReason::kKeptFloat);
  const auto json = to_json(host_work(program()));
  EXPECT_EQ(json.at(1).at("op"), "lookup");
  EXPECT_EQ(json.at(1).at("reason"), "no_core_form");
  EXPECT_EQ(json.at(1).at("text"), text_of(HostReason::kNoCoreForm));
  EXPECT_EQ(json.at(1).at("layers").size(), 5u);
}

// With nothing on the core, the reason of each layer is wanted.
TEST(HostWork, NamesAllLayersOfAProgramThatStaysOnTheHost) {
  EXPECT_NE(host_work_text(program()).find("(a, b, c, d, e)"), std::string::npos);
}

TEST(HostWork, NamesTheFirstLayersOfAProgramOnTheCore) {
  Program on_core = program();
  ProgramStep dense = step_of(Kind::kCore, "dense", OpKind::kQDense, HostReason::kConversion);
  on_core.steps = {dense};
  EXPECT_EQ(host_work_text(on_core), "On the host: conversions only\n");
  for (const char* name : {"a", "b", "c", "d", "e"})
    on_core.steps.push_back(step_of(Kind::kHost, name, OpKind::kLookup, HostReason::kNoCoreForm));
  EXPECT_NE(host_work_text(on_core).find("(a, b, c and 2 more)"), std::string::npos);
}

TEST(HostReason, IsReadByItsName) {
  EXPECT_EQ(host_reason_from_string(to_string(HostReason::kTooLarge)), HostReason::kTooLarge);
  EXPECT_THROW(host_reason_from_string("boredom"), Error);
}

}  // namespace
}  // namespace vta
