// SPDX-License-Identifier: Apache-2.0
//
// Random graphs of all operators and views of the core, on every core in every mode, compared with
// the integer reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "compiler/lower/passes.h"
#include "configs/core_config.h"
#include "tests/support/random_leak.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

class RandomGraph {
 public:
  RandomGraph(uint64_t seed, const CoreConfig& core)
      : random_(seed), block_(core.block_in), batch_(core.batch) {}

  Graph build() {
    const std::vector<int64_t> shape = {random_.between(1, batch_), channels(),
                                        random_.between(1, 9), random_.between(1, 9)};
    values_ = {graph_.add_input("x", {DType::kInt8, shape})};
    x = tensor<int8_t>(shape, -127, 127);
    const int64_t num_layers = random_.between(2, 9);
    while (static_cast<int64_t>(values_.size()) <= num_layers) {
      if (const NodeId id = layer(); id >= 0) values_.push_back(id);
    }
    std::vector<NodeId> outputs = {values_.back()};
    if (random_.chance(40)) outputs.push_back(dense(values_.back()));
    for (NodeId id : values_) {
      const bool is_input = graph_.node(id).kind == OpKind::kInput;
      if (!is_input && id != outputs[0] && random_.chance(25)) outputs.push_back(id);
    }
    graph_.set_outputs(outputs);
    return std::move(graph_);
  }

  Tensor x;

 private:
  template <typename T>
  Tensor tensor(std::vector<int64_t> shape, int64_t low, int64_t high) {
    Tensor result(TensorType{dtype_of<T>(), std::move(shape)});
    for (T& value : result.mutable_data<T>()) value = static_cast<T>(random_.between(low, high));
    return result;
  }
  std::string name(const std::string& what) { return fmt::format("{}{}", what, counter_++); }
  const std::vector<int64_t>& shape(NodeId id) { return graph_.node(id).type.shape; }
  int64_t channels() {
    return random_.chance(60) ? block_ * random_.between(1, 3) : random_.between(1, 3 * block_);
  }
  NodeId any() {
    const auto newest = static_cast<int64_t>(values_.size()) - 1;
    return values_[static_cast<size_t>(random_.between(random_.chance(50) ? newest : 0, newest))];
  }

  NodeId layer() {
    switch (random_.between(0, 15)) {
      case 0:
        return add();
      case 1:
        return pool(any());
      case 12:
        return average_pool();
      case 13:
        return resize(any());
      case 14:
        return activation();
      case 15:
        return product();
      case 10:
      case 11:
        return pool_of_convolution();
      case 2:
      case 3:
      case 4:
        return concat();
      case 5:
        return random_.chance(60) ? slice() : shuffle();
      default:
        return conv();
    }
  }

  void draw_requantization(OpAttrs& attrs) {
    attrs.relu = random_.chance(50);
    attrs.lo = attrs.relu ? 0 : -127;
    attrs.hi = 127;
    if (random_.chance(30)) test::draw_leak(random_, attrs);
  }
  void scale_freely(OpAttrs& attrs) {
    attrs.scaled = true;
    attrs.relu = false;
    attrs.lo = random_.chance(50) ? -128 : random_.between(-128, 0);
    attrs.pre_shift = random_.chance(60) ? 0 : random_.between(1, 4);
    attrs.shift = random_.between(12, 16);
    attrs.zero = random_.chance(60) ? random_.between(-128, 127) : 0;
    test::draw_leak_zero(random_, attrs);
  }

  NodeId conv() {
    const NodeId source = any();
    const int64_t ic = shape(source)[1];
    const bool transposed = random_.chance(20), depthwise = random_.chance(30);
    OpAttrs attrs;
    attrs.groups = depthwise ? ic : 1;
    const int64_t oc = depthwise ? ic : channels();
    for (size_t axis = 0; axis < 2; ++axis) {
      attrs.kernel[axis] = random_.between(1, 3);
      attrs.stride[axis] = random_.chance(70) ? 1 : 2;
      attrs.pad[axis] = attrs.pad[axis + 2] = attrs.kernel[axis] / 2;
      const int64_t size = shape(source)[2 + axis];
      if (transposed && (size - 1) * attrs.stride[axis] + attrs.kernel[axis] > 20) return -1;
    }
    if (transposed) attrs.pad = {0, 0, 0, 0};
    draw_requantization(attrs);
    const std::string layer = name("conv");
    const std::vector<int64_t> weights =
        transposed ? std::vector<int64_t>{ic, oc / attrs.groups, attrs.kernel[0], attrs.kernel[1]}
                   : std::vector<int64_t>{oc, ic / attrs.groups, attrs.kernel[0], attrs.kernel[1]};
    std::vector<NodeId> inputs = {
        source, graph_.add_constant(layer + ".w", tensor<int8_t>(weights, -30, 30)),
        graph_.add_constant(layer + ".b", tensor<int32_t>({oc}, -3000, 3000))};
    if (!transposed && random_.chance(30)) {
      scale_freely(attrs);
      inputs.push_back(graph_.add_constant(layer + ".n", tensor<int32_t>({oc}, 0, 300)));
    } else if (random_.chance(30)) {
      inputs.push_back(graph_.add_constant(layer + ".n", tensor<int32_t>({oc}, 0, 12)));
    } else {
      attrs.shift = random_.between(5, 8);
    }
    return graph_.add(transposed ? OpKind::kQConv2dTranspose : OpKind::kQConv2d, layer, inputs,
                      attrs);
  }

  NodeId add() {
    const NodeId a = any();
    for (NodeId b : values_) {
      if (shape(b) != shape(a)) continue;
      OpAttrs attrs;
      attrs.shift = 1;
      draw_requantization(attrs);
      if (random_.chance(40)) {
        scale_freely(attrs);
        attrs.zero = attrs.pre_shift = 0;
        attrs.factor_a = random_.between(0, 9000);
        attrs.factor_b = random_.between(0, 9000);
        attrs.addend = random_.between(-900000, 900000);
      }
      return graph_.add(OpKind::kQAdd, name("add"), {a, b}, attrs);
    }
    return -1;
  }

  // An activation or a requantization.
  NodeId activation() {
    const NodeId source = any();
    OpAttrs attrs;
    attrs.shift_a = attrs.shift_b = random_.chance(50) ? 0 : random_.between(0, 4);
    if (random_.chance(20)) attrs.shift_b = random_.between(0, 4);
    attrs.shift = random_.between(-2, 6);
    draw_requantization(attrs);
    return graph_.add(OpKind::kQAdd, name("activation"), {source, source}, attrs);
  }

  // A value times itself, possibly gated, or times a factor for each channel.
  NodeId product() {
    const NodeId source = any();
    OpAttrs attrs;
    draw_requantization(attrs);
    if (random_.chance(40)) {
      attrs.gate = random_.between(1, 2000);
      attrs.addend = random_.between(-200, 2000);
      attrs.factor_a = random_.between(1, ((int64_t{1} << 30) - 1) / (128 * attrs.gate) / 100 + 1);
      attrs.shift = random_.between(10, 24);
    } else {
      attrs.shift = random_.between(-1, 9);
    }
    if (attrs.gate != 0 || random_.chance(30))
      return graph_.add(OpKind::kQMul, name("product"), {source, source}, attrs);
    OpAttrs pool;
    pool.kernel = {shape(source)[2], shape(source)[3]};
    const NodeId factor = graph_.add(OpKind::kQAvgPool2d, name("factor"), {source}, pool);
    if (random_.chance(50))
      return graph_.add(OpKind::kQMul, name("product"), {factor, source}, attrs);
    return graph_.add(OpKind::kQMul, name("product"), {source, factor}, attrs);
  }

  // Mostly by whole factors, which the core takes.
  NodeId resize(NodeId source) {
    OpAttrs attrs;
    for (size_t axis = 0; axis < 2; ++axis) {
      const int64_t in = shape(source)[2 + axis];
      attrs.out[axis] = random_.chance(85) ? in * random_.between(1, 3) : random_.between(1, 20);
      if (attrs.out[axis] > 20) return -1;
    }
    constexpr Coordinates kCoordinates[] = {Coordinates::kHalfPixel, Coordinates::kAsymmetric,
                                            Coordinates::kAlignCorners};
    constexpr Rounding kRoundings[] = {Rounding::kRoundPreferFloor, Rounding::kFloor};
    attrs.coordinates = kCoordinates[random_.between(0, 2)];
    attrs.rounding = kRoundings[random_.between(0, 1)];
    return graph_.add(OpKind::kResize2d, name("resize"), {source}, attrs);
  }

  // The pool is the convolution's only use.
  NodeId pool_of_convolution() {
    const NodeId source = conv();
    return source < 0 ? -1 : pool(source);
  }

  NodeId pool(NodeId source) {
    OpAttrs attrs;
    for (size_t axis = 0; axis < 2; ++axis) {
      const int64_t size = shape(source)[2 + axis];
      attrs.kernel[axis] = random_.between(1, std::min<int64_t>(3, size));
      attrs.stride[axis] = random_.between(1, 3);
      if (size > 2 * (attrs.kernel[axis] - 1) && random_.chance(20)) attrs.dilation[axis] = 2;
      attrs.pad[axis] = random_.between(0, (attrs.kernel[axis] - 1) / 2);
      attrs.pad[axis + 2] = random_.between(0, attrs.kernel[axis] - 1);
    }
    attrs.ceil_mode = random_.chance(30);
    return graph_.add(OpKind::kMaxPool2d, name("pool"), {source}, attrs);
  }

  // A third are global.
  NodeId average_pool() {
    const NodeId source = any();
    const bool is_global = random_.chance(33);
    OpAttrs attrs;
    for (size_t axis = 0; axis < 2; ++axis) {
      const int64_t size = shape(source)[2 + axis];
      attrs.kernel[axis] = is_global ? size : random_.between(1, std::min<int64_t>(5, size));
      attrs.stride[axis] = random_.between(1, 3);
      const int64_t space = (size - 1) / std::max<int64_t>(attrs.kernel[axis] - 1, 1);
      attrs.dilation[axis] = random_.chance(80) ? 1 : std::clamp<int64_t>(space, 1, 2);
      if (is_global) continue;
      const int64_t reach = (attrs.kernel[axis] - 1) * attrs.dilation[axis];
      attrs.pad[axis] = random_.between(0, reach);
      attrs.pad[axis + 2] = random_.between(0, reach);
    }
    attrs.ceil_mode = random_.chance(30);
    attrs.count_include_pad = random_.chance(50);
    if (random_.chance(50)) {
      attrs.ratio = random_.between(1, 300) / 100.0;
      attrs.zero = random_.between(-128, 127);
      attrs.result_zero = random_.between(-128, 127);
    } else {
      attrs.shift = random_.between(-3, 3);
    }
    return graph_.add(OpKind::kQAvgPool2d, name("average"), {source}, attrs);
  }

  // Values of one size, possibly one value twice.
  NodeId concat() {
    std::vector<NodeId> parts = {any()};
    for (int64_t i = random_.between(1, 4); i > 0; --i) {
      const NodeId other = any();
      const auto size = [&](NodeId id) { return std::pair(shape(id)[2], shape(id)[3]); };
      if (size(other) == size(parts[0])) parts.push_back(other);
    }
    int64_t sum = 0;
    for (NodeId part : parts) sum += shape(part)[1];
    if (parts.size() < 2 || sum > 12 * block_) return -1;
    OpAttrs attrs;
    attrs.axis = random_.chance(50) ? 1 : -3;
    return graph_.add(OpKind::kConcat, name("concat"), parts, attrs);
  }

  NodeId slice() {
    const NodeId source = any();
    OpAttrs attrs;
    attrs.begin = {0, 0, 0, 0};
    attrs.end = shape(source);
    attrs.step = {1, 1, 1, 1};
    const int64_t c = attrs.end[1];
    attrs.begin[1] = random_.chance(70) ? random_.between(0, (c - 1) / block_) * block_
                                        : random_.between(0, c - 1);
    attrs.end[1] = random_.between(attrs.begin[1] + 1, c);
    return graph_.add(OpKind::kStridedSlice, name("slice"), {source}, attrs);
  }

  NodeId shuffle() {
    const NodeId source = any();
    const std::vector<int64_t> s = shape(source);
    const int64_t groups = random_.between(2, 4);
    if (s[1] % groups != 0) return -1;
    OpAttrs split, swap, join;
    split.shape = {s[0], groups, s[1] / groups, s[2], s[3]};
    swap.perm = {0, 2, 1, 3, 4};
    join.shape = s;
    const NodeId a = graph_.add(OpKind::kReshape, name("split"), {source}, split);
    const NodeId b = graph_.add(OpKind::kTranspose, name("swap"), {a}, swap);
    return graph_.add(OpKind::kReshape, name("shuffle"), {b}, join);
  }

  NodeId dense(NodeId image) {
    const NodeId flat = graph_.add(OpKind::kFlatten, name("flat"), {image});
    OpAttrs attrs;
    attrs.shift = 9;
    draw_requantization(attrs);
    const int64_t ic = shape(flat)[1], oc = random_.between(1, 2 * block_);
    const std::string layer = name("dense");
    const NodeId w = graph_.add_constant(layer + ".w", tensor<int8_t>({oc, ic}, -30, 30));
    const NodeId b = graph_.add_constant(layer + ".b", tensor<int32_t>({oc}, -3000, 3000));
    return graph_.add(OpKind::kQDense, layer, {flat, w, b}, attrs);
  }

  Random random_;
  const int64_t block_, batch_;
  Graph graph_;
  std::vector<NodeId> values_;  // images
  int counter_ = 0;
};

class RandomGraphs : public testing::TestWithParam<std::string> {};

TEST_P(RandomGraphs, AreBitIdenticalToTheReferenceInEveryMode) {
  const int count = static_cast<int>(support::test_count(200));
  int64_t views = 0, copies = 0, pools = 0, fused_pools = 0, averages = 0, resizes = 0,
          products = 0;
  for (int seed = 1; seed <= count; ++seed) {
    const CoreConfig core = core_named(GetParam());
    RandomGraph random(static_cast<uint64_t>(seed), core);
    Graph graph = random.build();
    const std::vector<Tensor> expected = run_by_reference(graph, {random.x});
    if (seed % 3 == 0) lower::move_channels(graph, core);
    lower::unflatten_dense(graph, core);
    lower::partition(graph, core, {seed % 2 == 0 ? Place::kCore : Place::kHost});
    for (const Way& way : kWays) {
      SCOPED_TRACE(
          fmt::format("{}, seed {}, {}:\n{}", GetParam(), seed, way.name, graph::to_text(graph)));
      CoreRun run;
      ASSERT_NO_THROW(
          run = run_on_core(graph, core_named(GetParam(), way.extension), way.mode, {random.x}));
      check(run.lowered.program);
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_TRUE(std::ranges::equal(run.outputs.at(i).bytes(), expected[i].bytes()))
            << "output " << i;
      }
      fused_pools += std::ranges::count_if(
          run.lowered.program.steps, [](const ProgramStep& step) { return step.pool.has_value(); });
      for (const lower::LayerPlan& layer : run.lowered.layers) {
        views += layer.tiles == "in place";
        copies += layer.tiles.starts_with("copy");
        pools += layer.on_core && layer.op == OpKind::kMaxPool2d;
        resizes += layer.on_core && layer.op == OpKind::kResize2d;
        products += layer.on_core && layer.op == OpKind::kQMul;
        averages += layer.on_core && layer.op == OpKind::kQAvgPool2d;
      }
    }
  }
  EXPECT_GE(views, count);
  EXPECT_GE(copies, count / 20);
  EXPECT_GE(pools, count / 20);
  EXPECT_GE(fused_pools, count / 5);
  EXPECT_GE(averages, count / 4);
  EXPECT_GE(resizes, count / 10);
  EXPECT_GE(products, count / 10);
}

INSTANTIATE_TEST_SUITE_P(Cores, RandomGraphs, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
