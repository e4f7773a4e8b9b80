// SPDX-License-Identifier: Apache-2.0
#include "tests/support/onnx_of_graph.h"

#include <algorithm>
#include <string>

#include "base/numbers/random.h"
#include "tests/onnx/model_builder.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::Node;
using onnx::Attributes;
using onnx::Names;

// Older ones have no dilated AveragePool.
constexpr int64_t kOpsets[] = {13, 15, 17, 18, 19, 21};
constexpr int64_t kOpsetOfDilatedAverages = 19;

std::vector<double> numbers(const auto& values) { return {values.begin(), values.end()}; }
std::vector<int64_t> list(const auto& values) { return {values.begin(), values.end()}; }

Attributes window_of(const OpAttrs& attrs) {
  Attributes result = {{"kernel_shape", list(attrs.kernel)},
                       {"strides", list(attrs.stride)},
                       {"pads", list(attrs.pad)}};
  if (attrs.dilation[0] != 1 || attrs.dilation[1] != 1)
    result.push_back({"dilations", list(attrs.dilation)});
  return result;
}

int64_t opset_for(const Graph& graph, Random& random) {
  int64_t opset = kOpsets[random.between(0, std::ssize(kOpsets) - 1)];
  for (const graph::NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (node.kind == OpKind::kAvgPool2d && node.attrs.dilation != std::array<int64_t, 2>{1, 1})
      opset = std::max(opset, kOpsetOfDilatedAverages);
  }
  return opset;
}

class Writer {
 public:
  Writer(const Graph& graph, uint64_t seed)
      : graph_(graph), random_(seed), builder_(opset_for(graph, random_)) {}

  std::vector<uint8_t> write() {
    for (const graph::NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      Names inputs;
      for (const graph::NodeId input : node.inputs) inputs.push_back(graph_.node(input).name);
      add(node, inputs);
    }
    for (const graph::NodeId id : graph_.outputs()) builder_.output(graph_.node(id).name);
    return builder_.bytes();
  }

 private:
  void node(const Node& of, const std::string& op, const Names& inputs,
            const Attributes& attributes = {}) {
    builder_.node(op, inputs, {of.name}, attributes);
  }
  std::string integers(const Node& of, const char* what, const auto& values) {
    const std::string name = of.name + "." + what;
    builder_.integers(name, numbers(values));
    return name;
  }
  std::string number(const Node& of, const char* what, double value) {
    const std::string name = of.name + "." + what;
    builder_.floats(name, {}, {value});
    return name;
  }

  void add(const Node& of, const Names& inputs) {
    switch (of.kind) {
      case OpKind::kInput:
        builder_.input(of.name, of.type.shape);
        return;
      case OpKind::kConstant:
        builder_.floats(of.name, of.value.type().shape, numbers(of.value.data<float>()));
        return;
      case OpKind::kAdd:
        return node(of, "Add", inputs);
      case OpKind::kGlobalAvgPool2d:
        return node(of, "GlobalAveragePool", inputs);
      case OpKind::kFlatten:
        return node(of, "Flatten", inputs);
      case OpKind::kLeakyRelu:
        return node(of, "LeakyRelu", inputs, {{"alpha", static_cast<float>(of.attrs.alpha)}});
      case OpKind::kRelu:
      case OpKind::kClip:
        return add_clip(of, inputs);
      case OpKind::kMaxPool2d:
      case OpKind::kAvgPool2d:
      case OpKind::kConv2d:
        return add_window(of, inputs);
      case OpKind::kDense:
        return add_dense(of, inputs);
      default:
        return add_movement(of, inputs);
    }
  }

  void add_clip(const Node& of, const Names& inputs) {
    if (of.kind == OpKind::kClip) {
      node(of, "Clip", {inputs[0], number(of, "lo", of.attrs.lo), number(of, "hi", of.attrs.hi)});
    } else if (random_.chance(70)) {
      node(of, "Relu", inputs);
    } else {
      node(of, "Max", {inputs[0], number(of, "zero", 0)});
    }
  }

  void add_window(const Node& of, const Names& inputs) {
    Attributes attributes = window_of(of.attrs);
    if (of.kind == OpKind::kConv2d) attributes.push_back({"group", of.attrs.groups});
    if (of.kind == OpKind::kAvgPool2d)
      attributes.push_back({"count_include_pad", int64_t{of.attrs.count_include_pad}});
    const char* const op = of.kind == OpKind::kConv2d      ? "Conv"
                           : of.kind == OpKind::kMaxPool2d ? "MaxPool"
                                                           : "AveragePool";
    node(of, op, inputs, attributes);
  }

  // The graph's weights are [out, in].
  void add_dense(const Node& of, const Names& inputs) {
    if (random_.chance(50)) return node(of, "Gemm", inputs, {{"transB", int64_t{1}}});
    const Tensor& weights = graph_.node(of.inputs[1]).value;
    const int64_t out = weights.type().shape[0], in = weights.type().shape[1];
    std::vector<double> transposed;
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t o = 0; o < out; ++o)
        transposed.push_back(weights.data<float>()[static_cast<size_t>(o * in + i)]);
    }
    const std::string name = of.name + ".transposed";
    builder_.floats(name, {in, out}, transposed);
    node(of, random_.chance(50) ? "MatMul" : "Gemm", {inputs[0], name});
  }

  void add_movement(const Node& of, const Names& inputs) {
    const OpAttrs& attrs = of.attrs;
    if (of.kind == OpKind::kPad) {
      std::vector<int64_t> pads = attrs.before;
      pads.insert(pads.end(), attrs.after.begin(), attrs.after.end());
      node(of, "Pad", {inputs[0], integers(of, "pads", pads)});
    } else if (of.kind == OpKind::kStridedSlice) {
      const std::vector<int64_t> axes = {0, 1, 2, 3};
      node(of, "Slice",
           {inputs[0], integers(of, "begin", attrs.begin), integers(of, "end", attrs.end),
            integers(of, "axes", axes), integers(of, "step", attrs.step)});
    } else {
      VTA_ASSERT(of.kind == OpKind::kResize2d, "an operator that RandomNetwork has not");
      const std::vector<int64_t> sizes = {of.type.shape[0], of.type.shape[1], attrs.out[0],
                                          attrs.out[1]};
      node(of, "Resize", {inputs[0], "", "", integers(of, "sizes", sizes)},
           {{"mode", std::string("nearest")},
            {"coordinate_transformation_mode", std::string("asymmetric")},
            {"nearest_mode", std::string("floor")}});
    }
  }

  const Graph& graph_;
  Random random_;
  onnx::ModelBuilder builder_;
};

}  // namespace

std::vector<uint8_t> onnx_of(const Graph& graph, uint64_t seed) {
  return Writer(graph, seed).write();
}

}  // namespace vta::test
