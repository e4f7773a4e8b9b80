// SPDX-License-Identifier: Apache-2.0
//
// NodeContext: one node of the model during import, with access to its inputs and the graph.
#ifndef VTA_COMPILER_ONNX_NODE_CONTEXT_H_
#define VTA_COMPILER_ONNX_NODE_CONTEXT_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/onnx/graph_writer.h"
#include "compiler/onnx/model.h"
#include "compiler/onnx/value.h"

namespace vta::onnx {

// A request for an attribute or input that is missing or of another type is an error that names the
// node; import functions only add their own conditions.
class NodeContext {
 public:
  // `inputs`: null for an omitted optional input. `lists_as_inputs`: lists are inputs, not
  // attributes, in this version (inputs_since of operators.def).
  NodeContext(const NodeDef& node, int64_t version, bool lists_as_inputs,
              std::vector<std::shared_ptr<Value>> inputs, GraphWriter& writer);

  const NodeDef& def() const { return node_; }

  // Imports the node as another operator, by that operator's import function and its version: a
  // quantized operator as one on real numbers. It has the node's attributes, `inputs` and one
  // result, whose node in the graph is returned.
  graph::NodeId import_as(void (*function)(NodeContext&), int64_t version,
                          std::vector<std::shared_ptr<Value>> inputs);
  int64_t version() const { return version_; }
  bool lists_as_inputs() const { return lists_as_inputs_; }

  // Attributes. Attributes not consumed by the import function are rejected.
  bool has_attr(const char* name);
  int64_t integer(const char* name, int64_t fallback);
  bool flag(const char* name, bool fallback);  // 0 or 1
  double number(const char* name, double fallback);
  std::string text(const char* name, const char* fallback);
  std::optional<Dims> integers(const char* name);
  const Attribute* attribute(const char* name);  // null if absent
  void refuse_unknown_attributes() const;
  // The importer puts this graph, an attribute, in place of the node.
  void set_branch(const char* name);
  const Model* branch() const { return branch_.get(); }

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

  // The graph.
  graph::NodeId add(OpKind kind, std::vector<graph::NodeId> inputs, OpAttrs attrs = {});
  // The same, named after the operator of ONNX, too: errors of a run name it then.
  graph::NodeId add_named(OpKind kind, std::vector<graph::NodeId> inputs, OpAttrs attrs = {});
  graph::NodeId add_constant(Tensor value);
  graph::NodeId add_scalar(double value, DType type = DType::kFloat32);  // [1]
  graph::NodeId add_unbounded(float value);                              // [1], may be infinite
  graph::NodeId add_indices(const Dims& dims, const std::vector<int64_t>& values);  // int32
  // 0 to count - 1 along `axis` of `rank` axes, int32; the other axes have one element.
  graph::NodeId add_positions(size_t rank, int64_t axis, int64_t count);
  graph::NodeId unary(UnaryFunction function, graph::NodeId x);
  graph::NodeId binary(BinaryFunction function, graph::NodeId a, graph::NodeId b);
  graph::NodeId cast(graph::NodeId x, Format format);
  graph::NodeId reduce(Reduction reduction, graph::NodeId x, const Dims& axes);  // keeps axes
  // `node` if it has that shape. If it has open axes, `open_axis` of the result is open: by default
  // the one that holds the elements of the node's open axis.
  graph::NodeId reshaped(graph::NodeId node, const Dims& dims,
                         std::optional<int64_t> open_axis = std::nullopt);
  graph::NodeId transposed(graph::NodeId node, const Dims& perm);
  // Elements begin, begin + step, ... before end of an axis; `node` if these are all.
  graph::NodeId sliced(graph::NodeId node, size_t axis, int64_t begin, int64_t end,
                       int64_t step = 1);
  const Dims& shape_of(graph::NodeId node) const { return writer_.node(node).type.shape; }
  DType dtype_of(graph::NodeId node) const { return writer_.node(node).type.dtype; }
  bool is_constant(graph::NodeId node) const;
  // Whether an axis of the input gets its size in a run; `dims` of the input has the upper bound.
  bool is_open(size_t index) const;
  bool is_open(size_t index, size_t axis) const;
  size_t first_open_axis(size_t index) const;  // of an input with open axes
  const graph::Node& graph_node(graph::NodeId node) const { return writer_.node(node); }
  const graph::Graph& graph() const { return writer_.graph(); }

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
  graph::NodeId graph_input(const Value& value);
  bool has_infinity(size_t index);  // of a constant

  const NodeDef& node_;
  int64_t version_;
  bool lists_as_inputs_;
  std::vector<std::shared_ptr<Value>> inputs_;
  GraphWriter& writer_;
  std::string layer_;  // base name of the graph's nodes
  std::set<std::string> asked_;
  std::shared_ptr<const Model> branch_;
  std::vector<std::shared_ptr<Value>> results_;
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_NODE_CONTEXT_H_
