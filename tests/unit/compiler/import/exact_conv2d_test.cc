// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/exact_conv2d.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "compiler/import/measure_batch_norms.h"
#include "runtime/host/host_operators.h"
#include "tests/support/random_tensor.h"

namespace vta::import {
namespace {

// The sum of one output element in the order that the header states.
float sum_at(const OpAttrs& attrs, const Tensor& x, const Tensor& w, int64_t oc, int64_t oh,
             int64_t ow) {
  const int64_t height = x.dim(2), width = x.dim(3), channels = w.dim(1);
  const int64_t first = oc / (w.dim(0) / attrs.groups) * channels;
  float sum = 0;
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t kh = 0; kh < w.dim(2); ++kh) {
      for (int64_t kw = 0; kw < w.dim(3); ++kw) {
        const int64_t ih = oh * attrs.stride[0] + kh * attrs.dilation[0] - attrs.pad[0];
        const int64_t iw = ow * attrs.stride[1] + kw * attrs.dilation[1] - attrs.pad[1];
        const bool inside = ih >= 0 && ih < height && iw >= 0 && iw < width;
        const float value =
            inside ? x.data<float>()[static_cast<size_t>(((first + c) * height + ih) * width + iw)]
                   : 0.0f;
        const size_t tap =
            static_cast<size_t>(((oc * channels + c) * w.dim(2) + kh) * w.dim(3) + kw);
        const float product = w.data<float>()[tap] * value;
        sum += product;
      }
    }
  }
  return sum;
}

TEST(ExactConv2d, AddsInTheStatedOrderToTheLastBit) {
  Random random(6);
  for (int round = 0; round < 60; ++round) {
    OpAttrs attrs;
    attrs.groups = random.between(1, 3);
    attrs.kernel = {random.between(1, 4), random.between(1, 4)};
    attrs.stride = {random.between(1, 3), random.between(1, 3)};
    attrs.dilation = {random.between(1, 2), random.between(1, 2)};
    for (int64_t& pad : attrs.pad) pad = random.between(0, 3);
    const int64_t group_channels = random.between(1, 5);
    const Tensor x = test::random_float(
        random, {1, attrs.groups * group_channels, random.between(7, 13), random.between(7, 13)});
    const Tensor w = test::random_float(random, {attrs.groups * random.between(1, 6),
                                                 group_channels, attrs.kernel[0], attrs.kernel[1]});
    const Tensor y = exact_conv2d(attrs, x, w);
    size_t i = 0;
    for (int64_t oc = 0; oc < y.dim(1); ++oc) {
      for (int64_t oh = 0; oh < y.dim(2); ++oh) {
        for (int64_t ow = 0; ow < y.dim(3); ++ow, ++i) {
          ASSERT_EQ(y.data<float>()[i], sum_at(attrs, x, w, oc, oh, ow)) << "round " << round;
        }
      }
    }
  }
}

// oneDNN's dense layer sums in an order of its own on every machine.
TEST(ExactConv2dTranspose, IsAConvolutionOfASpreadInput) {
  OpAttrs attrs;
  attrs.kernel = {3, 4};
  attrs.stride = {2, 3};
  attrs.pad = {1, 0, 0, 2};
  attrs.output_pad = {1, 0};
  attrs.groups = 2;
  Random random(7);
  const Tensor x = test::random_float(random, {1, 4, 3, 2});
  const Tensor w = test::random_float(random, {4, 3, 3, 4});
  const Tensor exact = exact_conv2d_transpose(attrs, x, w);
  const Tensor plain = host::execute(OpKind::kConv2dTranspose, attrs, {x, w});
  ASSERT_EQ(exact.type(), plain.type());
  for (int64_t i = 0; i < exact.num_elems(); ++i) {
    EXPECT_NEAR(exact.data<float>()[i], plain.data<float>()[i], 1e-5) << i;
  }
}

TEST(MeasureBatchNorms, SumsADenseLayerInOrderToo) {
  constexpr int64_t kInputs = 999;
  Random random(5);
  std::vector<float> x(kInputs), w(kInputs);
  float sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(random.normal());
    w[i] = static_cast<float>(random.normal());
    const float product = x[i] * w[i];
    sum += product;
  }
  graph::Graph graph;
  const graph::NodeId input = graph.add_input("x", {DType::kFloat32, {1, kInputs}});
  const graph::NodeId dense =
      graph.add(OpKind::kDense, "fc", {input, graph.add_constant("w", Tensor({1, kInputs}, w))});
  std::vector<graph::NodeId> operands = {dense};
  for (const char* name : {"gamma", "beta", "mean", "variance"})
    operands.push_back(graph.add_constant(name, Tensor({1}, std::vector<float>{1})));
  graph.set_outputs({graph.add(OpKind::kBatchNorm, "norm", operands)});
  measure_batch_norms(graph, Tensor({1, kInputs}, x));
  EXPECT_EQ(graph.node(operands[3]).value.data<float>()[0], sum);
}

}  // namespace
}  // namespace vta::import
