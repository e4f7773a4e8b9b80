// SPDX-License-Identifier: Apache-2.0
//
// Quantized networks of random layers: legal graphs that compute nearly the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/quantize/quantize.h"
#include "runtime/base/random.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;

constexpr uint64_t kNumNetworks = 150;

class RandomNetwork {
 public:
  explicit RandomNetwork(uint64_t seed) : random_(seed) {}

  Graph build() {
    values_ = {graph_.add_input("data", {DType::kFloat32, {1, random_.between(1, 5), 8, 8}})};
    const int64_t num_layers = random_.between(2, 8);
    for (int64_t i = 0; i < num_layers; ++i) values_.push_back(layer());
    NodeId x = values_.back();
    if (random_.chance(50)) x = graph_.add(OpKind::kGlobalAvgPool2d, name("average"), {x});
    x = graph_.add(OpKind::kFlatten, name("flatten"), {x});
    for (int64_t i = random_.between(0, 2); i > 0; --i) {
      x = dense(x);
      if (i > 1) x = graph_.add(OpKind::kRelu, name("relu"), {x});
    }
    graph_.set_outputs({x});
    return std::move(graph_);
  }

  Tensor tensor(std::vector<int64_t> shape, double scale) {
    Tensor result(TensorType{DType::kFloat32, std::move(shape)});
    for (float& x : result.mutable_data<float>()) x = static_cast<float>(random_.normal() * scale);
    return result;
  }

 private:
  std::string name(const std::string& what) { return fmt::format("{}{}", what, counter_++); }
  const std::vector<int64_t>& shape(NodeId id) { return graph_.node(id).type.shape; }

  NodeId layer() {
    const NodeId x = values_[static_cast<size_t>(
        random_.between(random_.chance(70) ? static_cast<int64_t>(values_.size()) - 1 : 0,
                        static_cast<int64_t>(values_.size()) - 1))];
    switch (random_.between(0, 6)) {
      case 0:
        return graph_.add(OpKind::kRelu, name("relu"), {x});
      case 1:
        return clip(x);
      case 2:
        return add(x);
      case 3:
        return pool(x);
      case 4:
        return pad(x);
      default:
        return conv(x);
    }
  }

  NodeId conv(NodeId x) {
    OpAttrs attrs;
    const int64_t size = random_.between(1, 3), ic = shape(x)[1];
    attrs.kernel = {size, size};
    attrs.pad = {size / 2, size / 2, size / 2, size / 2};
    attrs.groups = random_.chance(20) ? ic : 1;
    const int64_t oc = attrs.groups * random_.between(1, attrs.groups > 1 ? 2 : 6),
                  fan_in = ic / attrs.groups * size * size;
    const std::string layer = name("conv");
    const NodeId w = graph_.add_constant(
        layer + ".weight",
        tensor({oc, ic / attrs.groups, size, size}, std::sqrt(1.5 / static_cast<double>(fan_in))));
    const NodeId b = graph_.add_constant(layer + ".bias", tensor({oc}, 0.1));
    return graph_.add(OpKind::kConv2d, layer,
                      random_.chance(70) ? std::vector<NodeId>{x, w, b} : std::vector<NodeId>{x, w},
                      attrs);
  }

  NodeId dense(NodeId x) {
    const int64_t in = shape(x)[1], out = random_.between(2, 12);
    const std::string layer = name("dense");
    const NodeId w = graph_.add_constant(layer + ".weight",
                                         tensor({out, in}, 1 / std::sqrt(static_cast<double>(in))));
    return graph_.add(OpKind::kDense, layer, {x, w});
  }

  NodeId clip(NodeId x) {
    OpAttrs attrs;
    attrs.lo = random_.chance(50) ? 0 : -1;
    attrs.hi = 2;
    return graph_.add(OpKind::kClip, name("clip"), {x}, attrs);
  }

  NodeId add(NodeId x) {
    for (NodeId other : values_) {
      if (shape(other) == shape(x)) return graph_.add(OpKind::kAdd, name("add"), {x, other});
    }
    return conv(x);
  }

  NodeId pool(NodeId x) {
    OpAttrs attrs;
    attrs.kernel = {3, 3};
    attrs.pad = {1, 1, 1, 1};
    return graph_.add(random_.chance(50) ? OpKind::kMaxPool2d : OpKind::kAvgPool2d, name("pool"),
                      {x}, attrs);
  }

  NodeId pad(NodeId x) {
    OpAttrs attrs;
    attrs.before = {0, 1, 0, 0};
    attrs.after = {0, 0, 1, 1};
    return graph_.add(OpKind::kPad, name("pad"), {x}, attrs);
  }

  Random random_;
  Graph graph_;
  std::vector<NodeId> values_;
  int counter_ = 0;
};

bool is_close(const Tensor& exact, const Tensor& integer) {
  double signal = 0, noise = 0;
  for (int64_t i = 0; i < exact.num_elems(); ++i) {
    const double a = exact.data<float>()[i], b = integer.data<float>()[i];
    signal += a * a;
    noise += (a - b) * (a - b);
  }
  return noise <= signal / 10;
}

struct Tally {
  int close = 0, all = 0;
};

void compare(uint64_t seed, std::map<Method, Tally>& tallies) {
  RandomNetwork network(seed);
  const Graph exact = network.build();
  const std::vector<int64_t> shape = exact.node(exact.inputs()[0]).type.shape;
  std::vector<std::vector<Tensor>> inputs;
  for (int i = 0; i < 3; ++i) inputs.push_back({network.tensor(shape, 1)});
  for (Method method : {Method::kGlobal, Method::kMax, Method::kMse}) {
    const Graph integer = quantize(exact, method, inputs);
    graph::verify(integer);
    for (const auto& input : inputs) {
      const Tensor a = run_graph(exact, input)[0], b = run_graph(integer, input)[0];
      ASSERT_EQ(a.type(), b.type()) << "seed " << seed << "\n" << graph::to_text(integer);
      tallies[method].close += is_close(a, b) ? 1 : 0;
      ++tallies[method].all;
    }
  }
}

// Where positive and negative terms cancel, little of the result is left beside the rounding: such
// networks are few. Steps of 1/16 and a truncated average are coarse for small results.
TEST(RandomNetworks, StayLegalAndMostlyCloseWhenQuantized) {
  std::map<Method, Tally> tallies;
  for (uint64_t seed = 1; seed <= kNumNetworks && !HasFatalFailure(); ++seed)
    compare(seed, tallies);
  EXPECT_GE(tallies[Method::kGlobal].close, 0.85 * tallies[Method::kGlobal].all);
  EXPECT_GE(tallies[Method::kMax].close, 0.95 * tallies[Method::kMax].all);
  EXPECT_GE(tallies[Method::kMse].close, 0.95 * tallies[Method::kMse].all);
}

}  // namespace
}  // namespace vta::quantize
