// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/build_graph.h"

#include <algorithm>
#include <map>

#include "base/errors/error.h"
#include "compiler/onnx/graph_limits.h"

namespace vta::import {
namespace {

using graph::NodeId;
using onnx::kMaxConstantElems;
using onnx::kMaxOperations;
using onnx::kMaxResultElems;

// Each pixel of the result gets one product per `stride` kernel positions and axis.
int64_t transposed_fan_in(const LayerDescription& layer, int64_t channels) {
  const auto& [kh, kw] = layer.attrs.kernel;
  const auto& [sh, sw] = layer.attrs.stride;
  return std::max<int64_t>(channels / layer.attrs.groups * kh * kw / std::max<int64_t>(sh * sw, 1),
                           1);
}

std::vector<Parameter> parameters_of(const LayerDescription& layer, const TensorType& input) {
  using Role = Parameter::Role;
  const auto named = [&](const char* suffix, Role role, std::vector<int64_t> shape) {
    return Parameter{layer.params + "." + suffix, role, std::move(shape)};
  };
  // For an input with too few axes; infer_type() then refuses it.
  const int64_t channels = input.shape.size() > 1 ? input.shape[1] : 1;
  std::vector<Parameter> parameters;
  if (layer.kind == OpKind::kConv2d) {
    parameters.push_back(named("weight", Role::kWeight,
                               {layer.channels, std::max<int64_t>(channels / layer.attrs.groups, 1),
                                layer.attrs.kernel[0], layer.attrs.kernel[1]}));
  } else if (layer.kind == OpKind::kConv2dTranspose) {
    parameters.push_back(named("weight", Role::kWeight,
                               {channels, std::max<int64_t>(layer.channels / layer.attrs.groups, 1),
                                layer.attrs.kernel[0], layer.attrs.kernel[1]}));
    parameters.back().fan_in = transposed_fan_in(layer, channels);
  } else if (layer.kind == OpKind::kDense) {
    parameters.push_back(named("weight", Role::kWeight, {layer.channels, channels}));
  } else if (layer.kind == OpKind::kBatchNorm) {
    parameters = {named("weight", Role::kGamma, {channels}), named("bias", Role::kBeta, {channels}),
                  named("running_mean", Role::kMean, {channels}),
                  named("running_var", Role::kVariance, {channels})};
  }
  if (layer.bias) parameters.push_back(named("bias", Role::kBias, {layer.channels}));
  return parameters;
}

class Builder {
 public:
  Builder(const NetworkDescription& network, const ParameterSource& source)
      : network_(network), source_(source) {}

  graph::Graph build() {
    graph_.name = network_.name;
    ids_[network_.input_name] =
        graph_.add_input(network_.input_name, {DType::kFloat32, network_.input_shape});
    check_elems("input", network_.input_shape);
    for (const LayerDescription& layer : network_.layers) {
      with_context(fmt::format("layer '{}'", layer.name), [&] { add_layer(layer); });
    }
    refuse_unused_layers();
    refuse_clashing_names();
    graph_.set_outputs(outputs());
    return std::move(graph_);
  }

 private:
  // The output size of a resize2d that has only a scale.
  static void complete(const TensorType& input, OpKind kind, OpAttrs& attrs) {
    if (kind != OpKind::kResize2d || attrs.out[0] != 0 || input.shape.size() != 4) return;
    for (size_t i = 0; i < 2; ++i) {
      attrs.out[i] = static_cast<int64_t>(static_cast<double>(input.shape[2 + i]) * attrs.scale[i]);
    }
  }

  void add_layer(LayerDescription layer) {
    if (ids_.count(layer.name) != 0) {
      fail(ErrorCode::kInvalidArgument, "field 'name': duplicate name of a layer or the input");
    }
    std::vector<NodeId> inputs;
    for (const std::string& name : layer.inputs) inputs.push_back(find(name));
    complete(graph_.node(inputs[0]).type, layer.kind, layer.attrs);
    const std::vector<Parameter> parameters = parameters_of(layer, graph_.node(inputs[0]).type);
    check_types(layer, inputs, parameters);
    for (const Parameter& parameter : parameters) inputs.push_back(constant(parameter));
    ids_[layer.name] = graph_.add(layer.kind, layer.name, std::move(inputs), layer.attrs);
  }

  NodeId find(const std::string& name) {
    const auto found = ids_.find(name);
    if (found == ids_.end()) {
      fail(ErrorCode::kInvalidArgument,
           "field 'inputs': '{}' is neither the input nor a previous layer", name.substr(0, 128));
    }
    used_.insert(name);
    return found->second;
  }

  // Before parameters are created, which may be large.
  void check_types(const LayerDescription& layer, const std::vector<NodeId>& inputs,
                   const std::vector<Parameter>& parameters) {
    std::vector<TensorType> types;
    for (NodeId input : inputs) types.push_back(graph_.node(input).type);
    for (const Parameter& parameter : parameters) {
      types.push_back({DType::kFloat32, parameter.shape});
    }
    const TensorType result = infer_type(layer.kind, layer.attrs, types);
    check_elems("its result", result.shape);
    num_operations_ += onnx::operations(layer.kind, layer.attrs, types, result);
    if (num_operations_ > kMaxOperations) {
      fail(ErrorCode::kInvalidArgument, "more than {} operations up to this layer", kMaxOperations);
    }
  }

  void check_elems(const char* what, const std::vector<int64_t>& shape) const {
    int64_t count = 1;
    for (int64_t dim : shape) {
      if (count > kMaxResultElems / dim) {
        fail(ErrorCode::kInvalidArgument, "{} has shape [{}], more than {} elements", what,
             fmt::join(shape, ", "), kMaxResultElems);
      }
      count *= dim;
    }
  }

  NodeId constant(const Parameter& parameter) {
    const auto known = constants_.find(parameter.name);
    if (known != constants_.end()) {
      if (graph_.node(known->second).type.shape != parameter.shape) {
        fail(ErrorCode::kInvalidArgument,
             "parameter '{}' has shape [{}] here and {} in another layer", parameter.name,
             fmt::join(parameter.shape, ", "), to_string(graph_.node(known->second).type));
      }
      return known->second;
    }
    const TensorType type = {DType::kFloat32, parameter.shape};
    num_parameter_elems_ += type.num_elems();
    if (num_parameter_elems_ > kMaxConstantElems) {
      fail(ErrorCode::kInvalidArgument, "{} parameters up to this layer, at most {} are supported",
           num_parameter_elems_, kMaxConstantElems);
    }
    const NodeId id = graph_.add_constant(parameter.name, source_(parameter));
    constants_[parameter.name] = id;
    return id;
  }

  std::vector<NodeId> outputs() {
    std::vector<NodeId> outputs;
    for (const std::string& name : network_.outputs) {
      const auto found = ids_.find(name);
      if (found == ids_.end() || name == network_.input_name ||
          std::ranges::count(outputs, found->second) != 0) {
        fail(ErrorCode::kInvalidArgument,
             "field 'outputs': '{}' is not a layer, or is listed twice", name.substr(0, 128));
      }
      outputs.push_back(found->second);
    }
    return outputs;
  }

  void refuse_unused_layers() const {
    for (const LayerDescription& layer : network_.layers) {
      const bool is_output = std::ranges::count(network_.outputs, layer.name) != 0;
      if (is_output || used_.count(layer.name) != 0) continue;
      fail(ErrorCode::kInvalidArgument, "layer '{}' is neither used nor an output", layer.name);
    }
    if (used_.count(network_.input_name) == 0) {
      fail(ErrorCode::kInvalidArgument, "input '{}' is not used", network_.input_name);
    }
  }

  void refuse_clashing_names() const {
    for (const auto& [name, id] : constants_) {
      if (ids_.count(name) == 0) continue;
      fail(ErrorCode::kInvalidArgument, "layer '{}' has the name of a parameter", name);
    }
  }

  const NetworkDescription& network_;
  const ParameterSource& source_;
  graph::Graph graph_;
  std::map<std::string, NodeId> ids_;        // input and layers
  std::map<std::string, NodeId> constants_;  // parameters
  std::set<std::string> used_;
  int64_t num_parameter_elems_ = 0;
  int64_t num_operations_ = 0;
};

}  // namespace

graph::Graph build_graph(const NetworkDescription& network, const ParameterSource& source) {
  return Builder(network, source).build();
}

}  // namespace vta::import
