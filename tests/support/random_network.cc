// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_network.h"

#include <algorithm>
#include <cmath>

namespace vta::test {

using graph::Graph;
using graph::NodeId;

Graph RandomNetwork::build() {
  const int64_t size = odd_ ? random_.between(1, 13) : 8;
  values_ = {graph_.add_input(
      "data", {DType::kFloat32,
               {1, random_.between(1, odd_ ? 40 : 5), size, odd_ ? random_.between(1, 13) : 8}})};
  const int64_t num_layers = random_.between(2, 8);
  for (int64_t i = 0; i < num_layers; ++i) values_.push_back(layer());
  NodeId x = values_.back();
  if (odd_ && random_.chance(30)) {
    graph_.set_outputs({x});
    return std::move(graph_);
  }
  if (random_.chance(50)) x = graph_.add(OpKind::kGlobalAvgPool2d, name("average"), {x});
  x = graph_.add(OpKind::kFlatten, name("flatten"), {x});
  for (int64_t i = random_.between(0, odd_ ? 4 : 2); i > 0; --i) {
    x = dense(x);
    if (i > 1) x = graph_.add(OpKind::kRelu, name("relu"), {x});
  }
  graph_.set_outputs({x});
  return std::move(graph_);
}

Tensor RandomNetwork::tensor(std::vector<int64_t> shape, double deviation) {
  Tensor result(TensorType{DType::kFloat32, std::move(shape)});
  for (float& x : result.mutable_data<float>()) {
    x = static_cast<float>(random_.normal() * deviation);
  }
  return result;
}

NodeId RandomNetwork::layer() {
  const auto newest = static_cast<int64_t>(values_.size()) - 1;
  const NodeId x =
      values_[static_cast<size_t>(random_.between(random_.chance(70) ? newest : 0, newest))];
  switch (random_.between(0, odd_ ? 10 : 6)) {
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
    case 7:
      return slice(x);
    case 8:
      return leaky(x);
    case 9:
      return upsampling(x);
    default:
      return conv(x);
  }
}

OpAttrs RandomNetwork::window() {
  OpAttrs attrs;
  const int64_t size = random_.between(1, 3);
  attrs.kernel = {size, size};
  attrs.pad = {size / 2, size / 2, size / 2, size / 2};
  return attrs;
}

OpAttrs RandomNetwork::odd_window(NodeId x) {
  OpAttrs attrs;
  for (size_t axis = 0; axis < 2; ++axis) {
    attrs.kernel[axis] = random_.between(1, random_.chance(80) ? 3 : 7);
    attrs.stride[axis] = random_.chance(70) ? 1 : random_.between(1, 3);
    attrs.dilation[axis] = random_.chance(85) ? 1 : 2;
    const int64_t reach = (attrs.kernel[axis] - 1) * attrs.dilation[axis] + 1;
    attrs.pad[axis] = random_.between(0, reach / 2);
    // At least one window fits.
    attrs.pad[axis + 2] =
        std::max(random_.between(0, reach / 2), reach - attrs.pad[axis] - shape(x)[axis + 2]);
  }
  return attrs;
}

NodeId RandomNetwork::conv(NodeId x) {
  OpAttrs attrs = odd_ ? odd_window(x) : window();
  const int64_t ic = shape(x)[1];
  attrs.groups = random_.chance(odd_ ? 10 : 20) ? ic : 1;
  const int64_t most = attrs.groups > 1 ? 2 : odd_ ? 40 : 6;
  const int64_t oc = attrs.groups * random_.between(1, most),
                fan_in = ic / attrs.groups * attrs.kernel[0] * attrs.kernel[1];
  const std::string layer = name("conv");
  const NodeId w = graph_.add_constant(
      layer + ".weight", tensor({oc, ic / attrs.groups, attrs.kernel[0], attrs.kernel[1]},
                                std::sqrt(1.5 / static_cast<double>(fan_in))));
  const NodeId b = graph_.add_constant(layer + ".bias", tensor({oc}, 0.1));
  const auto operands =
      random_.chance(70) ? std::vector<NodeId>{x, w, b} : std::vector<NodeId>{x, w};
  return graph_.add(OpKind::kConv2d, layer, operands, attrs);
}

NodeId RandomNetwork::dense(NodeId x) {
  const int64_t in = shape(x)[1], out = random_.between(2, odd_ ? 40 : 12);
  const std::string layer = name("dense");
  const NodeId w = graph_.add_constant(layer + ".weight",
                                       tensor({out, in}, 1 / std::sqrt(static_cast<double>(in))));
  return graph_.add(OpKind::kDense, layer, {x, w});
}

NodeId RandomNetwork::clip(NodeId x) {
  OpAttrs attrs;
  attrs.lo = random_.chance(50) ? 0 : -1;
  attrs.hi = 2;
  return graph_.add(OpKind::kClip, name("clip"), {x}, attrs);
}

NodeId RandomNetwork::leaky(NodeId x) {
  OpAttrs attrs;
  attrs.alpha = random_.chance(80) ? 0.1 : static_cast<double>(random_.between(0, 15)) / 10;
  return graph_.add(OpKind::kLeakyRelu, name("leaky"), {x}, attrs);
}

NodeId RandomNetwork::upsampling(NodeId x) {
  OpAttrs attrs;
  for (size_t axis = 0; axis < 2; ++axis)
    attrs.out[axis] = shape(x)[2 + axis] * (shape(x)[2 + axis] > 13 ? 1 : random_.between(1, 2));
  attrs.coordinates = Coordinates::kAsymmetric;
  attrs.rounding = Rounding::kFloor;
  return graph_.add(OpKind::kResize2d, name("upsampling"), {x}, attrs);
}

NodeId RandomNetwork::add(NodeId x) {
  for (NodeId other : values_) {
    if (shape(other) == shape(x)) return graph_.add(OpKind::kAdd, name("add"), {x, other});
  }
  return conv(x);
}

NodeId RandomNetwork::pool(NodeId x) {
  OpAttrs attrs;
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  if (odd_) attrs.stride = {random_.between(1, 2), random_.between(1, 2)};
  if (random_.chance(50)) return graph_.add(OpKind::kMaxPool2d, name("pool"), {x}, attrs);
  const bool takes_dilation = std::min(shape(x)[2], shape(x)[3]) > 1;
  if (odd_ && takes_dilation && random_.chance(50)) attrs = odd_window(x);
  attrs.count_include_pad = random_.chance(50);
  return graph_.add(OpKind::kAvgPool2d, name("pool"), {x}, attrs);
}

NodeId RandomNetwork::pad(NodeId x) {
  OpAttrs attrs;
  attrs.before = {0, 1, 0, 0};
  attrs.after = {0, 0, 1, 1};
  return graph_.add(OpKind::kPad, name("pad"), {x}, attrs);
}

// Option A's shortcut: every other pixel, and new channels.
NodeId RandomNetwork::slice(NodeId x) {
  OpAttrs attrs;
  attrs.begin = {0, 0, 0, 0};
  attrs.end = shape(x);
  attrs.step = {1, 1, 2, 2};
  const NodeId slice = graph_.add(OpKind::kStridedSlice, name("slice"), {x}, attrs);
  OpAttrs channels;
  channels.before = channels.after = {0, random_.between(0, 8), 0, 0};
  return graph_.add(OpKind::kPad, name("pad"), {slice}, channels);
}

}  // namespace vta::test
