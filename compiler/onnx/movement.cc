// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/errors/counted.h"
#include "compiler/onnx/operator_table.h"
#include "compiler/onnx/run_sizes.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

constexpr double kMaxFloat = std::numeric_limits<float>::max();
constexpr int64_t kMaxPad = int64_t{1} << 30;

// `open_axis`: of the result, for an input with an open axis.
void set_reshaped(NodeContext& node, const Dims& dims,
                  int64_t (*open_axis)(NodeContext& node) = nullptr) {
  std::optional<int64_t> open;
  if (open_axis != nullptr && node.is_open(0)) open = open_axis(node);
  node.set_result(node.reshaped(node.operand(0), dims, open), node.input(0).type, dims);
}

// A strided_slice with `ranges`; the node itself if they cover it.
NodeId sliced(NodeContext& node, NodeId x, const std::vector<SliceRange>& ranges) {
  Attrs<OpKind::kStridedSlice> attrs;
  bool is_all = true;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].count() == 0) {
      node.refuse("the result is empty along axis {}; empty tensors are not supported", i);
    }
    attrs.begin.push_back(ranges[i].begin);
    attrs.end.push_back(ranges[i].end);
    attrs.step.push_back(ranges[i].step);
    is_all = is_all && ranges[i].step == 1 && ranges[i].count() == node.shape_of(x)[i];
    if (node.graph_node(x).type.is_open(i)) attrs.open_axes.push_back(static_cast<int64_t>(i));
  }
  return is_all ? x : node.add(OpKind::kStridedSlice, {x}, attrs);
}

bool is_empty(const std::vector<SliceRange>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [](const SliceRange& range) { return range.count() == 0; });
}

// Negative pads are slices.
NodeId cropped(NodeContext& node, NodeId x, Dims& before, Dims& after) {
  std::vector<SliceRange> ranges;
  for (size_t i = 0; i < before.size(); ++i) {
    const int64_t size = node.shape_of(x)[i];
    ranges.push_back({std::min(std::max<int64_t>(-before[i], 0), size),
                      std::max<int64_t>(size + std::min<int64_t>(after[i], 0), 0), 1});
    before[i] = std::max<int64_t>(before[i], 0);
    after[i] = std::max<int64_t>(after[i], 0);
  }
  return sliced(node, x, ranges);
}

PadMode pad_mode(NodeContext& node) {
  const std::string mode = node.text("mode", "constant");
  if (mode == "constant") return PadMode::kConstant;
  if (mode == "reflect") return PadMode::kReflect;
  if (mode == "edge") return PadMode::kEdge;
  node.refuse("attribute 'mode' is '{}', supported are constant, reflect and edge",
              printable(mode));
}

// The pads of all axes: before, then after.
Dims read_pads(NodeContext& node) {
  const std::optional<Dims> pads = node.integer_list("pads", 1);
  if (!pads) fail(ErrorCode::kCorrupt, "pads are missing");
  const int64_t rank = node.rank(0);
  std::vector<int64_t> axes;
  const bool has_axes = node.version() >= 18 && node.has_input(3);
  if (has_axes) axes = node.integer_list("axes", 3).value_or(axes);
  if (!has_axes) {
    for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  if (pads->size() != 2 * axes.size()) {
    fail(ErrorCode::kCorrupt, "{} pads for {}", pads->size(), counted(axes.size(), "axis"));
  }
  Dims all(static_cast<size_t>(2 * rank), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = node.axis(axes[i], rank);
    for (const size_t side : {0, 1}) {
      const int64_t pad = (*pads)[i + side * axes.size()];
      if (pad < -kMaxPad || pad > kMaxPad) fail(ErrorCode::kCorrupt, "pad {} is out of range", pad);
      all[static_cast<size_t>(axis) + side * static_cast<size_t>(rank)] = pad;
    }
  }
  return all;
}

}  // namespace

void identity(NodeContext& node) { node.set_same(node.shared_input(0)); }

void conditional(NodeContext& node) {
  const Array& condition = node.constant(0, "condition");
  if (condition.type != ElementType::kBool || condition.size() != 1)
    fail(ErrorCode::kCorrupt, "the condition is {}", to_string(condition));
  node.has_attr("then_branch");
  node.has_attr("else_branch");
  node.set_branch(condition.ints[0] != 0 ? "then_branch" : "else_branch");
}

void loop(NodeContext& node) { node.set_branch("body"); }

void scan(NodeContext& node) {
  for (const char* name : {"num_scan_inputs", "scan_input_axes", "scan_input_directions",
                           "scan_output_axes", "scan_output_directions"}) {
    node.has_attr(name);  // unroll_scan() reads them
  }
  node.set_branch("body");
}

void reshape(NodeContext& node) {
  if (node.lists_as_inputs() && node.has_input(1) && !node.has_value(1))
    return reshape_in_run(node);
  set_reshaped(node, reshape_dims(node), open_axis_of_reshape);
}
void flatten(NodeContext& node) { set_reshaped(node, flatten_dims(node)); }
void squeeze(NodeContext& node) { set_reshaped(node, squeeze_dims(node), open_axis_of_squeeze); }
void unsqueeze(NodeContext& node) {
  set_reshaped(node, unsqueeze_dims(node), open_axis_of_unsqueeze);
}

void transpose(NodeContext& node) {
  const NodeId x = node.operand(0);
  const Dims perm = transpose_perm(node);
  if (perm.empty()) return node.set_same(node.shared_input(0));
  node.set_result(node.transposed(x, perm), node.input(0).type);
}

void depth_to_space(NodeContext& node) {
  const NodeId x = node.operand(0);
  Attrs<OpKind::kDepthToSpace> attrs(attr::block{node.integer("blocksize", 0)});
  if (node.version() >= 11) {
    const std::string mode = node.text("mode", "DCR");
    if (mode != "DCR" && mode != "CRD") node.refuse("attribute 'mode' is '{}'", printable(mode));
    attrs.crd = mode == "CRD";
  }
  node.set_result(node.add(OpKind::kDepthToSpace, {x}, attrs), node.input(0).type);
}

void space_to_depth(NodeContext& node) {
  const NodeId x = node.operand(0);
  const Dims& from = node.input(0).dims;
  const int64_t block = node.integer("blocksize", 0);
  if (from.size() != 4 || block < 1 || from[2] % block != 0 || from[3] % block != 0) {
    fail(ErrorCode::kCorrupt, "an input of shape [{}] is not divisible into blocks of {}",
         fmt::join(from, ", "), block);
  }
  const Dims blocks = {from[0], from[1], from[2] / block, block, from[3] / block, block};
  const NodeId moved = node.transposed(node.reshaped(x, blocks), {0, 3, 5, 1, 2, 4});
  const Dims to = {from[0], from[1] * block * block, from[2] / block, from[3] / block};
  node.set_result(node.reshaped(moved, to), node.input(0).type);
}

void concat(NodeContext& node) {
  const Attrs<OpKind::kConcat> attrs(attr::axis{concat_axis(node)});
  std::vector<NodeId> operands;
  for (size_t i = 0; i < node.num_inputs(); ++i) operands.push_back(node.operand(i));
  // Unless all are int8 in the graph, all become integers in float32.
  const bool differ = std::any_of(operands.begin(), operands.end(), [&](NodeId operand) {
    return node.dtype_of(operand) != node.dtype_of(operands[0]);
  });
  for (size_t i = 0; differ && i < operands.size(); ++i) operands[i] = node.small_operand(i);
  if (operands.size() == 1) return node.set_same(node.shared_input(0));
  node.set_result(node.add(OpKind::kConcat, operands, attrs), node.input(0).type);
}

void split(NodeContext& node) {
  const NodeId x = node.operand(0);
  const SplitParts parts = split_parts(node);
  if (node.is_open(0, static_cast<size_t>(parts.axis)))
    node.refuse("axis {} is open: its parts have no fixed sizes", parts.axis);
  const bool has_empty = std::find(parts.sizes.begin(), parts.sizes.end(), 0) != parts.sizes.end();
  if (node.is_known(0) && has_empty) return fold_split(node);
  int64_t begin = 0;
  for (size_t i = 0; i < parts.sizes.size(); ++i) {
    std::vector<SliceRange> ranges;
    for (int64_t dim : node.input(0).dims) ranges.push_back({0, dim, 1});
    ranges[static_cast<size_t>(parts.axis)] = {begin, begin + parts.sizes[i], 1};
    begin += parts.sizes[i];
    node.set_result(sliced(node, x, ranges), node.input(0).type, i);
  }
}

void slice(NodeContext& node) {
  const NodeId x = node.operand(0);
  if (node.rank(0) == 0) fail(ErrorCode::kCorrupt, "input 0 is a scalar");
  if (needs_run_slice(node)) return slice_in_run(node);
  const std::vector<SliceRange> ranges = slice_ranges(node);
  if (node.is_known(0) && is_empty(ranges)) return fold_slice(node);
  node.set_result(sliced(node, x, ranges), node.input(0).type);
}

// Crops or pads axes around their middle.
void center_crop_pad(NodeContext& node) {
  const NodeId x = node.operand(0);
  const Array& shape = node.constant(1, "shape");
  const int64_t rank = node.rank(0);
  Dims axes = node.integers("axes").value_or(Dims{});
  if (axes.empty()) {
    for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  if (shape.ints.size() != axes.size())
    fail(ErrorCode::kCorrupt, "{} sizes for {}", shape.ints.size(), counted(axes.size(), "axis"));
  Attrs<OpKind::kPad> attrs;
  attrs.before.resize(static_cast<size_t>(rank), 0);
  attrs.after = attrs.before;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(node.axis(axes[i], rank));
    const int64_t size = node.input(0).dims[axis], wanted = shape.ints[i];
    if (wanted < 1 || wanted > kMaxPad)
      fail(ErrorCode::kCorrupt, "size {} is out of range", wanted);
    // The odd element is cropped, or added, at the end.
    const int64_t rest = wanted - size;
    attrs.before[axis] = rest / 2;
    attrs.after[axis] = rest - rest / 2;
  }
  if (node.dtype_of(x) == DType::kInt8)
    attrs.pad_value = static_cast<double>(zero_level(node.input(0).type));
  NodeId result = cropped(node, x, attrs.before, attrs.after);
  const auto pads = [](int64_t elems) { return elems != 0; };
  if (std::ranges::any_of(attrs.before, pads) || std::ranges::any_of(attrs.after, pads))
    result = node.add(OpKind::kPad, {result}, attrs);
  node.set_result(result, node.input(0).type);
}

void pad(NodeContext& node) {
  NodeId x = node.operand(0);
  if (node.rank(0) == 0) fail(ErrorCode::kCorrupt, "input 0 is a scalar");
  Attrs<OpKind::kPad> attrs(attr::pad_mode{pad_mode(node)});
  const Dims pads = read_pads(node);
  const auto middle = pads.begin() + node.rank(0);
  attrs.before = {pads.begin(), middle};
  attrs.after = {middle, pads.end()};
  if (!node.lists_as_inputs()) {
    const Attribute* value = node.attribute("value");
    const bool is_infinite = value != nullptr && std::isinf(value->number);
    attrs.pad_value = is_infinite ? value->number : node.number("value", 0);
  } else if (node.has_input(2)) {
    const Array& value = node.constant(2, "constant_value");
    if (value.size() != 1) fail(ErrorCode::kCorrupt, "constant_value is {}", to_string(value));
    attrs.pad_value = value.at(0);
  }
  if (attrs.pad_mode != PadMode::kConstant) attrs.pad_value = 0;
  if (std::isnan(attrs.pad_value)) node.refuse("constant_value is NaN");
  // Infinity, as before a max pool, becomes the largest number: attributes of the graph are finite.
  attrs.pad_value = std::clamp(attrs.pad_value, -kMaxFloat, kMaxFloat);
  x = cropped(node, x, attrs.before, attrs.after);
  const auto is_zero = [](int64_t value) { return value == 0; };
  const bool pads_nothing = std::all_of(attrs.before.begin(), attrs.before.end(), is_zero) &&
                            std::all_of(attrs.after.begin(), attrs.after.end(), is_zero);
  if (!pads_nothing) {
    if (node.dtype_of(x) == DType::kInt8)
      attrs.pad_value += static_cast<double>(zero_level(node.input(0).type));
    x = node.add(OpKind::kPad, {x}, attrs);
  }
  node.set_result(x, node.input(0).type);
}

namespace {

void cast_to(NodeContext& node, ElementType to) {
  const ElementType from = node.input(0).type;
  if (!is_readable(to)) node.refuse("to {} is not supported", to_string(to));
  if (from == to) return node.set_same(node.shared_input(0));
  NodeId x = node.number_operand(0);
  // Tensors of float16 and double are float32 in the graph and not rounded.
  const bool is_exact =
      is_floating(to) && to != ElementType::kBfloat16 && node.dtype_of(x) == DType::kFloat32;
  if (!is_exact)
    x = node.cast(
        x, is_floating(to) && to != ElementType::kBfloat16 ? Format::kFloat32 : format_of(to));
  node.set_result(x, to, node.input(0).dims);
}

void read_cast_attributes(NodeContext& node) {
  if (node.version() >= 19) node.flag("saturate", true);
  if (node.version() >= 24) node.text("round_mode", "up");
}

}  // namespace

void cast(NodeContext& node) {
  read_cast_attributes(node);
  cast_to(node, static_cast<ElementType>(node.integer("to", 0)));
}

void cast_like(NodeContext& node) {
  read_cast_attributes(node);
  cast_to(node, node.input(1).type);
}

}  // namespace vta::onnx
