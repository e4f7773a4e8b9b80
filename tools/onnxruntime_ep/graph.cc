// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/graph.h"

#include <utility>

#include "tools/onnxruntime_ep/options.h"

namespace vta::onnxruntime_ep {
namespace {

// Omitted inputs and outputs are null.
std::string name_of(const Ort::ConstValueInfo& info) {
  return info == nullptr ? "" : info.GetName();
}

}  // namespace

Graph::Graph(const Ort::ConstGraph& graph)
    : model_file_(graph.GetModelPath()), ir_version_(graph.GetOnnxIRVersion()) {
  for (const Ort::OperatorSet& set : graph.GetOperatorSets()) opsets_[set.domain] = set.version;
  for (const Ort::ConstValueInfo& input : graph.GetInputs()) {
    add(input);
    if (!value(input.GetName()).is_constant) inputs_.push_back(input.GetName());
  }
  for (const Ort::ConstValueInfo& output : graph.GetOutputs()) {
    add(output);
    outputs_.insert(output.GetName());
  }
  for (const Ort::ConstNode& node : graph.GetNodes()) {
    Node read{node, node.GetName(), node.GetOperatorType(), node.GetDomain()};
    read.has_subgraphs = !node.GetSubgraphs().empty();
    const std::string provider = node.GetEpName();
    if (provider != kProvider) read.other_provider = provider;
    std::vector<Ort::ConstValueInfo> used = node.GetInputs();
    for (const Ort::ConstValueInfo& input : used) read.inputs.push_back(name_of(input));
    for (const Ort::ConstValueInfo& input : node.GetImplicitInputs()) used.push_back(input);
    for (const Ort::ConstValueInfo& input : used) {
      const std::string name = name_of(input);
      add(input);
      if (!name.empty() && !value(name).is_constant) read.consumed.insert(name);
    }
    for (const Ort::ConstValueInfo& output : node.GetOutputs()) {
      read.outputs.push_back(name_of(output));
      add(output);
    }
    nodes_.push_back(std::move(read));
  }
}

void Graph::add(const Ort::ConstValueInfo& info) {
  const std::string name = name_of(info);
  if (name.empty() || values_.contains(name)) return;
  Value& value = values_[name];
  value.info = info;
  value.is_constant = info.IsConstantInitializer();
  const Ort::ConstTypeInfo type = info.TypeInfo();
  if (type == nullptr || type.GetONNXType() != ONNX_TYPE_TENSOR) return;
  const auto tensor = type.GetTensorTypeAndShapeInfo();
  value.type = tensor.GetElementType();
  value.dims = tensor.GetShape();
  if (!value.dims.empty() && value.dims[0] < 0) value.rows = tensor.GetSymbolicDimensions()[0];
}

}  // namespace vta::onnxruntime_ep
