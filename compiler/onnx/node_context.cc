// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/node_context.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "compiler/onnx/graph_limits.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

const char* to_string(Attribute::Kind kind) {
  constexpr const char* kNames[] = {"a number", "an integer", "a text",
                                    "a tensor", "numbers",    "integers",
                                    "texts",    "a graph",    "of another kind"};
  return kNames[static_cast<int>(kind)];
}

std::string layer_name(const NodeDef& node) {
  if (!node.name.empty()) return node.name;
  for (const std::string& output : node.outputs) {
    if (!output.empty()) return output;
  }
  return node.op;
}

}  // namespace

NodeContext::NodeContext(const NodeDef& node, int64_t version, bool lists_as_inputs,
                         std::vector<std::shared_ptr<Value>> inputs, GraphWriter& writer)
    : node_(node),
      version_(version),
      lists_as_inputs_(lists_as_inputs),
      inputs_(std::move(inputs)),
      writer_(writer),
      layer_(layer_name(node)),
      results_(std::max<size_t>(node.outputs.size(), 1)) {  // import_as() returns the first
  for (size_t i = 0; i < results_.size(); ++i) {
    results_[i] = std::make_shared<Value>();
    results_[i]->missing = fmt::format("output {} of {} is not supported", i, node.op);
  }
}

const Attribute* NodeContext::attribute(const char* name) {
  asked_.insert(name);
  const auto found = node_.attributes.find(name);
  return found == node_.attributes.end() ? nullptr : &found->second;
}

namespace {

const Attribute& expect(const Attribute& attribute, const char* name, Attribute::Kind kind) {
  if (attribute.kind != kind) {
    fail(ErrorCode::kCorrupt, "attribute '{}' is {}, expected {}", name, to_string(attribute.kind),
         to_string(kind));
  }
  return attribute;
}

}  // namespace

bool NodeContext::has_attr(const char* name) { return attribute(name) != nullptr; }

int64_t NodeContext::integer(const char* name, int64_t fallback) {
  const Attribute* found = attribute(name);
  return found == nullptr ? fallback : expect(*found, name, Attribute::Kind::kInt).integer;
}

bool NodeContext::flag(const char* name, bool fallback) {
  const int64_t value = integer(name, fallback ? 1 : 0);
  if (value != 0 && value != 1) {
    fail(ErrorCode::kCorrupt, "attribute '{}' is {}, expected 0 or 1", name, value);
  }
  return value == 1;
}

double NodeContext::number(const char* name, double fallback) {
  const Attribute* found = attribute(name);
  if (found == nullptr) return fallback;
  const float value = expect(*found, name, Attribute::Kind::kFloat).number;
  if (!std::isfinite(value)) refuse("attribute '{}' is {}, expected a finite number", name, value);
  return value;
}

std::string NodeContext::text(const char* name, const char* fallback) {
  const Attribute* found = attribute(name);
  return found == nullptr ? fallback : expect(*found, name, Attribute::Kind::kText).text;
}

std::optional<Dims> NodeContext::integers(const char* name) {
  const Attribute* found = attribute(name);
  if (found == nullptr) return std::nullopt;
  return expect(*found, name, Attribute::Kind::kInts).integers;
}

void NodeContext::set_branch(const char* name) {
  const Attribute* found = attribute(name);
  if (found == nullptr) fail(ErrorCode::kCorrupt, "attribute '{}' is missing", name);
  branch_ = expect(*found, name, Attribute::Kind::kGraph).graph;
}

void NodeContext::refuse_unknown_attributes() const {
  for (const auto& [name, value] : node_.attributes) {
    if (asked_.count(name) == 0) {
      refuse("attribute '{}' is not known for version {}", printable(name), version_);
    }
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

// Integers of more than 16 bits are int32 in the graph.
Tensor int32_tensor(const Array& array) {
  Tensor tensor({DType::kInt32, array.dims.empty() ? Dims{1} : array.dims});
  const std::span<int32_t> values = tensor.mutable_data<int32_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (array.ints[i] < lowest(ElementType::kInt32) ||
        array.ints[i] > highest(ElementType::kInt32)) {
      fail(ErrorCode::kUnsupported, "constant {} is outside int32", array.ints[i]);
    }
    values[i] = static_cast<int32_t>(array.ints[i]);
  }
  return tensor;
}

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
    refuse("input {} ('{}') has {} axes, supported are {}", index, printable(value.name),
           value.dims.size(), kMaxRank);
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
  OpAttrs numbers;
  numbers.unit = 1;
  numbers.zero = zero_level(value.type);
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
  return writer_.add_constant(layer_ + ".constant", value, true);
}

NodeId NodeContext::result_operand(size_t index) {
  const NodeId node = operand(index);
  const bool is_moved = dtype_of(node) == DType::kInt8 && input(index).type == ElementType::kUint8;
  return is_moved ? small_operand(index) : node;
}

NodeId NodeContext::import_as(void (*function)(NodeContext&), int64_t version,
                              std::vector<std::shared_ptr<Value>> inputs) {
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  NodeContext other(node_, version, false, std::move(inputs), writer_);
  function(other);
  asked_.insert(other.asked_.begin(), other.asked_.end());
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

const Array& NodeContext::constant(size_t index, const char* what) {
  const Value& value = input(index);
  if (value.array != nullptr) return *value.array;
  if (value.node < 0 || !is_constant(value.node)) {
    refuse("input {} ('{}', {}) is not a constant", index, printable(value.name), what);
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
    fail(ErrorCode::kCorrupt, "axis {} is outside a tensor of {} axes", value, rank);
  }
  return value < 0 ? value + rank : value;
}

NodeId NodeContext::add(OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs) {
  return writer_.add(kind, layer_, std::move(inputs), std::move(attrs));
}

NodeId NodeContext::add_named(OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs) {
  return writer_.add(kind, layer_ + "." + node_.op, std::move(inputs), std::move(attrs));
}

NodeId NodeContext::add_constant(Tensor value) {
  return writer_.add_constant(layer_ + ".constant", std::move(value));
}

NodeId NodeContext::add_scalar(double value, DType type) {
  if (type == DType::kInt32) {
    const auto low = static_cast<double>(lowest(ElementType::kInt32));
    const auto high = static_cast<double>(highest(ElementType::kInt32));
    if (!(value >= low && value <= high)) refuse("constant {} is outside int32", value);
    return add_indices({1}, {static_cast<int64_t>(value)});
  }
  return add_constant(Tensor({1}, std::vector<float>{static_cast<float>(value)}));
}

NodeId NodeContext::add_unbounded(float value) {
  return writer_.add_constant(layer_ + ".constant", Tensor({1}, std::vector<float>{value}), true);
}

NodeId NodeContext::add_indices(const Dims& dims, const std::vector<int64_t>& values) {
  return add_constant(int32_tensor(onnx::integers(dims, values)));
}

NodeId NodeContext::add_positions(size_t rank, int64_t axis, int64_t count) {
  Dims dims(rank, 1);
  dims[static_cast<size_t>(axis)] = count;
  Tensor positions = new_constant(dims, DType::kInt32);
  const auto numbers = positions.mutable_data<int32_t>();
  std::iota(numbers.begin(), numbers.end(), 0);
  return add_constant(std::move(positions));
}

NodeId NodeContext::unary(UnaryFunction function, NodeId x) {
  OpAttrs attrs;
  attrs.function = function;
  return add(OpKind::kUnary, {x}, attrs);
}

NodeId NodeContext::binary(BinaryFunction function, NodeId a, NodeId b) {
  OpAttrs attrs;
  attrs.operation = function;
  return add(OpKind::kBinary, {a, b}, attrs);
}

NodeId NodeContext::cast(NodeId x, Format format) {
  OpAttrs attrs;
  attrs.format = format;
  // A tensor of this format already.
  if (dtype_of(x) == DType::kInt32 && format == Format::kInt32) return x;
  return add(OpKind::kCast, {x}, attrs);
}

NodeId NodeContext::reduce(Reduction reduction, NodeId x, const Dims& axes) {
  OpAttrs attrs;
  attrs.reduction = reduction;
  attrs.axes = axes;
  return add(OpKind::kReduce, {x}, attrs);
}

namespace {

int64_t product(const Dims& dims, size_t end) {
  int64_t result = 1;
  for (size_t i = 0; i < end; ++i) result *= dims[i];
  return result;
}

// The axis of `to` that holds the elements of the first open axis of `from`, in row-major order.
// Among axes of size 1 that is the same position, if possible.
int64_t axis_with_open_elements(const TensorType& from, const Dims& to) {
  const size_t open = from.first_open_axis();
  const int64_t begin = product(from.shape, open), end = product(from.shape, open + 1);
  const auto holds = [&](size_t axis) {
    return product(to, axis) <= begin && product(to, axis + 1) >= end;
  };
  if (open < to.size() && holds(open)) return static_cast<int64_t>(open);
  for (size_t axis = 0; axis < to.size(); ++axis) {
    if (holds(axis)) return static_cast<int64_t>(axis);
  }
  fail(ErrorCode::kUnsupported,
       "{} cannot become [{}]: the elements of its open axis are on several", to_string(from),
       fmt::join(to, ", "));
}

}  // namespace

NodeId NodeContext::reshaped(NodeId node, const Dims& dims, std::optional<int64_t> open_axis) {
  const Dims& from = shape_of(node);
  const Dims to = dims.empty() ? Dims{1} : dims;
  const TensorType& type = writer_.node(node).type;
  if (type.is_open()) {
    if (std::popcount(type.open_axes) > 1)
      fail(ErrorCode::kUnsupported, "{} has several open axes: no reshape keeps both",
           to_string(type));
    OpAttrs attrs;
    attrs.shape = to;
    attrs.open_axes = {open_axis ? *open_axis : axis_with_open_elements(type, to)};
    const bool is_same = from == to && type.open_axes == 1 << attrs.open_axes[0];
    return is_same ? node : add(OpKind::kReshape, {node}, attrs);
  }
  if (from == to) return node;
  // Cancels a reshape: consecutive layers of one spatial axis stay images.
  const graph::Node& before = writer_.node(node);
  if ((before.kind == OpKind::kReshape || before.kind == OpKind::kFlatten) &&
      shape_of(before.inputs[0]) == to) {
    return before.inputs[0];
  }
  // To rows of features: flatten, which the quantizer and the core support.
  const bool flattens = to.size() == 2 && from.size() > 2 && from[0] == to[0];
  if (flattens) return add(OpKind::kFlatten, {node});
  OpAttrs attrs;
  attrs.shape = to;
  return add(OpKind::kReshape, {node}, attrs);
}

NodeId NodeContext::sliced(NodeId node, size_t axis, int64_t begin, int64_t end, int64_t step) {
  const Dims& dims = shape_of(node);
  if (begin == 0 && step == 1 && end == dims[axis]) return node;
  OpAttrs attrs;
  attrs.begin.assign(dims.size(), 0);
  attrs.end = dims;
  attrs.step.assign(dims.size(), 1);
  attrs.open_axes = writer_.node(node).type.open_axis_list();
  attrs.begin[axis] = begin;
  attrs.end[axis] = end;
  attrs.step[axis] = step;
  return add(OpKind::kStridedSlice, {node}, attrs);
}

NodeId NodeContext::transposed(NodeId node, const Dims& perm) {
  if (std::is_sorted(perm.begin(), perm.end())) return node;
  OpAttrs attrs;
  attrs.perm = perm;
  return add(OpKind::kTranspose, {node}, attrs);
}

bool NodeContext::is_constant(NodeId node) const { return writer_.is_constant(node); }

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
