// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/onnx_network.h"

#include <algorithm>

#include "base/errors/error.h"
#include "base/files/file_start.h"
#include "base/files/object_reader.h"
#include "compiler/graph/names.h"
#include "compiler/import/input_values.h"
#include "compiler/import/open_sizes.h"
#include "compiler/onnx/import_onnx.h"

namespace vta::import {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".onnx";
constexpr char kFirstByte = 0x08;  // field 1, ir_version, an integer: serializers write it first

void check_type(const onnx::Port& input, const graph::Node& node) {
  if (node.type.dtype != DType::kInt8) return;
  fail(ErrorCode::kUnsupported, "input '{}' is {}, expected floating-point numbers or integers",
       onnx::printable(input.name), onnx::type_text(input.type, input.dims));
}

bool is_image(const onnx::ValueDef& input) { return input.has_shape && input.dims.size() == 4; }

// Height and width of the inputs that are images.
void set_input_size(onnx::Model& model, const std::array<int64_t, 2>& size,
                    const std::optional<std::string>& layout) {
  bool any = false;
  for (onnx::ValueDef& input : model.inputs) {
    if (!is_image(input)) continue;
    any = true;
    const size_t first = layout ? (*layout == "nhwc" ? 1 : 2) : onnx::first_image_side(input);
    for (size_t axis = first; axis < first + 2; ++axis) {
      const int64_t side = input.dims[axis].value_or(size[axis - first]);
      if (side != size[axis - first]) {
        fail(ErrorCode::kInvalidArgument,
             "input size {} x {}: axis {} of the model's input '{}' is fixed to {}", size[0],
             size[1], axis, onnx::printable(input.name), side);
      }
      set_size(model, input.dims[axis], side);
    }
  }
  if (!any) {
    fail(ErrorCode::kInvalidArgument, "input size {} x {}: the model has no input with four axes",
         size[0], size[1]);
  }
}

// The sizes that the model leaves open.
void set_open_sizes(onnx::Model& model, const NetworkDescription& description) {
  const std::vector<int64_t>& shape = description.input_shape;
  for (onnx::ValueDef& input : model.inputs) {
    if (input.name != description.input_name) continue;
    if (!input.has_shape) input.dims.resize(shape.size());
    input.has_shape = true;
    if (input.dims.size() != shape.size()) continue;  // an error later, with all inputs listed
    for (size_t axis = 0; axis < shape.size(); ++axis)
      set_size(model, input.dims[axis], shape[axis]);
  }
}

void take_graph(onnx::Imported imported, Network& network) {
  const std::vector<graph::NodeId> inputs = imported.graph.inputs();
  for (size_t i = 0; i < imported.inputs.size(); ++i)
    check_type(imported.inputs[i], imported.graph.node(inputs.at(i)));
  for (const onnx::Port& output : imported.outputs) network.output_names.push_back(output.name);
  network.graph = std::move(imported.graph);
  network.is_quantized = imported.is_quantized;
  network.notes = std::move(imported.notes);
}

}  // namespace

bool is_onnx_model(const fs::path& path) {
  if (path.extension() == kSuffix) return true;
  return file_start(path, 1) == std::string(1, kFirstByte);
}

Network load_onnx_model(const fs::path& path, const NetworkOptions& options) {
  Network network = network_of(path.stem().string(), onnx::read_model(path), options);
  network.folder = path.parent_path();
  network.weights = plain_text(path.filename().string());
  return network;
}

Network network_of(const std::string& name, onnx::Model model, const NetworkOptions& options) {
  if (options.input_size) set_input_size(model, *options.input_size, options.preprocess.layout);
  set_input_shapes(model, options.input_shapes);
  set_input_values(model, options.input_values);
  const bool is_batch_declared = set_batch_axes(model, options.batch_axes);
  const std::optional<std::string> doubt = set_proven_batches(model);
  Network network;
  take_graph(onnx::import_onnx(std::move(model)), network);
  if (doubt) fail(ErrorCode::kUnsupported, "{}", *doubt);
  if (is_batch_declared) check_declared_batch(network.graph);
  network.graph.name = graph::legal_name(name, "network");
  network.weights = plain_text(name);
  network.default_quantize = "mse";
  return network;
}

void load_onnx_graph(const fs::path& path, const NetworkDescription& description,
                     Network& network) {
  onnx::Imported imported = with_context(path.string(), [&] {
    onnx::Model model = onnx::read_model(path);
    set_open_sizes(model, description);
    return onnx::import_onnx(std::move(model));
  });
  if (imported.inputs.size() != 1 || imported.inputs[0].name != description.input_name ||
      imported.inputs[0].dims != description.input_shape) {
    std::vector<std::string> inputs;
    for (const onnx::Port& input : imported.inputs) {
      inputs.push_back(fmt::format("'{}' {}", onnx::printable(input.name),
                                   onnx::type_text(input.type, input.dims)));
    }
    fail(ErrorCode::kInvalidArgument, "field 'input' is '{}' of shape [{}], {} has: {}",
         description.input_name, fmt::join(description.input_shape, ", "), path.string(),
         fmt::join(inputs, ", "));
  }
  take_graph(std::move(imported), network);
  network.graph.name = description.name;
  network.weights = plain_text(path.filename().string());
}

}  // namespace vta::import
