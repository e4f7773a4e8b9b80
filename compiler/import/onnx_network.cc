// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/onnx_network.h"

#include <algorithm>
#include <fstream>

#include "compiler/onnx/import_onnx.h"
#include "runtime/base/error.h"

namespace vta::import {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".onnx";
constexpr char kFirstByte = 0x08;  // field 1, ir_version, a number: what serializers write first

void expect_batch_1(const onnx::Port& input) {
  const bool fits =
      input.type == onnx::ElementType::kFloat && !input.dims.empty() && input.dims[0] == 1;
  if (!fits) {
    fail(ErrorCode::kUnsupported,
         "input '{}' is {}; supported as a network are float tensors with a first axis, the batch, "
         "of 1 or of no fixed size",
         onnx::printable(input.name), onnx::type_text(input.type, input.dims));
  }
}

void take_graph(onnx::Imported imported, Network& network) {
  for (const onnx::Port& input : imported.inputs) expect_batch_1(input);
  network.graph = std::move(imported.graph);
  network.is_quantized = imported.is_quantized;
}

std::string legal_name(const fs::path& path) {
  std::string name = path.stem().string().substr(0, 128);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_name(std::string(1, c)); }, '_');
  return name.empty() ? "network" : name;
}

}  // namespace

bool is_onnx_model(const fs::path& path) {
  if (path.extension() == kSuffix) return true;
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file.get(first) && first == kFirstByte;
}

Network load_onnx_model(const fs::path& path) {
  Network network;
  take_graph(onnx::import_onnx(onnx::read_model(path)), network);
  network.graph.name = legal_name(path);
  network.folder = path.parent_path();
  network.weights = path.filename().string();
  network.default_quantize = "mse";
  return network;
}

void load_onnx_graph(const fs::path& path, const NetworkDescription& description,
                     Network& network) {
  onnx::Imported imported =
      with_context(path.string(), [&] { return onnx::import_onnx(onnx::read_model(path)); });
  if (imported.inputs.size() != 1 || imported.inputs[0].name != description.input_name ||
      imported.inputs[0].dims != description.input_shape) {
    std::vector<std::string> inputs;
    for (const onnx::Port& input : imported.inputs) {
      inputs.push_back(fmt::format("'{}' {}", onnx::printable(input.name),
                                   onnx::type_text(input.type, input.dims)));
    }
    fail(ErrorCode::kInvalidArgument,
         "field 'input' is '{}' of shape [{}], the inputs of {} are: {}", description.input_name,
         fmt::join(description.input_shape, ", "), path.string(), fmt::join(inputs, ", "));
  }
  take_graph(std::move(imported), network);
  network.graph.name = description.name;
  network.weights = path.filename().string();
}

}  // namespace vta::import
