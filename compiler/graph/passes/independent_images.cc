// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/independent_images.h"

#include <algorithm>

#include "compiler/graph/passes/fold_constants.h"

namespace vta::graph {
namespace {

// Whether `value` has the same numbers for each image, as initial states have that the model
// expands to the size of the batch.
bool has_equal_images(const Tensor& value, const ImageAxis& axis, int64_t images) {
  const std::vector<int64_t>& shape = value.shape();
  if (shape.at(axis.axis) % (axis.before * images) != 0) return false;
  int64_t outer = axis.before;
  for (size_t i = 0; i < axis.axis; ++i) outer *= shape[i];
  const auto run_bytes = static_cast<int64_t>(value.bytes().size()) / (outer * images);
  for (int64_t run = 0; run < outer; ++run) {
    const auto first = value.bytes().subspan(run * images * run_bytes, run_bytes);
    for (int64_t image = 1; image < images; ++image) {
      const auto other = value.bytes().subspan((run * images + image) * run_bytes, run_bytes);
      if (!std::ranges::equal(first, other)) return false;
    }
  }
  return true;
}

class ImageWalk {
 public:
  ImageWalk(const Graph& graph, int64_t images) : graph_(graph), images_(images) {}

  ImageAxes run(const std::vector<std::optional<size_t>>& input_axes) {
    for (NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      if (node.kind == OpKind::kInput) {
        const auto axis = input_axes.at(static_cast<size_t>(node.attrs.index));
        if (axis) result_.axes[id] = ImageAxis{*axis, 1};
      } else if (node.kind != OpKind::kConstant) {
        add_operator(node);
      }
    }
    return std::move(result_);
  }

 private:
  void add_operator(const Node& node) {
    std::vector<std::optional<ImageAxis>> operands;
    for (NodeId input : node.inputs) operands.push_back(axis_of(input));
    if (std::ranges::none_of(operands, [](const auto& axis) { return axis.has_value(); })) return;
    const auto axis = image_axis_of(graph_, node, operands, images_);
    if (axis && are_others_equal(node, *axis)) {
      result_.axes[node.id] = *axis;
    } else {
      result_.mixers.push_back(node.id);
    }
  }

  std::optional<ImageAxis> axis_of(NodeId id) const {
    const auto found = result_.axes.find(id);
    return found == result_.axes.end() ? std::nullopt : std::optional(found->second);
  }

  // Whether the operands without images are the same for each.
  bool are_others_equal(const Node& node, const ImageAxis& result) const {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (result_.axes.contains(node.inputs[i])) continue;
      const auto repeated = repeated_axis_of(graph_, node, i, result);
      if (!repeated) continue;
      const Node& operand = graph_.node(node.inputs[i]);
      const bool is_equal =
          operand.kind == OpKind::kConstant && has_equal_images(operand.value, *repeated, images_);
      if (!is_equal) return false;
    }
    return true;
  }

  const Graph& graph_;
  const int64_t images_;
  ImageAxes result_;
};

}  // namespace

ImageAxes find_image_axes(const Graph& graph, const std::vector<std::optional<size_t>>& input_axes,
                          int64_t images) {
  return ImageWalk(graph, images).run(input_axes);
}

int64_t independent_images(const Graph& graph) {
  const std::vector<NodeId> inputs = graph.inputs();
  if (inputs.empty() || graph.node(inputs[0]).type.shape.empty()) return 1;
  const int64_t images = graph.node(inputs[0]).type.shape[0];
  const auto has_images = [&](NodeId id) {
    const TensorType& type = graph.node(id).type;
    return !type.shape.empty() && type.shape[0] == images && !type.is_open(0);
  };
  if (images == 1 || !std::ranges::all_of(inputs, has_images) ||
      !std::ranges::all_of(graph.outputs(), has_images))
    return 1;
  Graph folded = graph;
  fold_constants(folded);
  const ImageAxes found =
      find_image_axes(folded, std::vector<std::optional<size_t>>(inputs.size(), 0), images);
  const auto is_by_row = [&](NodeId id) {
    const auto axis = found.axes.find(id);
    return axis != found.axes.end() && axis->second == ImageAxis{};
  };
  const bool is_batch = found.mixers.empty() && std::ranges::all_of(folded.outputs(), is_by_row);
  return is_batch ? images : 1;
}

}  // namespace vta::graph
