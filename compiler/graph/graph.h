// SPDX-License-Identifier: Apache-2.0
//
// Graph: a network as operators on tensors, in topological order.
#ifndef VTA_COMPILER_GRAPH_GRAPH_H_
#define VTA_COMPILER_GRAPH_GRAPH_H_

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::graph {

using NodeId = int32_t;

struct Node {
  NodeId id = -1;
  std::string name;  // unique in the graph, of [A-Za-z0-9_./:-]; that of the source layer
  OpKind kind = OpKind::kInput;
  OpAttrs attrs;  // with defaults for those that `kind` does not have
  std::vector<NodeId> inputs;
  TensorType type;       // of the single result
  Tensor value;          // of a constant
  bool on_core = false;  // set by the pass `partition`

  // Those of `kKind`, which must be the node's.
  template <OpKind kKind>
  Attrs<kKind> attrs_of() const {
    VTA_ASSERT(kind == kKind, (name + " is not " + to_string(kKind)).c_str());
    return attrs;
  }
};

// Node ids are stable; order() is a topological order. A pass may change a node's attributes and
// values in place; its name and operands have indices, and are changed by rename() and set_inputs()
// only, which verify() checks. Names and single users are found by index; inputs(), users() of
// several, and edits of order() pass over its ids.
class Graph {
 public:
  std::string name;

  // The next one of inputs().
  NodeId add_input(const std::string& name, TensorType type);
  // The input of a copy of a graph: with the place in inputs() of `source`, in whatever order nodes
  // are copied. Callers feed inputs by these places.
  NodeId copy_input(const Node& source, const std::string& name, TensorType type);
  // Placed at the end of the order, or directly before `position`.
  NodeId add_constant(const std::string& name, Tensor value);
  NodeId insert_constant_before(NodeId position, const std::string& name, Tensor value);
  // Infers the type of the result. Asserts that all attributes that the operator does not have are
  // defaults. Errors: as infer_type(), prefixed with the node's name.
  NodeId add(OpKind kind, const std::string& name, std::vector<NodeId> inputs, OpAttrs attrs = {});
  // As add(), but placed in the order directly before `position`.
  NodeId insert_before(NodeId position, OpKind kind, const std::string& name,
                       std::vector<NodeId> inputs, OpAttrs attrs = {});

  // The type of an operator's result.
  // Errors: as infer_type(); for an operand with open axes, also the node that made them open.
  TensorType result_type(OpKind kind, const OpAttrs& attrs,
                         const std::vector<NodeId>& inputs) const;

  // The operator that made the first open axes on which those of this node depend.
  const Node& open_origin(NodeId id) const;

  Node& node(NodeId id);
  const Node& node(NodeId id) const;
  bool contains(NodeId id) const;
  const std::vector<NodeId>& order() const { return order_; }
  std::vector<NodeId> inputs() const;  // input nodes by attrs.index
  const std::vector<NodeId>& outputs() const { return outputs_; }
  void set_outputs(std::vector<NodeId> outputs) { outputs_ = std::move(outputs); }

  // The first of `wanted`, `wanted`_2, `wanted`_3, ... that is not a node's name: networks choose
  // the names of their layers freely.
  std::string free_name(const std::string& wanted) const;

  std::vector<NodeId> users(NodeId id) const;  // each once, in order; graph outputs are not users
  bool is_output(NodeId id) const;
  bool is_constant(NodeId id) const { return node(id).kind == OpKind::kConstant; }

  // `name`: one that free_name() gives.
  void rename(NodeId id, std::string node_name);
  void set_inputs(NodeId id, std::vector<NodeId> inputs);
  void set_input(NodeId id, size_t operand, NodeId input);

  // Replaces every use of `from` by `to`, including graph outputs.
  void replace_uses(NodeId from, NodeId to);
  // Asserts that the node is unused.
  void erase(NodeId id);
  // Erases nodes that no output depends on, except inputs. Returns whether the graph changed.
  bool erase_dead();

 private:
  Node make(OpKind kind, const std::string& name, std::vector<NodeId> inputs, OpAttrs attrs) const;
  Node make_constant(const std::string& name, Tensor value) const;
  NodeId place(Node node, size_t position);
  size_t index_of(NodeId id) const;
  void add_uses(const Node& node);
  void remove_uses(const Node& node);
  void take_name(const std::string& taken);
  void release_name(const std::string& released);
  void remove(NodeId id);
  friend bool has_true_indices(const Graph& graph);

  std::deque<std::optional<Node>> nodes_;  // by id; references stay valid
  std::vector<NodeId> order_;
  std::vector<NodeId> outputs_;
  std::unordered_map<NodeId, std::map<NodeId, size_t>> uses_;  // users, and as how many operands
  std::unordered_map<std::string, size_t> names_;              // and the number of their nodes
  // The suffixes below this one are taken, of names that free_name() has looked for.
  mutable std::unordered_map<std::string, size_t> first_suffixes_;
};

// The text form, one node per line:
//
//   graph resnet18
//   %data = input() : float32[1, 3, 224, 224]
//   %conv0 = conv2d(%data, %conv0.weight) {stride = [2, 2]} : float32[1, 64, 112, 112]
//   return %fc
//
// After its type, a constant of at most 16 elements has its values, as ` = [1, 2.5]`, and a larger
// one the CRC-32 of its bytes, as ` crc32 0x1b2c3d4e`. The line of a node on the core ends with
// "@core".
std::string to_text(const Graph& graph);
bool has_values_in_text(const Tensor& constant);  // else their checksum

// Parses the text form; ids follow the order of the lines. Constants whose values are not in the
// text become zeros. Empty lines and lines that start with '#' are skipped.
// Errors: kCorrupt, naming the line.
Graph from_text(const std::string& text);

// Whether the indices of names and users are those of the nodes.
bool has_true_indices(const Graph& graph);

// Throws std::logic_error, naming the node, if the graph violates an invariant. Names are
// well-formed and unique, indices true, inputs before users, arities right, and types as
// infer_type() infers them. Constants have their stated type, per-channel shifts are from 0 to 31,
// and outputs exist. Call it after every pass.
void verify(const Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_GRAPH_H_
