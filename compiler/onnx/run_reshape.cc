// SPDX-License-Identifier: Apache-2.0
//
// Reshape to sizes that a run computes: a reshape with one open axis, or a gather.
#include <algorithm>

#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/run_numbers.h"
#include "compiler/onnx/run_sizes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// `numbers` as the axis `axis` of a tensor of `rank` axes.
NodeId along(NodeContext& node, NodeId numbers, size_t axis, size_t rank) {
  Dims dims(rank, 1);
  dims[axis] = node.shape_of(numbers)[0];
  return node.reshaped(numbers, dims, static_cast<int64_t>(axis));
}

// The wanted axes of Reshape.
struct ReshapedAxis {
  NodeId size = -1;      // -1: the elements that the others leave
  int64_t most = 1;      // the size, or its bound
  bool is_open = false;  // the size is that of the run
};

// One axis for all elements of x.
NodeId as_list(NodeContext& node, NodeId x) {
  const TensorType& type = node.graph_node(x).type;
  Attrs<OpKind::kReshape> attrs(attr::shape{{type.num_elems()}});
  if (type.shape.size() == 1) return x;
  if (!type.is_open()) return node.reshaped(x, attrs.shape);
  attrs.open_axes = {0};
  return node.add(OpKind::kReshape, {x}, attrs);
}

// The list, and an error of the run unless `size` is its length.
NodeId with_length(NodeContext& node, NodeId list, NodeId size) {
  const int64_t count = node.shape_of(list)[0];
  const bool is_open = node.graph_node(list).type.is_open();
  if (is_exactly(bounds_of(node, size), static_cast<double>(count)) && !is_open) return list;
  Attrs<OpKind::kTopK> attrs(attr::axis{0}, attr::smallest{true}, attr::size{count});
  std::vector<NodeId> inputs = {first_numbers(node, size, count)};
  if (is_open) {
    attrs.size = 1;
    inputs.push_back(size_of_axis(node, list, 0));
  }
  const Attrs<OpKind::kGather> along_list(attr::axis{0});
  return node.add(OpKind::kGather, {list, node.add_named(OpKind::kTopK, inputs, attrs)},
                  along_list);
}

class RunReshape {
 public:
  explicit RunReshape(NodeContext& node) : node_(node), x_(node.operand(0)) {
    const TensorType& type = node.graph_node(x_).type;
    num_elems_ = type.num_elems();
    for (size_t i = 0; i < type.shape.size(); ++i) {
      if (type.is_open(i)) sources_.push_back(source_of(node.graph(), {x_, i}));
    }
  }

  NodeId run() {
    read_axes();
    if (has_special_) resolve_special();
    // The same axis stays open.
    if (num_unknown_ == 0 && copied_.size() == 1 && sources_.size() == 1) {
      give_rest(closed_elems() / closed_);
      return reshaped(x_, copied_[0]);
    }
    if (copied_.empty() && num_unknown_ == 0) return reshaped(x_, rest_);
    NodeId others = -1;
    for (const ReshapedAxis& axis : axes_) {
      if (axis.size >= 0) others = others < 0 ? axis.size : product(node_, others, axis.size);
    }
    const NodeId total = size_of_axis(node_, as_list(node_, x_), 0);
    if (rest_ >= 0) {
      ReshapedAxis& rest = axes_[static_cast<size_t>(rest_)];
      // If the tensor has no elements, the rest is 0.
      rest.size = node_.binary(BinaryFunction::kDiv, total, at_least(node_, others, 1));
      rest.is_open = true;
      others = product(node_, others, rest.size);
    }
    const NodeId list = with_length(node_, as_list(node_, x_), others);
    const auto open = std::ranges::find_if(axes_, &ReshapedAxis::is_open);
    const auto is_only = std::ranges::count_if(axes_, &ReshapedAxis::is_open) == 1;
    if (is_only) return reshaped(list, open - axes_.begin());
    return on_grid(list);
  }

 private:
  int64_t closed_elems() const {
    const TensorType& type = node_.graph_node(x_).type;
    int64_t count = 1;
    for (size_t i = 0; i < type.shape.size(); ++i) count *= type.is_open(i) ? 1 : type.shape[i];
    return count;
  }

  void read_axes() {
    const std::vector<NodeId> elements = elements_of(node_, 1, "shape");
    copies_ = node_.version() < 14 || !node_.flag("allowzero", false);
    for (size_t i = 0; i < elements.size(); ++i) {
      const Bounds bounds = bounds_of(node_, elements[i]);
      if (is_exactly(bounds, -1)) {
        if (rest_ >= 0) fail(ErrorCode::kCorrupt, "the shape has more than one -1");
        rest_ = static_cast<int64_t>(i);
        axes_.push_back({});
      } else if (is_exactly(bounds, 0) && copies_) {
        add_copied(i);
      } else if (bounds.is_exact()) {
        add_closed(static_cast<int64_t>(bounds.low));
      } else {
        add_in_run(elements[i], i);
      }
    }
    for (ReshapedAxis& axis : axes_) {
      if (axis.is_open || axis.size < 0)
        axis.most = std::min(axis.most, std::max<int64_t>(num_elems_ / closed_, 1));
    }
    if (rest_ >= 0)
      axes_[static_cast<size_t>(rest_)].most = std::max<int64_t>(num_elems_ / closed_, 1);
  }

  void add_closed(int64_t size) {
    if (size < 1 || size > kMaxResultElems || closed_ > kMaxResultElems / size)
      fail(ErrorCode::kCorrupt, "the shape has an axis of {}", size);
    axes_.push_back({number(node_, size), size});
    closed_ *= size;
  }

  // Axis `axis` of x.
  void add_copied(size_t axis) {
    const TensorType& type = node_.graph_node(x_).type;
    if (axis >= node_.input(0).dims.size())
      fail(ErrorCode::kCorrupt, "the shape copies axis {} of {}", axis, to_string(type));
    if (!type.is_open(axis)) return add_closed(type.shape[axis]);
    add_in_run(size_of_axis(node_, x_, axis), axis);
  }

  // A size of the run that may be 0, which copies the axis of x, or -1, the rest.
  NodeId without_zero(size_t axis, NodeId size) {
    const bool is_axis = axis < node_.graph_node(x_).type.shape.size();
    if (!copies_ || !is_axis || bounds_of(node_, size).low > 0) return size;
    const NodeId is_zero = node_.binary(BinaryFunction::kEqual, size, number(node_, 0));
    return node_.add(OpKind::kWhere, {is_zero, size_of_axis(node_, x_, axis), size});
  }

  void resolve_special() {
    NodeId others = number(node_, 1);
    for (ReshapedAxis& axis : axes_) {
      if (axis.size >= 0) others = product(node_, others, at_least(node_, axis.size, 1));
    }
    const NodeId total = size_of_axis(node_, as_list(node_, x_), 0);
    const NodeId rest = node_.binary(BinaryFunction::kDiv, total, others);
    for (ReshapedAxis& axis : axes_) {
      if (axis.size < 0 || bounds_of(node_, axis.size).low >= 0) continue;
      const NodeId is_rest = node_.binary(BinaryFunction::kEqual, axis.size, number(node_, -1));
      axis.size = node_.add(OpKind::kWhere, {is_rest, rest, axis.size});
    }
  }

  void add_in_run(NodeId size, size_t axis_of_x) {
    const auto source = source_of_size(node_.graph(), size);
    const auto index = static_cast<int64_t>(axes_.size());
    if (source && std::ranges::find(sources_, *source) != sources_.end()) {
      copied_.push_back(index);
    } else {
      ++num_unknown_;
      size = without_zero(axis_of_x, size);
      has_special_ = has_special_ || bounds_of(node_, size).low < 0;
    }
    axes_.push_back({size, most_of(node_, size, kMaxResultElems), true});
  }

  void give_rest(int64_t size) {
    if (rest_ >= 0) axes_[static_cast<size_t>(rest_)].most = size;
  }

  NodeId reshaped(NodeId from, int64_t open) {
    Attrs<OpKind::kReshape> attrs;
    for (const ReshapedAxis& axis : axes_) attrs.shape.push_back(axis.most);
    if (node_.graph_node(from).type.is_open()) {
      int64_t others = 1;
      for (size_t i = 0; i < attrs.shape.size(); ++i)
        others *= static_cast<int64_t>(i) == open ? 1 : attrs.shape[i];
      attrs.shape[static_cast<size_t>(open)] = node_.graph_node(from).type.num_elems() / others;
      attrs.open_axes = {open};
    }
    return node_.add(OpKind::kReshape, {from}, attrs);
  }

  // Several axes of the run: each element by its position in the list.
  NodeId on_grid(NodeId list) {
    NodeId grid = -1, stride = number(node_, 1);
    for (size_t i = axes_.size(); i-- > 0;) {
      const NodeId numbers =
          along(node_, first_numbers(node_, axes_[i].size, axes_[i].most), i, axes_.size());
      const NodeId term = product(node_, numbers, stride);
      grid = grid < 0 ? term : sum(node_, term, grid);
      stride = product(node_, stride, axes_[i].size);
    }
    return node_.add(OpKind::kGather, {list, grid}, Attrs<OpKind::kGather>(attr::axis{0}));
  }

  NodeContext& node_;
  const NodeId x_;
  int64_t num_elems_ = 0;          // of x, or its bound
  std::vector<OpenAxis> sources_;  // of the open axes of x
  std::vector<ReshapedAxis> axes_;
  std::vector<int64_t> copied_;     // axes with the size of an open axis of x
  int64_t closed_ = 1, rest_ = -1;  // the product of the closed axes; the axis of -1
  size_t num_unknown_ = 0;
  bool copies_ = true, has_special_ = false;  // 0 copies an axis; a size may be -1
};

}  // namespace

void reshape_in_run(NodeContext& node) {
  const NodeId result = RunReshape(node).run();
  node.set_result(result, node.input(0).type);
}

}  // namespace vta::onnx
