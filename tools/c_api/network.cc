// SPDX-License-Identifier: Apache-2.0
//
// Networks, the compiler and the reference in fp32: in the full build.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/counted.h"
#include "base/limits/memory_limit.h"
#include "compiler/compile.h"
#include "compiler/graph/passes/independent_images.h"
#include "compiler/onnx/node_refusals.h"
#include "compiler/quantize/run_graph.h"
#include "tools/c_api/handles.h"
#include "tools/c_api/status.h"
#include "tools/compile/network_arguments.h"

using vta::ErrorCode;
using vta::fail;
using vta::Tensor;
using vta::c_api::guarded;
using vta::c_api::options_of;
using vta::c_api::required;

struct vta_network {
  explicit vta_network(vta::import::Network loaded) : network(std::move(loaded)) {
    for (const vta::graph::NodeId id : network.graph.inputs()) {
      const vta::graph::Node& node = network.graph.node(id);
      inputs.push_back(vta::c_api::tensor_info(node.name, node.type));
    }
    for (size_t i = 0; i < network.graph.outputs().size(); ++i) {
      const vta::graph::Node& node = network.graph.node(network.graph.outputs()[i]);
      const std::string& name = network.output_names.empty() ? node.name : network.output_names[i];
      outputs.push_back(vta::c_api::tensor_info(name, node.type));
    }
  }

  const vta::import::Network network;
  const int64_t batch = vta::graph::independent_images(network.graph);
  std::vector<vta_tensor_info> inputs, outputs;
};

struct vta_node_refusals {
  std::vector<std::string> by_node;
};

struct vta_reference {
  explicit vta_reference(const vta_network& network)
      : runner(network.network.graph, vta::quantize::GraphRunner::Results::kOutputs),
        inputs(network.inputs),
        outputs(network.outputs) {}

  vta::quantize::GraphRunner runner;
  const vta::c_api::TensorInfos inputs, outputs;     // the network may be released before
  std::unique_ptr<vta::c_api::TensorInfos> results;  // of the last run
};

namespace {

std::optional<std::string> text_of(const char* text) {
  if (text == nullptr) return std::nullopt;
  return text;
}

constexpr size_t kMaxTexts = 1024;  // of inputs

std::vector<std::string> texts_of(const char* const* texts, size_t count, size_t limit,
                                  const char* what) {
  if (count > limit)
    fail(ErrorCode::kInvalidArgument, "num_{} is {}, at most {}", what, count, limit);
  std::vector<std::string> result;
  if (count > 0) required(texts, what);
  for (size_t i = 0; i < count; ++i) result.emplace_back(&required(texts[i], what));
  return result;
}

vta::NetworkArguments arguments_of(const vta_network_options& options) {
  vta::NetworkArguments arguments;
  arguments.weights = text_of(options.weights);
  arguments.input_size = text_of(options.input_size);
  if (options.has_seed != 0) arguments.seed = options.seed;
  arguments.preprocess = {.preset = text_of(options.preprocess),
                          .mean = text_of(options.mean),
                          .stddev = text_of(options.stddev),
                          .scale = text_of(options.scale),
                          .channels = text_of(options.channels),
                          .layout = text_of(options.layout),
                          .resize = text_of(options.resize)};
  arguments.batch_axes =
      texts_of(options.batch_axes, options.num_batch_axes, kMaxTexts, "batch_axes");
  arguments.input_shapes =
      texts_of(options.input_shapes, options.num_input_shapes, kMaxTexts, "input_shapes");
  arguments.input_values =
      texts_of(options.input_values, options.num_input_values, kMaxTexts, "input_values");
  return arguments;
}

vta::NetworkArguments arguments_of(const vta_network& network, const vta_compile_options& options) {
  vta::NetworkArguments arguments;
  arguments.core = text_of(options.core);
  arguments.quantize = text_of(options.quantize);
  arguments.calibrate = text_of(options.calibrate);
  arguments.mode = text_of(options.mode);
  arguments.first_convolution = text_of(options.first_convolution);
  arguments.per_layer_streams = options.per_layer_streams != 0;
  if (options.schedules != nullptr) arguments.schedules = {options.schedules};
  arguments.tuned_for = text_of(options.tuned_for);
  arguments.requantize = options.requantize != 0;
  arguments.per_channel = text_of(options.per_channel);
  arguments.equalize = text_of(options.equalize);
  arguments.rounding = text_of(options.rounding);
  arguments.labels = text_of(options.labels);
  arguments.start = text_of(options.start);
  arguments.stop = text_of(options.stop);
  arguments.scales = text_of(options.scales);
  arguments.keep_float = texts_of(options.keep_float, options.num_keep_float,
                                  network.network.graph.order().size(), "keep_float");
  return arguments;
}

// The caller's inputs, one after another, as tensors.
std::vector<std::vector<Tensor>> calibration_inputs(const vta_network& network,
                                                    const vta_compile_options& options) {
  if (network.inputs.size() != 1 || network.inputs[0].dtype != VTA_FLOAT32) {
    fail(ErrorCode::kInvalidArgument,
         "{}: calibration inputs require a network with one float32 input, this one has {}",
         network.network.graph.name, vta::counted(network.inputs.size(), "input"));
  }
  if (options.calibrate != nullptr) {
    fail(ErrorCode::kInvalidArgument, "calibrate and calibration_data exclude each other");
  }
  const vta_tensor_info& info = network.inputs[0];
  const vta::TensorType type = vta::c_api::type_of(info);
  const size_t count = options.num_calibration_inputs;
  if (count == 0) fail(ErrorCode::kInvalidArgument, "calibration_data without any inputs");
  required(options.calibration_data, "calibration_data");
  if (count > SIZE_MAX / std::max<size_t>(info.num_bytes, 1)) {
    fail(ErrorCode::kInvalidArgument, "num_calibration_inputs is {}: more bytes than memory has",
         count);
  }
  vta::check_memory("calibration_data", count * info.num_bytes);
  std::vector<std::vector<Tensor>> inputs;
  for (size_t i = 0; i < count; ++i) {
    const float* data = options.calibration_data + i * (info.num_bytes / sizeof(float));
    Tensor& input = inputs.emplace_back().emplace_back(type);
    std::copy_n(data, type.num_elems(), input.mutable_data<float>().begin());
  }
  return inputs;
}

vta::CompileOptions compile_options_of(const vta_network& network,
                                       const vta_compile_options& options) {
  const vta::NetworkArguments arguments = arguments_of(network, options);
  vta::check_calibration(arguments);
  vta::CompileOptions how = vta::compile_options(network.network, arguments);
  if (options.calibration_data != nullptr || options.num_calibration_inputs > 0)
    how.calibration = calibration_inputs(network, options);
  if (options.progress != nullptr) {
    how.on_progress = [options](const std::string& what, double fraction) {
      if (options.progress(options.progress_user, what.c_str(), fraction) != 0)
        throw vta::c_api::Cancelled();
    };
  }
  return how;
}

const vta_tensor_info* element(const std::vector<vta_tensor_info>& infos, size_t index) {
  return index < infos.size() ? &infos[index] : nullptr;
}

}  // namespace

extern "C" {

int vta_has_compiler(void) { return 1; }

vta_status vta_network_load(const char* name, const vta_network_options* options,
                            vta_network** network) {
  return guarded([&] {
    const vta_network_options how = options_of(options);
    vta_network*& loaded = required(network, "network");
    loaded = new vta_network(vta::load_network(&required(name, "name"), arguments_of(how)));
  });
}

vta_status vta_network_parse(const char* name, const uint8_t* model, size_t num_bytes,
                             const vta_network_options* options, vta_network** network) {
  return guarded([&] {
    const vta_network_options how = options_of(options);
    vta_network*& parsed = required(network, "network");
    const std::span bytes(&required(model, "model"), num_bytes);
    parsed = new vta_network(vta::parse_network(&required(name, "name"), bytes, arguments_of(how)));
  });
}

void vta_network_free(vta_network* network) { delete network; }

const char* vta_network_name(const vta_network* network) {
  return network == nullptr ? nullptr : network->network.graph.name.c_str();
}

int64_t vta_network_batch(const vta_network* network) {
  return network == nullptr ? 0 : network->batch;
}

int vta_network_is_quantized(const vta_network* network) {
  return network != nullptr && network->network.is_quantized ? 1 : 0;
}

const char* vta_network_note(const vta_network* network, size_t index) {
  const bool exists = network != nullptr && index < network->network.notes.size();
  return exists ? network->network.notes[index].c_str() : nullptr;
}

size_t vta_network_num_inputs(const vta_network* network) {
  return network == nullptr ? 0 : network->inputs.size();
}

size_t vta_network_num_outputs(const vta_network* network) {
  return network == nullptr ? 0 : network->outputs.size();
}

const vta_tensor_info* vta_network_input(const vta_network* network, size_t index) {
  return network == nullptr ? nullptr : element(network->inputs, index);
}

const vta_tensor_info* vta_network_output(const vta_network* network, size_t index) {
  return network == nullptr ? nullptr : element(network->outputs, index);
}

vta_status vta_node_refusals_of(const char* model, vta_node_refusals** refusals) {
  return guarded([&] {
    vta_node_refusals*& result = required(refusals, "refusals");
    const char* const path = &required(model, "model");
    result = vta::with_context(path, [&] {
      return new vta_node_refusals{vta::onnx::node_refusals(vta::onnx::read_model(path))};
    });
  });
}

vta_status vta_node_refusals_parse(const uint8_t* model, size_t num_bytes,
                                   vta_node_refusals** refusals) {
  return guarded([&] {
    vta_node_refusals*& result = required(refusals, "refusals");
    const std::span bytes(&required(model, "model"), num_bytes);
    result = new vta_node_refusals{vta::onnx::node_refusals(vta::onnx::parse_model(bytes))};
  });
}

size_t vta_node_refusals_size(const vta_node_refusals* refusals) {
  return refusals == nullptr ? 0 : refusals->by_node.size();
}

const char* vta_node_refusals_at(const vta_node_refusals* refusals, size_t node) {
  return node < vta_node_refusals_size(refusals) ? refusals->by_node[node].c_str() : nullptr;
}

void vta_node_refusals_free(vta_node_refusals* refusals) { delete refusals; }

vta_status vta_compile(const vta_network* network, const vta_compile_options* options,
                       vta_program** program) {
  return guarded([&] {
    required(network, "network");
    required(program, "program");
    const vta::CompileOptions how = compile_options_of(*network, options_of(options));
    vta::CompileResult result = vta::compile(network->network, how);
    *program = new vta_program(std::move(result.program), network->network.folder,
                               std::move(result.calibration));
  });
}

vta_status vta_reference_open(const vta_network* network, vta_reference** reference) {
  return guarded([&] {
    vta_reference*& opened = required(reference, "reference");
    opened = new vta_reference(required(network, "network"));
  });
}

vta_status vta_reference_run(vta_reference* reference, const vta_buffer* inputs, size_t num_inputs,
                             const vta_buffer* outputs, size_t num_outputs) {
  return guarded([&] {
    required(reference, "reference");
    const std::vector<Tensor> tensors =
        vta::c_api::input_tensors(reference->inputs, inputs, num_inputs);
    vta::c_api::check_buffers("output", reference->outputs, outputs, num_outputs);
    const std::vector<Tensor> results = reference->runner.run(tensors);
    vta::c_api::copy_outputs(results, outputs);
    std::vector<vta::TensorType> types;
    for (const vta::Tensor& result : results) types.push_back(result.type());
    reference->results = std::make_unique<vta::c_api::TensorInfos>(reference->outputs, types);
  });
}

const vta_tensor_info* vta_reference_output(const vta_reference* reference, size_t index) {
  return reference == nullptr || !reference->results ? nullptr : reference->results->at(index);
}

void vta_reference_free(vta_reference* reference) { delete reference; }

}  // extern "C"
