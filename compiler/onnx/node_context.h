// SPDX-License-Identifier: Apache-2.0
//
// NodeContext: one node of the model during import: its attributes, inputs and results, and the
// graph.
#ifndef VTA_COMPILER_ONNX_NODE_CONTEXT_H_
#define VTA_COMPILER_ONNX_NODE_CONTEXT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/onnx/node_attributes.h"
#include "compiler/onnx/node_builder.h"
#include "compiler/onnx/value.h"

namespace vta::onnx {

// A request for an attribute or input that is missing or of another type is an error that names the
// node; import functions only add their own conditions. Attributes that the import function has not
// asked for are rejected.
class NodeContext : public NodeAttributes, public NodeBuilder {
 public:
  // `inputs`: null for an omitted optional input. `lists_as_inputs`: lists are inputs, not
  // attributes, in this version (inputs_since of operators.def).
  NodeContext(const NodeDef& node, int64_t version, bool lists_as_inputs,
              std::vector<std::shared_ptr<Value>> inputs, GraphWriter& writer);

  // Imports the node as another operator, by that operator's import function and its version: a
  // quantized operator as one on real numbers. It has the node's attributes, `inputs` and one
  // result, whose node in the graph is returned.
  graph::NodeId import_as(void (*function)(NodeContext&), int64_t version,
                          std::vector<std::shared_ptr<Value>> inputs);
  bool lists_as_inputs() const { return lists_as_inputs_; }

  // Inputs.
  size_t num_inputs() const { return inputs_.size(); }
  bool has_input(size_t index) const { return index < inputs_.size() && inputs_[index] != nullptr; }
  const Value& input(size_t index) const;
  std::shared_ptr<Value> shared_input(size_t index) const;
  // Input `index` as a node of the graph. Rejects types that the graph does not support.
  graph::NodeId operand(size_t index);
  // The same, for operators on floating-point numbers only.
  graph::NodeId float_operand(size_t index);
  // The same, for operators that are also exact on small integers in float32. An int8 node of the
  // graph is converted to float32 unless the operator supports int8.
  graph::NodeId small_operand(size_t index, bool keeps_int8 = false);
  // The same, for operators on all numbers: float32, or int32 for integers of more than 16 bits.
  graph::NodeId number_operand(size_t index);
  // The same in int32, for arithmetic on integers of any size, and its result in the element type
  // (small integers wrap around).
  graph::NodeId integer_operand(size_t index);
  graph::NodeId as_integer(graph::NodeId node, ElementType type);
  // Indices: input `index`, of type int32 or int64.
  graph::NodeId index_operand(size_t index);
  // As float_operand(); infinite elements of a constant become the largest finite numbers.
  graph::NodeId finite_operand(size_t index);
  // The same; infinite elements stay: masks.
  graph::NodeId unbounded_operand(size_t index);
  // A network's result: as operand(), with uint8 numbers that the graph holds as int8 in float32.
  graph::NodeId result_operand(size_t index);
  // The elements of input `index`, which must be constant.
  const Array& constant(size_t index, const char* what);
  // Whether the input is a constant of the file or computed from constants.
  bool is_known(size_t index) const;
  // The same, or an input of the network whose value the caller gave.
  bool has_value(size_t index) const { return is_known(index) || input(index).array != nullptr; }
  // A list of integers, from an attribute or from input `index`; none if omitted.
  std::optional<Dims> integer_list(const char* name, size_t index);
  // The shape of input `index`.
  int64_t rank(size_t index) const { return static_cast<int64_t>(input(index).dims.size()); }
  // `axis` counted from the front; must be in [-rank, rank), or [-rank, rank] if `inclusive`.
  int64_t axis(int64_t value, int64_t rank, bool inclusive = false) const;

  // Whether an axis of the input gets its size in a run; `dims` of the input has the upper bound.
  bool is_open(size_t index) const;
  bool is_open(size_t index, size_t axis) const;
  size_t first_open_axis(size_t index) const;  // of an input with open axes

  // Results. `dims` defaults to the node's shape; it differs for scalars only.
  void set_result(graph::NodeId node, ElementType type, size_t output = 0);
  void set_result(graph::NodeId node, ElementType type, Dims dims, size_t output = 0);
  void set_constant(Array array, size_t output = 0);
  void set_stored_constant(Array array, size_t output = 0);  // a constant of the file
  void set_same(std::shared_ptr<Value> value, size_t output = 0);
  const std::vector<std::shared_ptr<Value>>& results() const { return results_; }
  bool are_results_known() const;  // all are constants

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorCode::kUnsupported, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string cure_of(const Value& value) const;
  graph::NodeId graph_input(const Value& value);
  bool has_infinity(size_t index);  // of a constant

  bool lists_as_inputs_;
  std::vector<std::shared_ptr<Value>> inputs_;
  std::vector<std::shared_ptr<Value>> results_;
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_NODE_CONTEXT_H_
