// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/compiler/quantize/resnet20.h"

#include <algorithm>
#include <cmath>

#include "base/files/array_file.h"
#include "base/files/file.h"
#include "tests/support/shared_data.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

class Builder {
 public:
  explicit Builder(const std::filesystem::path& weights) : arrays_(read_arrays(weights)) {}

  Graph build() {
    graph_.name = "resnet20";
    NodeId x = graph_.add_input("data", {DType::kFloat32, {1, 3, 32, 32}});
    x = relu(convolution(x, "conv1", "bn1", 3, 16, 1));
    int64_t channels = 16;
    for (int layer = 1; layer <= 3; ++layer) {
      for (int block = 0; block < 3; ++block) {
        const int64_t stride = layer > 1 && block == 0 ? 2 : 1;
        x = residual_block(x, fmt::format("layer{}.{}", layer, block), channels, channels * stride,
                           stride);
        channels *= stride;
      }
    }
    x = graph_.add(OpKind::kGlobalAvgPool2d, "pool", {x});
    x = graph_.add(OpKind::kFlatten, "flatten", {x});
    const NodeId w = constant("linear.weight", {10, 64}), b = constant("linear.bias", {10});
    graph_.set_outputs({graph_.add(OpKind::kDense, "linear", {x, w, b})});
    return std::move(graph_);
  }

 private:
  NodeId residual_block(NodeId x, const std::string& name, int64_t ic, int64_t oc, int64_t stride) {
    NodeId y = relu(convolution(x, name + ".conv1", name + ".bn1", ic, oc, stride));
    y = convolution(y, name + ".conv2", name + ".bn2", oc, oc, 1);
    if (stride == 2) x = shortcut(x, name, ic, oc);
    return relu(graph_.add(OpKind::kAdd, name + ".add", {x, y}));
  }

  // Option A: every second pixel, zeros for the new channels.
  NodeId shortcut(NodeId x, const std::string& name, int64_t ic, int64_t oc) {
    const std::vector<int64_t> shape = graph_.node(x).type.shape;
    OpAttrs slice, pad;
    slice.begin = {0, 0, 0, 0};
    slice.end = shape;
    slice.step = {1, 1, 2, 2};
    pad.before = pad.after = {0, (oc - ic) / 2, 0, 0};
    x = graph_.add(OpKind::kStridedSlice, name + ".slice", {x}, slice);
    return graph_.add(OpKind::kPad, name + ".pad", {x}, pad);
  }

  NodeId convolution(NodeId x, const std::string& conv, const std::string& norm, int64_t ic,
                     int64_t oc, int64_t stride) {
    std::vector<float> weights = floats(conv + ".weight");
    std::vector<float> bias = floats(norm + ".bias");
    const std::vector<float> gamma = floats(norm + ".weight"),
                             mean = floats(norm + ".running_mean");
    const std::vector<float> variance = floats(norm + ".running_var");
    const size_t row = weights.size() / bias.size();
    for (size_t o = 0; o < bias.size(); ++o) {
      const double factor = gamma[o] / std::sqrt(double{variance[o]} + 1e-5);
      for (size_t i = o * row; i < (o + 1) * row; ++i)
        weights[i] = static_cast<float>(weights[i] * factor);
      bias[o] = static_cast<float>(bias[o] - mean[o] * factor);
    }
    OpAttrs attrs;
    attrs.kernel = {3, 3};
    attrs.stride = {stride, stride};
    attrs.pad = {1, 1, 1, 1};
    const NodeId w = graph_.add_constant(conv + ".weight", Tensor({oc, ic, 3, 3}, weights));
    const NodeId b = graph_.add_constant(conv + ".bias", Tensor({oc}, bias));
    return graph_.add(OpKind::kConv2d, conv, {x, w, b}, attrs);
  }

  std::vector<float> floats(const std::string& name) const { return arrays_.at(name).to_floats(); }
  NodeId relu(NodeId x) { return graph_.add(OpKind::kRelu, graph_.node(x).name + ".relu", {x}); }
  NodeId constant(const std::string& name, std::vector<int64_t> shape) {
    return graph_.add_constant(name, Tensor(std::move(shape), floats(name)));
  }

  NamedArrays arrays_;
  Graph graph_;
};

}  // namespace

Graph resnet20(const std::filesystem::path& data) {
  return Builder(data / "models/resnet20_cifar.npz").build();
}

CifarImages read_cifar(const std::filesystem::path& file, size_t count) {
  constexpr size_t kPlane = 32 * 32, kRecord = 1 + 3 * kPlane;
  constexpr double kMean[] = {0.485, 0.456, 0.406}, kStddev[] = {0.229, 0.224, 0.225};
  const std::vector<uint8_t> bytes = read_file(file);
  CifarImages result;
  for (size_t first = 0; first + kRecord <= bytes.size() && result.labels.size() < count;
       first += kRecord) {
    std::vector<float> pixels;
    for (size_t i = 0; i < 3 * kPlane; ++i) {
      const size_t c = i / kPlane;
      pixels.push_back(static_cast<float>((bytes[first + 1 + i] / 255.0 - kMean[c]) / kStddev[c]));
    }
    result.inputs.push_back({Tensor({1, 3, 32, 32}, pixels)});
    result.labels.push_back(bytes[first]);
  }
  return result;
}

int argmax(const Tensor& logits) {
  const auto values = logits.data<float>();
  return static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace vta::test
