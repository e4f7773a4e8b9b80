// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/compiled_part.h"

#include <algorithm>
#include <functional>
#include <numeric>
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

[[noreturn]] void fail_rows(const std::string& what) {
  fail(ErrorCode::kUnsupported,
       "{}: fix the number of rows (AddFreeDimensionOverrideByName) or declare the same for all",
       what);
}

// Each row is a run: all outputs must have a row of each, and inputs of fixed size one row for all.
void require_common_rows(const Graph& graph, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs) {
  const auto is_open = [&](const std::string& name) { return has_open_rows(graph.value(name)); };
  const auto open = std::ranges::find_if(inputs, is_open);
  if (open == inputs.end()) {
    if (std::ranges::any_of(outputs, is_open))
      fail(ErrorCode::kUnsupported, "the size of an output depends on the data");
    return;
  }
  const std::string& rows = graph.value(*open).rows;
  for (const std::string& input : inputs) {
    const Value& value = graph.value(input);
    if (!has_open_rows(value) && (value.dims.empty() || value.dims[0] != 1)) {
      fail_rows(fmt::format("input '{}' has an open number of rows, input '{}' has a fixed one",
                            *open, input));
    }
    if (input != *open && has_open_rows(value) && (rows.empty() || value.rows != rows)) {
      fail_rows(fmt::format("input '{}' has '{}' rows, input '{}' has '{}'", *open, rows, input,
                            value.rows));
    }
  }
  const auto fixed = std::ranges::find_if_not(outputs, is_open);
  if (fixed != outputs.end()) {
    fail_rows(fmt::format("input '{}' has an open number of rows, output '{}' has a fixed one",
                          *open, *fixed));
  }
}

// Rows are computed one by one; a network of several shows operators that combine them.
void require_independent_rows(const Graph& graph, const Part& part) {
  require_common_rows(graph, part.inputs, part.outputs);
  const auto is_open = [&](const std::string& name) { return has_open_rows(graph.value(name)); };
  if (std::ranges::none_of(part.inputs, is_open)) return;
  // Unlikely as a size that the model fixes, which could look like the rows.
  constexpr int64_t kRows = 5;
  const Network network = parse(graph, part, kRows);
  for (size_t i = 0; i < vta_network_num_outputs(network.get()); ++i) {
    const vta_tensor_info& info = output_of(network.get(), i);
    if (vta_network_batch(network.get()) != kRows || info.rank == 0 || info.shape[0] != kRows) {
      fail_rows(fmt::format("output '{}' does not have a row for each of its inputs", info.name));
    }
  }
}

int64_t num_elems(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// A port of a value that a run of a program has so often.
Port port_of(const std::string& name, const Value& value, const vta_tensor_info* info,
             int64_t group) {
  if (info == nullptr) fail(ErrorCode::kUnsupported, "value '{}' has no effect", name);
  if (!is_direct(value.type, info->dtype) && !is_converted(value.type, info->dtype))
    fail(ErrorCode::kUnsupported, "the type of value '{}' is not supported", name);
  Port port{.name = name,
            .type = value.type,
            .dtype = info->dtype,
            .shape = value.dims,
            .has_open_rows = has_open_rows(value)};
  if (port.has_open_rows) port.shape[0] = 1;
  if (value.dims.empty()) {  // a scalar, or an unknown shape
    port.shape = {info->shape, info->shape + info->rank};
    if (!port.shape.empty()) port.shape[0] /= group;
    if (port.shape == std::vector<int64_t>{1}) port.shape.clear();
  }
  port.num_elems = static_cast<size_t>(num_elems(port.shape));
  if (info->num_bytes !=
      static_cast<size_t>(group) * port.num_elems * bytes_per_elem(info->dtype)) {
    fail(ErrorCode::kUnsupported, "value '{}' is [{}], its program has {} elements for {} runs",
         name, fmt::join(port.shape, ", "), info->num_bytes / bytes_per_elem(info->dtype), group);
  }
  return port;
}

// How often a run of a program computes a value of known shape.
int64_t group_of(const Value& value, const vta_tensor_info* info) {
  std::vector<int64_t> shape = value.dims;
  if (has_open_rows(value)) shape[0] = 1;
  const int64_t num_run = info == nullptr ? 0 : num_elems({info->shape, info->shape + info->rank});
  return std::max<int64_t>(1, num_run / std::max<int64_t>(1, num_elems(shape)));
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
      equal = std::string_view(a.name) == b.name && a.dtype == b.dtype &&
              std::equal(a.shape, a.shape + a.rank, b.shape, b.shape + b.rank);
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
  set_ports(graph, part.inputs, part.outputs, result);
}

}  // namespace

void set_ports(const Graph& graph, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, CompiledPart& part) {
  const vta_program* const program = part.program.get();
  if (inputs.empty() || outputs.empty())
    fail(ErrorCode::kUnsupported, "a program without inputs or outputs");
  require_common_rows(graph, inputs, outputs);
  const int64_t group = group_of(graph.value(inputs[0]), vta_program_input(program, 0));
  part.group = static_cast<size_t>(group);
  for (size_t i = 0; i < inputs.size(); ++i) {
    part.inputs.push_back(
        port_of(inputs[i], graph.value(inputs[i]), vta_program_input(program, i), group));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    part.outputs.push_back(
        port_of(outputs[i], graph.value(outputs[i]), vta_program_output(program, i), group));
  }
}

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
