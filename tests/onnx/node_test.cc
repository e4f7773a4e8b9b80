// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/node_test.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/files/file.h"
#include "compiler/onnx/import_onnx.h"
#include "compiler/quantize/run_graph.h"

namespace vta::onnx {
namespace {

namespace fs = std::filesystem;
using Status = NodeTestResult::Status;

std::vector<Array> read_tensors(const fs::path& folder, const char* kind) {
  std::vector<Array> arrays;
  for (int i = 0;; ++i) {
    const fs::path path = folder / fmt::format("{}_{}.pb", kind, i);
    if (!fs::exists(path)) return arrays;
    arrays.push_back(parse_tensor(read_file(path)).array);
  }
}

Tensor input_tensor(const Array& array) {
  if (is_floating(array.type) || is_small_integer(array.type)) return to_tensor(array);
  Tensor tensor({DType::kInt32, array.dims.empty() ? Dims{1} : array.dims});
  const auto values = tensor.mutable_data<int32_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::in_range<int32_t>(array.ints[i])) {
      fail(ErrorCode::kUnsupported, "{} is outside int32, in which the graph holds {}",
           array.ints[i], to_string(array.type));
    }
    values[i] = static_cast<int32_t>(array.ints[i]);
  }
  return tensor;
}

double value_at(const Tensor& tensor, int64_t index) {
  const auto i = static_cast<size_t>(index);
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return tensor.data<float>()[i];
    case DType::kInt8:
      return tensor.data<int8_t>()[i];
    case DType::kInt32:
      return tensor.data<int32_t>()[i];
  }
  return 0;
}

bool is_close(double value, double expected) {
  constexpr double kRelative = 1e-3, kAbsolute = 1e-7;
  if (std::isnan(expected)) return std::isnan(value);
  if (std::isinf(expected)) return value == expected;
  return std::abs(value - expected) <= kAbsolute + kRelative * std::abs(expected);
}

// "" if they are equal. `type`: of the output in the graph.
std::string difference(Port port, const TensorType& type, const Tensor& tensor,
                       const Array& expected) {
  if (!fits(tensor.type(), type))
    return fmt::format("output '{}' is {} in the run, {} in the graph", port.name,
                       vta::to_string(tensor.type()), vta::to_string(type));
  if (type.is_open()) port.dims = tensor.shape();
  if (port.type != expected.type || port.dims != expected.dims) {
    return fmt::format("output '{}' is {}, expected {}", port.name, type_text(port.type, port.dims),
                       to_string(expected));
  }
  for (int64_t i = 0; i < expected.size(); ++i) {
    if (!is_close(value_at(tensor, i), expected.at(i))) {
      return fmt::format("output '{}' element {} is {}, expected {}", port.name, i,
                         value_at(tensor, i), expected.at(i));
    }
  }
  return "";
}

std::string run_data_set(const Model& model, const fs::path& folder) {
  const std::vector<Array> inputs = read_tensors(folder, "input");
  const std::vector<Array> expected = read_tensors(folder, "output");
  std::map<std::string, Array> known;
  for (size_t i = 0; i < inputs.size() && i < model.inputs.size(); ++i) {
    known[model.inputs[i].name] = inputs[i];
  }
  const Imported imported = import_onnx(model, known);
  graph::verify(imported.graph);
  std::vector<Tensor> values;
  for (const Port& port : imported.inputs) values.push_back(input_tensor(known.at(port.name)));
  const std::vector<Tensor> outputs = quantize::run_graph(imported.graph, values);
  if (expected.empty() || expected.size() != outputs.size()) {
    return fmt::format("{} outputs, expected {}", outputs.size(), expected.size());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const TensorType& type = imported.graph.node(imported.graph.outputs()[i]).type;
    const std::string text = difference(imported.outputs[i], type, outputs[i], expected[i]);
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace

NodeTestResult run_node_test(const fs::path& folder) {
  try {
    const Model model = read_model(folder / "model.onnx");
    int num_sets = 0;
    for (;; ++num_sets) {
      const fs::path data = folder / fmt::format("test_data_set_{}", num_sets);
      if (!fs::exists(data)) break;
      const std::string text = run_data_set(model, data);
      if (!text.empty()) return {Status::kFail, text};
    }
    if (num_sets == 0) return {Status::kFail, "no data sets"};
    return {Status::kPass, ""};
  } catch (const Error& error) {
    const bool is_refused = error.code() == ErrorCode::kUnsupported;
    return {is_refused ? Status::kRefused : Status::kFail, error.what()};
  } catch (const std::exception& error) {
    return {Status::kFail, error.what()};
  }
}

std::string to_string(const NodeTestResult& result) {
  if (result.status == Status::kPass) return "pass";
  return (result.status == Status::kRefused ? "refused: " : "FAIL: ") + result.reason;
}

std::vector<fs::path> find_node_tests(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "model.onnx")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace vta::onnx
