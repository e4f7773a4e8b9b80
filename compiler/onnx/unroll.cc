// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/unroll.h"

#include <algorithm>
#include <limits>

#include "base/errors/counted.h"
#include "compiler/onnx/fold.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;
using ValueRef = std::shared_ptr<Value>;

constexpr int64_t kMaxIterations = 512;

// Operators on `values` for the node.
class Part {
 public:
  Part(const NodeContext& node, Values values, GraphWriter& writer)
      : def_{node.def().name, node.def().op, "", {}, {"part"}, {}},
        context_(def_, 1, false, std::move(values), writer) {}

  NodeContext& context() { return context_; }
  ValueRef result(NodeId node, ElementType type, const Dims& dims) {
    context_.set_result(node, type, dims);
    return context_.results()[0];
  }

 private:
  const NodeDef def_;
  NodeContext context_;
};

ValueRef constant_value(ElementType type, int64_t number) {
  auto value = std::make_shared<Value>();
  Array array = make_array(type, {}, true);
  array.ints = {number};
  value->type = type;
  value->array = std::make_shared<const Array>(std::move(array));
  return value;
}

// A bool that the body computes; it must be known.
bool condition_of(const NodeContext& node, const ValueRef& value, GraphWriter& writer) {
  Part part(node, {value}, writer);
  const Array& array = part.context().constant(0, "the body's condition");
  if (array.type != ElementType::kBool || array.size() != 1)
    fail(ErrorCode::kCorrupt, "the body's condition is {}", to_string(array));
  return array.ints[0] != 0;
}

// The values along a new axis, which may be counted from the end.
ValueRef stacked(const NodeContext& node, Values values, int64_t axis, bool reverses,
                 GraphWriter& writer) {
  if (values.empty())
    node.refuse("without iterations the result is empty; empty tensors are not supported");
  if (reverses) std::ranges::reverse(values);
  const ElementType type = values[0]->type;
  Dims dims = values[0]->dims;
  axis = node.axis(axis, static_cast<int64_t>(dims.size()) + 1);
  dims.insert(dims.begin() + axis, 1);
  const size_t count = values.size();
  Part part(node, std::move(values), writer);
  std::vector<NodeId> parts;
  for (size_t i = 0; i < count; ++i)
    parts.push_back(part.context().reshaped(part.context().operand(i), dims));
  dims[static_cast<size_t>(axis)] = static_cast<int64_t>(count);
  return part.result(concatenated(part.context(), std::move(parts), axis), type, dims);
}

// Element `index` of an axis, which is removed.
ValueRef slice_of(const NodeContext& node, const ValueRef& value, int64_t axis, int64_t index,
                  GraphWriter& writer) {
  Part part(node, {value}, writer);
  Dims dims = value->dims;
  dims.erase(dims.begin() + axis);
  const NodeId slice =
      part.context().sliced(part.context().operand(0), static_cast<size_t>(axis), index, index + 1);
  return part.result(part.context().reshaped(slice, dims), value->type, dims);
}

int64_t scalar_of(NodeContext& node, size_t index, const char* what) {
  const Array& array = node.constant(index, what);
  if (array.is_float() || array.size() != 1)
    fail(ErrorCode::kCorrupt, "{} is {}", what, to_string(array));
  return array.ints[0];
}

void check_iterations(const NodeContext& node, int64_t count) {
  if (count > kMaxIterations)
    node.refuse("more than {} iterations are not unrolled", kMaxIterations);
}

// The numbers of an attribute with one for each of `count` values; absent: zeros.
Dims numbers_of(NodeContext& node, const char* name, size_t count) {
  Dims numbers = node.integers(name).value_or(Dims(count, 0));
  if (numbers.size() != count) {
    fail(ErrorCode::kCorrupt, "attribute '{}' has {}, expected {}", name,
         counted(numbers.size(), "number"), count);
  }
  return numbers;
}

}  // namespace

Values unroll_loop(NodeContext& node, const Values& inputs, size_t num_outputs, GraphWriter& writer,
                   const ImportBody& import_body) {
  const int64_t trips =
      node.has_input(0) ? scalar_of(node, 0, "M") : std::numeric_limits<int64_t>::max();
  bool goes_on = !node.has_input(1) || scalar_of(node, 1, "cond") != 0;
  Values carried(inputs.begin() + static_cast<int64_t>(std::min<size_t>(2, inputs.size())),
                 inputs.end());
  if (num_outputs < 1 + carried.size())
    fail(ErrorCode::kCorrupt, "the body has {} for {}", counted(num_outputs, "output"),
         counted(inputs.size(), "input"));
  std::vector<Values> scanned(num_outputs - 1 - carried.size());
  for (int64_t trip = 0; goes_on && trip < trips; ++trip) {
    check_iterations(node, trip + 1);
    Values arguments = {constant_value(ElementType::kInt64, trip),
                        constant_value(ElementType::kBool, 1)};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    const Values results = import_body(arguments);
    goes_on = condition_of(node, results.at(0), writer);
    const auto first_scanned = results.begin() + 1 + static_cast<int64_t>(carried.size());
    for (size_t i = 0; i < scanned.size(); ++i)
      scanned[i].push_back(first_scanned[static_cast<int64_t>(i)]);
    carried.assign(results.begin() + 1, first_scanned);
  }
  for (Values& values : scanned)
    carried.push_back(stacked(node, std::move(values), 0, false, writer));
  return carried;
}

Values unroll_scan(NodeContext& node, const Values& inputs, size_t num_outputs, GraphWriter& writer,
                   const ImportBody& import_body) {
  const int64_t count = node.integer("num_scan_inputs", 0);
  if (count < 1 || count > std::ssize(inputs))
    fail(ErrorCode::kCorrupt, "scans {} of {}", count, counted(inputs.size(), "input"));
  const size_t num_states = inputs.size() - static_cast<size_t>(count);
  if (num_outputs < num_states)
    fail(ErrorCode::kCorrupt, "the body has {} for {}", counted(num_outputs, "output"),
         counted(num_states, "state"));
  Dims axes = numbers_of(node, "scan_input_axes", static_cast<size_t>(count));
  const Dims backward = numbers_of(node, "scan_input_directions", static_cast<size_t>(count));
  const size_t num_scanned = num_outputs - num_states;
  const Dims result_axes = numbers_of(node, "scan_output_axes", num_scanned);
  const Dims result_backward = numbers_of(node, "scan_output_directions", num_scanned);
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = node.axis(axes[i], node.rank(num_states + i));
  const int64_t length = inputs[num_states]->dims[static_cast<size_t>(axes[0])];
  check_iterations(node, length);
  Values states(inputs.begin(), inputs.begin() + static_cast<int64_t>(num_states));
  std::vector<Values> scanned(num_scanned);
  for (int64_t step = 0; step < length; ++step) {
    Values arguments = states;
    for (size_t i = 0; i < axes.size(); ++i) {
      const int64_t at = backward[i] != 0 ? length - 1 - step : step;
      arguments.push_back(slice_of(node, inputs[num_states + i], axes[i], at, writer));
    }
    const Values results = import_body(arguments);
    const auto first_scanned = results.begin() + static_cast<int64_t>(num_states);
    for (size_t i = 0; i < num_scanned; ++i)
      scanned[i].push_back(first_scanned[static_cast<int64_t>(i)]);
    states.assign(results.begin(), first_scanned);
  }
  for (size_t i = 0; i < num_scanned; ++i) {
    states.push_back(
        stacked(node, std::move(scanned[i]), result_axes[i], result_backward[i] != 0, writer));
  }
  return states;
}

}  // namespace vta::onnx
