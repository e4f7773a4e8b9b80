// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/compiled_part.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/elements.h"
#include "tools/onnxruntime_ep/onnx_model.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

constexpr std::string_view kName = "part";  // of the network

bool has_open_rows(const Value& value) { return !value.dims.empty() && value.dims[0] < 0; }

// Loads the part with `rows` rows of what has open ones, as batches. Errors: kUnsupported.
Network parse(const Graph& graph, const Part& part, int64_t rows) {
  const std::string model = onnx_model(
      graph, {.nodes = part.nodes, .inputs = part.inputs, .outputs = part.outputs, .rows = rows});
  std::vector<std::string> axes;
  for (const std::string& input : part.inputs)
    if (has_open_rows(graph.value(input))) axes.push_back(input + "=0");
  std::vector<const char*> texts;
  for (const std::string& axis : axes) texts.push_back(axis.c_str());
  vta_network_options options{};
  options.struct_size = sizeof(options);
  options.batch_axes = texts.data();
  options.num_batch_axes = texts.size();
  vta_network* network = nullptr;
  try {
    check(vta_network_parse(kName.data(), reinterpret_cast<const uint8_t*>(model.data()),
                            model.size(), &options, &network));
  } catch (const Error& error) {
    // ONNX Runtime has accepted the model: what libvta calls a wrong one, it does not support.
    const bool is_refused =
        error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kCorrupt;
    std::string why = error.what();
    if (why.starts_with(kName)) why = why.substr(kName.size() + std::string_view(": ").size());
    throw Error(is_refused ? ErrorCode::kUnsupported : error.code(), why);
  }
  return Network(network);
}

const vta_tensor_info& input_of(const vta_network* network, size_t i) {
  return *vta_network_input(network, i);
}
const vta_tensor_info& output_of(const vta_network* network, size_t i) {
  return *vta_network_output(network, i);
}

// Rows are computed one by one; a network of three shows operators that combine them.
void require_independent_rows(const Graph& graph, const Part& part) {
  const auto is_open = [&](const std::string& name) { return has_open_rows(graph.value(name)); };
  if (std::ranges::none_of(part.inputs, is_open)) return;
  constexpr int64_t kRows = 3;
  const Network network = parse(graph, part, kRows);
  for (size_t i = 0; i < vta_network_num_outputs(network.get()); ++i) {
    const vta_tensor_info& info = output_of(network.get(), i);
    if (vta_network_batch(network.get()) != kRows || info.rank == 0 || info.shape[0] != kRows) {
      fail(ErrorCode::kUnsupported,
           "the number of rows is open and output '{}' does not have a row for each; fix the size "
           "(AddFreeDimensionOverrideByName)",
           info.name);
    }
  }
}

// `infos`: of the network, in the order of `names`.
std::vector<Port> ports_of(const Graph& graph, const std::vector<std::string>& names,
                           const std::function<const vta_tensor_info*(size_t)>& infos) {
  std::vector<Port> ports;
  for (size_t i = 0; i < names.size(); ++i) {
    const vta_tensor_info* const info = infos(i);
    if (info == nullptr) fail(ErrorCode::kUnsupported, "input '{}' has no effect", names[i]);
    const Value& value = graph.value(names[i]);
    if (!is_direct(value.type, info->dtype) && !is_converted(value.type, info->dtype))
      fail(ErrorCode::kUnsupported, "the type of value '{}' is not supported", names[i]);
    Port port{.name = names[i],
              .type = value.type,
              .dtype = info->dtype,
              .shape = {info->shape, info->shape + info->rank},
              .num_elems = info->num_bytes / bytes_per_elem(info->dtype),
              .has_open_rows = has_open_rows(value)};
    if (value.dims.empty() && port.shape == std::vector<int64_t>{1}) port.shape.clear();
    ports.push_back(std::move(port));
  }
  return ports;
}

size_t runs_of(const vta_tensor_info& info, const Port& port) {
  return info.num_bytes / (port.num_elems * bytes_per_elem(port.dtype));
}

// How many times what the ports have a run of the program computes.
size_t group_of(const vta_program* program, const CompiledPart& part) {
  std::set<size_t> groups;
  for (size_t i = 0; i < part.inputs.size(); ++i)
    groups.insert(runs_of(*vta_program_input(program, i), part.inputs[i]));
  for (size_t i = 0; i < part.outputs.size(); ++i)
    groups.insert(runs_of(*vta_program_output(program, i), part.outputs[i]));
  if (groups.size() != 1 || *groups.begin() == 0)
    fail(ErrorCode::kUnsupported, "its inputs and outputs have different batches");
  return *groups.begin();
}

// The quantized network that the user has saved instead of calibration inputs.
Network saved_network(const Network& network, const std::string& file) {
  vta_network* raw = nullptr;
  check(vta_network_load(file.c_str(), nullptr, &raw));
  Network saved(raw);
  const auto require_equal = [&](const char* noun, auto num, auto info_of) {
    bool equal = num(network.get()) == num(saved.get());
    for (size_t i = 0; equal && i < num(network.get()); ++i) {
      const vta_tensor_info &a = info_of(network.get(), i), &b = info_of(saved.get(), i);
      equal =
          std::equal(a.shape, a.shape + a.rank, b.shape, b.shape + b.rank) && a.dtype == b.dtype;
    }
    if (equal) return;
    fail(ErrorCode::kInvalidArgument,
         "option calibration '{}': its {} are not the model's; it must come from `vta-compile "
         "--save-quantized` of this model",
         file, noun);
  };
  require_equal("inputs", vta_network_num_inputs, input_of);
  require_equal("outputs", vta_network_num_outputs, output_of);
  return saved;
}

bool is_saved_network(const std::string& calibration) { return calibration.ends_with(".vtaq"); }

// A program, or none and the reason.
void compile(const Graph& graph, const Part& part, const Options& options, CompiledPart& result) {
  require_independent_rows(graph, part);
  Network network = parse(graph, part, 1);
  result.inputs =
      ports_of(graph, part.inputs, [&](size_t i) { return vta_network_input(network.get(), i); });
  result.outputs =
      ports_of(graph, part.outputs, [&](size_t i) { return vta_network_output(network.get(), i); });
  vta_compile_options how{};
  how.struct_size = sizeof(how);
  if (!options.core.empty()) how.core = options.core.c_str();
  if (vta_network_is_quantized(network.get()) == 0) {
    if (!has_product(graph, part)) fail(ErrorCode::kUnsupported, "it has no products");
    result.needs_calibration = options.calibration.empty();
    if (result.needs_calibration)
      fail(ErrorCode::kUnsupported, "it has no scales and option calibration is not set");
    if (is_saved_network(options.calibration)) {
      const bool is_whole = part.nodes.size() == graph.nodes().size();
      if (!is_whole)
        fail(ErrorCode::kUnsupported, "a quantized network replaces whole models only");
      network = saved_network(network, options.calibration);
    } else if (options.calibration != "noise") {
      how.calibrate = options.calibration.c_str();
    }
  }
  vta_program* program = nullptr;
  check(vta_compile(network.get(), &how, &program));
  result.program.reset(program);
  if (vta_program_info_of(program)->macs_on_core == 0)
    fail(ErrorCode::kUnsupported, "nothing of it would be on the core");
  result.group = group_of(program, result);
}

}  // namespace

CompiledPart compile_part(const Graph& graph, const Part& part, const Options& options) {
  CompiledPart result;
  try {
    compile(graph, part, options, result);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    result.program.reset();
    result.why = error.what();
  }
  return result;
}

}  // namespace vta::onnxruntime_ep
