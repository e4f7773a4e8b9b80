// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/quantized_file.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/errors/counted.h"
#include "base/files/object_reader.h"
#include "base/files/strict_json.h"
#include "compiler/graph/graph_file.h"
#include "compiler/import/network_file.h"

namespace vta::import {
namespace {

constexpr const char* kNetwork = "network";  // the note: a JSON object

Json image_json(const ImageSpec& spec) {
  Json json = {{"channels", spec.channels},
               {"scale", spec.scale},
               {"mean", spec.mean},
               {"stddev", spec.stddev},
               {"filter", spec.filter}};
  if (spec.resize_short_side != 0) json["resize_short_side"] = spec.resize_short_side;
  if (spec.resize[0] != 0) json["resize"] = spec.resize;
  if (spec.letterbox) json["letterbox"] = *spec.letterbox;
  if (spec.layout != ImageSpec().layout) json["layout"] = spec.layout;
  return json;
}

Json output_json(const OutputSpec& spec) {
  Json json = {{"kind", spec.kind}};
  if (spec.kind == "classes") {
    json["top"] = spec.top;
  } else if (spec.kind == "yolo") {
    json["anchors"] = spec.anchors;
    json["min_score"] = spec.min_score;
    json["max_overlap"] = spec.max_overlap;
  } else if (spec.kind == "image") {
    json["scale"] = spec.scale;
    json["offset"] = spec.offset;
  }
  return json;
}

std::vector<TensorType> output_types(const graph::Graph& graph) {
  std::vector<TensorType> types;
  for (graph::NodeId id : graph.outputs()) types.push_back(graph.node(id).type);
  return types;
}

std::string describe(const Network& network) {
  Json json = Json::object();
  json["weights"] = network.weights;
  json["sample"] = network.sample;
  json["labels"] = network.labels;
  json["first_convolution"] =
      network.first_convolution ? to_string(*network.first_convolution) : "";
  json["postprocess"] = output_json(network.output_spec);
  if (network.image) json["image"] = image_json(*network.image);
  if (!network.output_names.empty()) json["output_names"] = network.output_names;
  return json.dump();
}

// Files of results have an array of each name. An ONNX model may list an output twice.
void refuse_equal_names(const std::vector<std::string>& names,
                        const std::vector<graph::NodeId>& outputs) {
  std::map<std::string, graph::NodeId> known;
  for (size_t i = 0; i < names.size(); ++i) {
    if (known.emplace(names[i], outputs[i]).first->second == outputs[i]) continue;
    fail(ErrorCode::kInvalidArgument, "field 'output_names': two outputs have the name '{}'",
         names[i]);
  }
}

void read_description(const std::string& text, Network& network) {
  const Json json = parse_strict_json(text);
  ObjectReader fields(json);
  network.weights = fields.text("weights");
  network.sample = fields.text("sample");
  network.labels = fields.text("labels");
  const std::string place = fields.text("first_convolution");
  network.first_convolution = place_from_string(place);
  if (!network.first_convolution && !place.empty()) {
    fields.refuse("first_convolution", "\"host\", \"core\" or \"\"");
  }
  network.output_spec = parse_output_spec(fields.value("postprocess").dump());
  check(network.output_spec, output_types(network.graph));
  if (fields.has("image")) {
    const std::vector<graph::NodeId> inputs = network.graph.inputs();
    if (inputs.size() != 1)
      fail(ErrorCode::kCorrupt, "field 'image' requires one input, the graph has {}",
           inputs.size());
    network.image =
        parse_image_spec(fields.value("image").dump(), network.graph.node(inputs[0]).type.shape);
  }
  if (fields.has("output_names")) {
    network.output_names = fields.texts("output_names");
    if (network.output_names.size() != network.graph.outputs().size()) {
      fields.refuse("output_names",
                    counted(network.graph.outputs().size(), "name") + ", one for each output");
    }
    refuse_equal_names(network.output_names, network.graph.outputs());
  }
  fields.refuse_unknown_keys();
}

}  // namespace

std::vector<uint8_t> to_quantized_file(const Network& network) {
  return graph::to_bytes({network.graph, {{kNetwork, describe(network)}}});
}

Network parse_quantized_file(std::span<const uint8_t> bytes) {
  graph::GraphFile file = graph::parse_graph_file(bytes);
  Network network;
  network.graph = std::move(file.graph);
  network.is_quantized = network.is_integer = true;
  for (graph::NodeId id : network.graph.inputs()) {
    const graph::Node& input = network.graph.node(id);
    if (input.type.dtype == DType::kFloat32) continue;
    fail(ErrorCode::kCorrupt, "input %{} is {}, expected float32 elements", input.name,
         to_string(input.type));
  }
  const auto note = file.notes.find(kNetwork);
  if (note == file.notes.end())
    fail(ErrorCode::kCorrupt, "the graph file has no description of its network");
  with_context("network", [&] { read_description(note->second, network); });
  return network;
}

}  // namespace vta::import
