// SPDX-License-Identifier: Apache-2.0
//
// Table of core operators, the compiler's side of runtime/program/core_operators.def: when the core
// takes an operator and how its stream is made. Each family of the list has one CoreLowering, which
// the source file of its lowering defines; a family without one does not link, and an incomplete
// CoreLowering does not compile.
#ifndef VTA_COMPILER_LOWER_CORE_LOWERINGS_H_
#define VTA_COMPILER_LOWER_CORE_LOWERINGS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/stream_builder.h"
#include "runtime/program/program.h"
#include "runtime/tensor/host_reason.h"

namespace vta::lower {

// The state of partition() when it reaches a node: all earlier nodes are assigned.
struct PartitionState {
  const graph::Graph& graph;
  const CoreConfig& core;
  bool thin_first_convolution;  // takes a first convolution of fewer than block_in channels
  std::set<graph::NodeId> after_convolution;  // convolutions and everything that depends on one

  const graph::Node& operand(const graph::Node& node, size_t i) const {
    return graph.node(node.inputs.at(i));
  }
  // Whether the core leaves the node's result in the layout that other operators take.
  static bool is_image_on_core(const graph::Node& node) {
    return node.on_core && result_layout(node.kind) == Layout::kImages;
  }
};

// A residual add that is computed in the stream of one of its operands.
struct FusedAdd {
  graph::NodeId node;
  size_t residual_operand;  // index of the operand that is loaded; the stream computes the other
};

// A step of kind kCore and the places of its values, all packed.
struct CoreStepRequest {
  const graph::Graph& graph;
  const graph::Node& node;            // the step's operator
  const FusedAdd* add;                // nullptr: none
  const graph::Node* pool;            // max pool of the result; nullptr: none
  std::vector<DramAddress> operands;  // as the step's inputs; the add's operand is last
  DramAddress result;
  int64_t result_elems;  // elements of OUT
  LayerContext& context;
};

// Value of a member that has no default: leaving it out of an initializer does not compile. It
// converts implicitly from and to T.
template <typename T>
class Required {
 public:
  constexpr Required(T value) : value_(value) {}   // NOLINT(google-explicit-constructor)
  constexpr operator T() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  T value_;
};

enum class ResultBound {
  kClip,      // elements are at least attribute `lo`
  kOperands,  // no element is negative unless one of an operand is
};

struct CoreLowering {
  // Why the node has to run on the host; nullopt: the core takes it.
  std::optional<HostReason> (&obstacle)(const PartitionState& state, const graph::Node& node);
  // Appends the step's constants to the arena image and its instructions to the context's stream.
  // Returns the size of its tiles, as in LayerPlan.
  std::string (&lower)(const CoreStepRequest& step);
  // Number of operands that the stream reads from the arena, from the first; the others are
  // constants that lower() appends to the image.
  Required<size_t> arena_operands;
  Required<ResultBound> bound;
  Required<bool> is_view;       // moves no data; its stream only copies an operand if needed
  Required<bool> can_fuse_add;  // a residual add of the result may be computed in its stream
  // Whether a max pool of the node's result, its only use, should be computed in its stream: it
  // fits and costs less than a layer of its own. nullptr: never.
  bool (*fuses_pool)(const graph::Graph& graph, const graph::Node& node, const graph::Node& pool,
                     LayerContext& context) = nullptr;
};

#define VTA_CORE_OP(kind, family, check, products) extern const CoreLowering k##family##Lowering;
#include "runtime/program/core_operators.def"

// Whether no element of the node's int8 result can be negative.
bool is_never_negative(const graph::Graph& graph, const graph::Node& node);

// nullptr if the core does not have the operator.
const CoreLowering* find_core_lowering(OpKind kind);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CORE_LOWERINGS_H_
