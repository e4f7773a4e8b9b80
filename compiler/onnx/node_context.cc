// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/node_context.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/errors/counted.h"
#include "compiler/onnx/graph_limits.h"

namespace vta::onnx {
using graph::NodeId;

NodeContext::NodeContext(const NodeDef& node, int64_t version, bool lists_as_inputs,
                         std::vector<std::shared_ptr<Value>> inputs, GraphWriter& writer)
    : NodeAttributes(node, version),
      NodeBuilder(node, writer),
      lists_as_inputs_(lists_as_inputs),
      inputs_(std::move(inputs)),
      results_(std::max<size_t>(node.outputs.size(), 1)) {  // import_as() returns the first
  for (size_t i = 0; i < results_.size(); ++i) {
    results_[i] = std::make_shared<Value>();
    results_[i]->missing = fmt::format("output {} of {} is not supported", i, node.op);
  }
}

const Value& NodeContext::input(size_t index) const {
  if (!has_input(index)) fail(ErrorCode::kCorrupt, "input {} is missing", index);
  const Value& value = *inputs_[index];
  if (!value.missing.empty()) {
    refuse("input {} ('{}'): {}", index, printable(value.name), value.missing);
  }
  return value;
}

std::shared_ptr<Value> NodeContext::shared_input(size_t index) const {
  input(index);
  return inputs_[index];
}

namespace {

bool is_in_float32(ElementType type) { return is_floating(type) || is_small_integer(type); }

}  // namespace

NodeId NodeContext::graph_input(const Value& value) {
  return writer_.add_input(value.name, {is_in_float32(value.type) ? DType::kFloat32 : DType::kInt32,
                                        value.dims.empty() ? Dims{1} : value.dims});
}

NodeId NodeContext::operand(size_t index) {
  input(index);
  Value& value = *inputs_[index];
  if (value.node >= 0) return value.node;
  constexpr size_t kMaxRank = 8;
  if (value.dims.size() > kMaxRank) {
    refuse("input {} ('{}') has {}, supported are {}", index, printable(value.name),
           counted(value.dims.size(), "axis"), kMaxRank);
  }
  if (num_elems(value.dims) == 0) {
    refuse("input {} ('{}') is {}: tensors without elements are not supported", index,
           printable(value.name), type_text(value.type, value.dims));
  }
  if (value.is_input) {
    value.node = graph_input(value);
  } else {
    value.node =
        writer_.add_constant(value.name, is_in_float32(value.type) ? to_tensor(*value.array)
                                                                   : int32_tensor(*value.array));
  }
  return value.node;
}

NodeId NodeContext::float_operand(size_t index) {
  const Value& value = input(index);
  if (!is_floating(value.type)) {
    refuse("input {} ('{}') has element type {}, supported are floating-point numbers", index,
           printable(value.name), onnx::to_string(value.type));
  }
  return operand(index);
}

NodeId NodeContext::small_operand(size_t index, bool keeps_int8) {
  const Value& value = input(index);
  if (!is_floating(value.type) && !is_small_integer(value.type)) {
    refuse(
        "input {} ('{}') has element type {}, supported are floating-point numbers and integers "
        "of up to 16 bits",
        index, printable(value.name), onnx::to_string(value.type));
  }
  const NodeId node = operand(index);
  if (dtype_of(node) != DType::kInt8 || keeps_int8) return node;
  const Attrs<OpKind::kDequantize> numbers(attr::unit{1}, attr::zero{zero_level(value.type)});
  return add(OpKind::kDequantize, {node}, numbers);
}

NodeId NodeContext::number_operand(size_t index) {
  return is_in_float32(input(index).type) ? small_operand(index) : operand(index);
}

NodeId NodeContext::integer_operand(size_t index) {
  const Value& value = input(index);
  if (is_floating(value.type)) {
    refuse("input {} ('{}') has element type {}, supported are integers", index,
           printable(value.name), onnx::to_string(value.type));
  }
  const NodeId node = number_operand(index);
  return dtype_of(node) == DType::kInt32 ? node : cast(node, Format::kInt32);
}

NodeId NodeContext::as_integer(NodeId node, ElementType type) {
  return cast(node, format_of(type));
}

NodeId NodeContext::index_operand(size_t index) {
  const Value& value = input(index);
  if (value.type != ElementType::kInt32 && value.type != ElementType::kInt64) {
    fail(ErrorCode::kCorrupt, "input {} ('{}') is {}, expected int32 or int64", index,
         printable(value.name), type_text(value.type, value.dims));
  }
  return operand(index);
}

bool NodeContext::has_infinity(size_t index) {
  const Value& value = input(index);
  if (!is_floating(value.type) || num_elems(value.dims) == 0 || !is_known(index)) return false;
  const std::vector<float>& floats = constant(index, "operand").floats;
  return std::any_of(floats.begin(), floats.end(), [](float x) { return std::isinf(x); });
}

NodeId NodeContext::finite_operand(size_t index) {
  if (!has_infinity(index)) return float_operand(index);
  Array array = constant(index, "operand");
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  for (float& x : array.floats) x = std::isinf(x) ? std::copysign(kMaxFloat, x) : x;
  return add_constant(to_tensor(array));
}

NodeId NodeContext::unbounded_operand(size_t index) {
  if (!has_infinity(index)) return float_operand(index);
  const Tensor value = to_tensor(constant(index, "operand"));
  return add_masking_constant(value);
}

NodeId NodeContext::result_operand(size_t index) {
  const NodeId node = operand(index);
  const bool is_moved = dtype_of(node) == DType::kInt8 && input(index).type == ElementType::kUint8;
  return is_moved ? small_operand(index) : node;
}

NodeId NodeContext::import_as(void (*function)(NodeContext&), int64_t version,
                              std::vector<std::shared_ptr<Value>> inputs) {
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  NodeContext other(def(), version, false, std::move(inputs), writer_);
  function(other);
  add_asked(other);
  return other.results_.at(0)->node;
}

namespace {

template <typename T>
void append(const Tensor& tensor, Array& array) {
  for (T value : tensor.data<T>()) {
    if (array.is_float()) {
      array.floats.push_back(static_cast<float>(value));
    } else {
      array.ints.push_back(static_cast<int64_t>(value));
    }
  }
}

// The elements of a constant of the graph, which is float32, int8 or int32.
void read_elements(const Tensor& tensor, Array& array) {
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return append<float>(tensor, array);
    case DType::kInt8:
      return append<int8_t>(tensor, array);
    case DType::kInt32:
      return append<int32_t>(tensor, array);
    default:
      VTA_ASSERT(false, "the importer creates only float32, int8 and int32");
  }
}

}  // namespace

// How the value becomes a constant, if it depends on small inputs of the model only.
std::string NodeContext::cure_of(const Value& value) const {
  // Modes and sizes, rather than data.
  constexpr int64_t kMaxSizes = 16;
  const auto is_setting = [](int64_t num_elems, bool is_int32) {
    return num_elems == 1 || (is_int32 && num_elems <= kMaxSizes);
  };
  std::vector<std::string> options;
  std::set<NodeId> seen;
  std::vector<NodeId> open = {value.node};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (id < 0 || !seen.insert(id).second) continue;
    const graph::Node& node = writer_.node(id);
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
    if (node.kind != OpKind::kInput) continue;
    if (!is_setting(node.type.num_elems(), node.type.dtype == DType::kInt32)) return "";
    options.push_back("--input-value " + node.name + "=N");
  }
  if (value.node < 0 && value.is_input &&
      is_setting(num_elems(value.dims), !is_in_float32(value.type)))
    options.push_back("--input-value " + printable(value.name) + "=N");
  if (options.empty()) return "";
  return fmt::format("; {} makes it one", fmt::join(options, " "));
}

const Array& NodeContext::constant(size_t index, const char* what) {
  const Value& value = input(index);
  if (value.array != nullptr) return *value.array;
  if (value.node < 0 || !is_constant(value.node)) {
    refuse("input {} ('{}', {}) is not a constant{}", index, printable(value.name), what,
           cure_of(value));
  }
  // A constant computed by an operator of the graph.
  auto array = std::make_shared<Array>();
  array->type = value.type;
  array->dims = value.dims;
  read_elements(writer_.node(value.node).value, *array);
  inputs_[index]->array = array;
  return *array;
}

std::optional<Dims> NodeContext::integer_list(const char* name, size_t index) {
  if (!lists_as_inputs_) return integers(name);
  if (!has_input(index)) return std::nullopt;
  const Array& array = constant(index, name);
  if (array.is_float() || array.dims.size() > 1) {
    fail(ErrorCode::kCorrupt, "input {} ({}) is {}, expected a list of integers", index, name,
         onnx::to_string(array));
  }
  return array.ints;
}

int64_t NodeContext::axis(int64_t value, int64_t rank, bool inclusive) const {
  if (value < -rank || value > rank || (value == rank && !inclusive)) {
    fail(ErrorCode::kCorrupt, "axis {} is outside a tensor of {}", value, counted(rank, "axis"));
  }
  return value < 0 ? value + rank : value;
}

bool NodeContext::is_open(size_t index) const {
  const Value& value = input(index);
  return value.node >= 0 && writer_.node(value.node).type.is_open();
}

bool NodeContext::is_open(size_t index, size_t axis) const {
  return is_open(index) && writer_.node(input(index).node).type.is_open(axis);
}

size_t NodeContext::first_open_axis(size_t index) const {
  return writer_.node(input(index).node).type.first_open_axis();
}

bool NodeContext::is_known(size_t index) const {
  return input(index).is_constant() || is_constant(input(index).node);
}

bool NodeContext::are_results_known() const {
  return std::all_of(results_.begin(), results_.end(), [&](const std::shared_ptr<Value>& result) {
    return !result->missing.empty() || result->is_constant() || is_constant(result->node);
  });
}

void NodeContext::set_result(NodeId node, ElementType type, size_t output) {
  set_result(node, type, shape_of(node), output);
}

void NodeContext::set_result(NodeId node, ElementType type, Dims dims, size_t output) {
  VTA_ASSERT(shape_of(node) == (dims.empty() ? Dims{1} : dims), "the result has its shape");
  auto value = std::make_shared<Value>();
  value->type = type;
  value->dims = std::move(dims);
  value->node = node;
  set_same(std::move(value), output);
}

void NodeContext::set_constant(Array array, size_t output) {
  writer_.charge_folded(array.size());
  set_stored_constant(std::move(array), output);
}

void NodeContext::set_stored_constant(Array array, size_t output) {
  auto value = std::make_shared<Value>();
  value->type = array.type;
  value->dims = array.dims;
  value->array = std::make_shared<const Array>(std::move(array));
  set_same(std::move(value), output);
}

void NodeContext::set_same(std::shared_ptr<Value> value, size_t output) {
  if (output < results_.size()) results_[output] = std::move(value);
}

}  // namespace vta::onnx
