// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/macs.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

ProgramValue value(std::vector<int64_t> shape) {
  ProgramValue result;
  result.type = {DType::kFloat32, std::move(shape)};
  return result;
}

// A [1, 196, 64] tensor times [64, 64], as a dense layer of 196 rows.
TEST(Macs, OfAMatrixProductCountAllItsRows) {
  Program program;
  program.values = {value({1, 196, 64}), value({196, 64}), value({64, 64}), value({196, 64})};
  program.inputs.push_back({.value = 0, .image = {}, .sample = ""});
  ProgramStep step;
  step.op = OpKind::kDense;
  step.inputs = {1, 2};
  step.outputs = {3};
  program.steps = {step};
  EXPECT_EQ(macs_of(program).all, 196u * 64 * 64);
  EXPECT_EQ(macs_of(program).on_core, 0u);
  program.batch = 4;
  EXPECT_EQ(macs_of(program).all, 49u * 64 * 64) << "of one of four images";
}

TEST(Macs, OfAMatrixProductAreThoseOfTheModel) {
  Program program;
  program.values = {value({1, 2, 10, 24}), value({1, 2, 24, 5}), value({1, 2, 10, 5})};
  program.inputs.push_back({.value = 0, .image = {}, .sample = ""});
  ProgramStep step;
  step.op = OpKind::kQMatmul;
  step.attrs.products = 8;  // the other 16 stand for zero points
  step.inputs = {0, 1};
  step.outputs = {2};
  program.steps = {step};
  EXPECT_EQ(macs_of(program).all, 2u * 10 * 5 * 8);
}

}  // namespace
}  // namespace vta
