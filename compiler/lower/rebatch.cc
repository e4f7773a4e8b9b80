// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "base/errors/counted.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/independent_images.h"
#include "compiler/lower/passes.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::ImageAxis;
using graph::Node;
using graph::NodeId;

// `value`, which is the same for each of `images` images, for `times` images.
Tensor repeated(const Tensor& value, const ImageAxis& axis, int64_t images, int64_t times) {
  TensorType type = value.type();
  int64_t runs = axis.before;
  for (size_t i = 0; i < axis.axis; ++i) runs *= type.shape[i];
  type.shape[axis.axis] = type.shape[axis.axis] / images * times;
  Tensor result(type);
  const auto run_bytes = static_cast<int64_t>(value.bytes().size()) / (runs * images);
  auto to = result.mutable_bytes().begin();
  for (int64_t run = 0; run < runs; ++run) {
    const auto from = value.bytes().subspan(run * images * run_bytes, run_bytes);
    for (int64_t i = 0; i < times; ++i) to = std::copy(from.begin(), from.end(), to);
  }
  return result;
}

class Rebatch {
 public:
  // Requires a graph after fold_constants(), whose inputs have `images` rows.
  Rebatch(const Graph& graph, const CoreConfig& core, int64_t images)
      : graph_(graph), core_(core), images_(images) {}

  Graph run() {
    const std::vector<std::optional<size_t>> first_axes(graph_.inputs().size(), 0);
    graph::ImageAxes found = graph::find_image_axes(graph_, first_axes, images_);
    if (!found.mixers.empty()) refuse(graph_.node(found.mixers[0]));
    axes_ = std::move(found.axes);
    result_.name = graph_.name;
    for (NodeId id : graph_.order()) copy(graph_.node(id));
    std::vector<NodeId> outputs;
    for (NodeId id : graph_.outputs()) outputs.push_back(output(id));
    result_.set_outputs(outputs);
    result_.erase_dead();
    return std::move(result_);
  }

 private:
  int64_t scaled(int64_t size) const { return size / images_ * core_.batch; }

  void copy(const Node& node) {
    if (node.kind == OpKind::kConstant) {
      copies_[node.id] = result_.add_constant(node.name, node.value);
    } else if (node.kind == OpKind::kInput) {
      copy_input(node);
    } else {
      copy_operator(node);
    }
  }

  void copy_input(const Node& node) {
    TensorType type = node.type;
    type.shape[0] = core_.batch;
    copies_[node.id] = result_.copy_input(node, node.name, type);
  }

  void copy_operator(const Node& node) {
    const auto images = axis_of(node.id);
    std::vector<NodeId> inputs;
    for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(operand(node, i, images));
    TensorType expected = node.type;
    if (images) expected.shape[images->axis] = scaled(expected.shape[images->axis]);
    const OpAttrs attrs = images ? attrs_of(node, *images) : node.attrs;
    const NodeId copy = result_.add(node.kind, node.name, inputs, attrs);
    VTA_ASSERT(result_.node(copy).type == expected, "images are on the expected axis");
    copies_[node.id] = copy;
  }

  [[noreturn]] void refuse(const Node& node) const {
    fail(ErrorCode::kUnsupported, "core {} takes {} images at once; layer {} ({}) combines them",
         core_.name, core_.batch, node.name, to_string(node.kind));
  }

  std::optional<ImageAxis> axis_of(NodeId id) const {
    const auto found = axes_.find(id);
    return found == axes_.end() ? std::nullopt : std::optional(found->second);
  }

  // `result`: of the node; nullopt if it is the same for all images.
  NodeId operand(const Node& node, size_t i, const std::optional<ImageAxis>& result) {
    const NodeId input = node.inputs[i];
    if (!result || axes_.contains(input)) return copies_.at(input);
    const auto axis = repeated_axis_of(graph_, node, i, *result);
    if (!axis) return copies_.at(input);
    const Node& constant = graph_.node(input);
    return result_.add_constant(result_.free_name(graph_.free_name(constant.name + ".repeated")),
                                repeated(constant.value, *axis, images_, core_.batch));
  }

  OpAttrs attrs_of(const Node& node, const ImageAxis& images) const {
    OpAttrs attrs = node.attrs;
    const int64_t size = scaled(node.type.shape[images.axis]);
    if (node.kind == OpKind::kReshape) attrs.shape[images.axis] = size;
    if (node.kind == OpKind::kStridedSlice) {
      attrs.begin[images.axis] = 0;
      attrs.end[images.axis] = size;
      attrs.step[images.axis] = 1;
    }
    return attrs;
  }

  // Users of outputs expect the images on the first axis.
  NodeId output(NodeId id) {
    const auto images = axis_of(id);
    if (!images) return same_output(graph_.node(id));
    if (*images != ImageAxis{}) {
      fail(ErrorCode::kUnsupported,
           "core {} takes {} images at once; output {} does not have them on its first axis",
           core_.name, core_.batch, graph_.node(id).name);
    }
    return copies_.at(id);
  }

  // An output that no input changes, such as the prior boxes of a detector: a row for each image.
  NodeId same_output(const Node& node) {
    if (node.kind != OpKind::kConstant || node.type.shape.at(0) != 1 || images_ != 1) {
      fail(ErrorCode::kUnsupported,
           "core {} takes {} images at once; output {} is the same for each, and its first axis "
           "has {} instead of 1: compile for a core of batch 1, such as vta_1x16",
           core_.name, core_.batch, node.name, node.type.shape.at(0));
    }
    NodeId& copy = copies_.at(node.id);                     // whose users have been copied
    if (result_.node(copy).type != node.type) return copy;  // an output twice
    const std::string name = result_.node(copy).name;
    result_.rename(copy, result_.free_name(name + ".one"));
    copy = result_.add_constant(name, repeated(node.value, ImageAxis{}, 1, core_.batch));
    return copy;
  }

  const Graph& graph_;
  const CoreConfig& core_;
  const int64_t images_;  // batch size of graph_
  Graph result_;
  std::map<NodeId, NodeId> copies_;
  std::map<NodeId, ImageAxis> axes_;  // of values that depend on an input
};

}  // namespace

Graph rebatch(const Graph& graph, const CoreConfig& core) {
  const std::vector<NodeId> inputs = graph.inputs();
  if (inputs.empty()) return graph;
  const int64_t images = graph.node(inputs[0]).type.shape.at(0);
  if (images == core.batch) return graph;
  for (NodeId id : inputs) {
    const Node& input = graph.node(id);
    if (input.type.shape.at(0) == images) continue;
    fail(ErrorCode::kUnsupported, "input {} has {}, the first input has {}", input.name,
         counted(input.type.shape[0], "image"), images);
  }
  Graph folded = graph;
  graph::fold_constants(folded);
  return Rebatch(folded, core, images).run();
}

}  // namespace vta::lower
