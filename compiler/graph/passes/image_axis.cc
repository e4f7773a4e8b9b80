// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/image_axis.h"

#include <algorithm>

#include "runtime/tensor/op_kinds.h"

namespace vta::graph {
namespace {

using MaybeAxis = std::optional<ImageAxis>;

// The image axis in `shape` of images with `outer` positions before them. A pure batch axis takes
// precedence over one that has other positions.
MaybeAxis placed(const std::vector<int64_t>& shape, int64_t outer, int64_t images) {
  MaybeAxis among_others;
  int64_t before_axis = 1;  // positions
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t end = before_axis * shape[axis];
    if (outer == before_axis && shape[axis] == images) return ImageAxis{axis, 1};
    const bool holds = outer % before_axis == 0 && end % (outer * images) == 0;
    if (holds && !among_others) among_others = ImageAxis{axis, outer / before_axis};
    before_axis = end;
  }
  return among_others;
}

// One call of image_axis_of(), with one function per family of operators.
class ImageRule {
 public:
  ImageRule(const Graph& graph, const Node& node, const std::vector<MaybeAxis>& operands,
            int64_t images)
      : graph_(graph), node_(node), operands_(operands), images_(images) {}

  MaybeAxis run() const;

 private:
  struct Rule {
    OpKind kind;
    MaybeAxis (ImageRule::*find)() const;
  };
  static const Rule kRules[];

  const std::vector<int64_t>& shape(size_t operand) const {
    return graph_.node(node_.inputs.at(operand)).type.shape;
  }
  // The axis counted from the front.
  size_t front(int64_t axis) const {
    return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape(0).size()) : axis);
  }
  // The first operand's axis if no other operand has images.
  MaybeAxis first_alone() const {
    const auto has_images = [](const MaybeAxis& axis) { return axis.has_value(); };
    return std::any_of(operands_.begin() + 1, operands_.end(), has_images) ? std::nullopt
                                                                           : operands_[0];
  }

  MaybeAxis source() const { return std::nullopt; }
  MaybeAxis each_element() const { return first_alone(); }
  MaybeAxis each_row() const;  // of axis 0
  MaybeAxis across_channels() const;
  MaybeAxis across_axis() const;
  MaybeAxis reduce() const;
  MaybeAxis broadcast() const;
  MaybeAxis matmul() const;
  MaybeAxis flatten() const;
  MaybeAxis reshape() const;
  MaybeAxis transpose() const;
  MaybeAxis concat() const;
  MaybeAxis strided_slice() const;
  MaybeAxis pad() const;
  MaybeAxis tile() const;
  MaybeAxis broadcast_to() const;
  MaybeAxis gather() const;
  MaybeAxis unknown() const { return std::nullopt; }  // indices may combine images

  const Graph& graph_;
  const Node& node_;
  const std::vector<MaybeAxis>& operands_;
  const int64_t images_;
};

// In the order of ops.def.
constexpr ImageRule::Rule ImageRule::kRules[] = {
    {OpKind::kInput, &ImageRule::source},
    {OpKind::kConstant, &ImageRule::source},
    {OpKind::kConv2d, &ImageRule::each_row},
    {OpKind::kConv2dTranspose, &ImageRule::each_row},
    {OpKind::kDense, &ImageRule::each_row},
    {OpKind::kMatmul, &ImageRule::matmul},
    {OpKind::kBatchNorm, &ImageRule::across_channels},
    {OpKind::kRelu, &ImageRule::each_element},
    {OpKind::kClip, &ImageRule::each_element},
    {OpKind::kLeakyRelu, &ImageRule::each_element},
    {OpKind::kPrelu, &ImageRule::broadcast},
    {OpKind::kSigmoid, &ImageRule::each_element},
    {OpKind::kTanh, &ImageRule::each_element},
    {OpKind::kHardSigmoid, &ImageRule::each_element},
    {OpKind::kHardSwish, &ImageRule::each_element},
    {OpKind::kSilu, &ImageRule::each_element},
    {OpKind::kAbs, &ImageRule::each_element},
    {OpKind::kExp, &ImageRule::each_element},
    {OpKind::kLog, &ImageRule::each_element},
    {OpKind::kSqrt, &ImageRule::each_element},
    {OpKind::kErf, &ImageRule::each_element},
    {OpKind::kGelu, &ImageRule::each_element},
    {OpKind::kSoftplus, &ImageRule::each_element},
    {OpKind::kMish, &ImageRule::each_element},
    {OpKind::kElu, &ImageRule::each_element},
    {OpKind::kPower, &ImageRule::each_element},
    {OpKind::kAdd, &ImageRule::broadcast},
    {OpKind::kSub, &ImageRule::broadcast},
    {OpKind::kMul, &ImageRule::broadcast},
    {OpKind::kDiv, &ImageRule::broadcast},
    {OpKind::kMin, &ImageRule::broadcast},
    {OpKind::kMax, &ImageRule::broadcast},
    {OpKind::kAvgPool2d, &ImageRule::each_row},
    {OpKind::kSoftmax, &ImageRule::across_axis},
    {OpKind::kLrn, &ImageRule::across_channels},
    {OpKind::kReduceMean, &ImageRule::reduce},
    {OpKind::kArgMax, &ImageRule::across_axis},
    {OpKind::kUnary, &ImageRule::each_element},
    {OpKind::kBinary, &ImageRule::broadcast},
    {OpKind::kCast, &ImageRule::each_element},
    {OpKind::kReduce, &ImageRule::reduce},
    {OpKind::kCumulative, &ImageRule::across_axis},
    {OpKind::kTopK, &ImageRule::across_axis},
    {OpKind::kIota, &ImageRule::unknown},
    {OpKind::kNonZero, &ImageRule::unknown},
    {OpKind::kUnique, &ImageRule::unknown},
    {OpKind::kNonMaxSuppression, &ImageRule::unknown},
    {OpKind::kFlatten, &ImageRule::flatten},
    {OpKind::kReshape, &ImageRule::reshape},
    {OpKind::kTranspose, &ImageRule::transpose},
    {OpKind::kConcat, &ImageRule::concat},
    {OpKind::kStridedSlice, &ImageRule::strided_slice},
    {OpKind::kPad, &ImageRule::pad},
    {OpKind::kWhere, &ImageRule::broadcast},
    {OpKind::kTile, &ImageRule::tile},
    {OpKind::kBroadcastTo, &ImageRule::broadcast_to},
    {OpKind::kCompress, &ImageRule::unknown},
    {OpKind::kShapeOf, &ImageRule::unknown},
    {OpKind::kGather, &ImageRule::gather},
    {OpKind::kGatherElements, &ImageRule::unknown},
    {OpKind::kGatherNd, &ImageRule::unknown},
    {OpKind::kScatterElements, &ImageRule::unknown},
    {OpKind::kScatterNd, &ImageRule::unknown},
    {OpKind::kDepthToSpace, &ImageRule::each_row},
    {OpKind::kMaxPool2d, &ImageRule::each_row},
    {OpKind::kGlobalMaxPool2d, &ImageRule::each_row},
    {OpKind::kGlobalAvgPool2d, &ImageRule::each_row},
    {OpKind::kResize2d, &ImageRule::each_row},
    {OpKind::kGlobalSumPool2d, &ImageRule::each_row},
    {OpKind::kQuantize, &ImageRule::each_element},
    {OpKind::kDequantize, &ImageRule::each_element},
    {OpKind::kLookup, &ImageRule::each_element},
    {OpKind::kQAvgPool2d, &ImageRule::each_row},
    {OpKind::kUnfold2d, &ImageRule::each_row},
    {OpKind::kQConv2d, &ImageRule::each_row},
    {OpKind::kQConv2dTranspose, &ImageRule::each_row},
    {OpKind::kQDense, &ImageRule::each_row},
    {OpKind::kQAdd, &ImageRule::broadcast},
    {OpKind::kQMul, &ImageRule::broadcast},
    {OpKind::kQMatmul, &ImageRule::matmul},
};

MaybeAxis ImageRule::run() const {
  static_assert(std::ranges::equal(kRules, kOpKinds, {}, &Rule::kind),
                "every operator has a rule, in the order of ops.def");
  return (this->*kRules[static_cast<size_t>(node_.kind)].find)();
}

MaybeAxis ImageRule::each_row() const {
  const MaybeAxis images = first_alone();
  return images && images->axis == 0 ? images : std::nullopt;
}

MaybeAxis ImageRule::across_channels() const {
  const MaybeAxis images = first_alone();
  return images && images->axis != 1 ? images : std::nullopt;
}

// Softmax, arg_max, cumulative and top_k.
MaybeAxis ImageRule::across_axis() const {
  if (!first_alone()) return std::nullopt;
  const size_t axis = front(node_.attrs.axis);
  ImageAxis images = *operands_[0];
  if (images.axis == axis) return std::nullopt;
  const bool is_gone = node_.type.shape.size() < shape(0).size();
  if (is_gone && axis < images.axis) --images.axis;
  return images;
}

MaybeAxis ImageRule::reduce() const {
  std::vector<bool> reduced(shape(0).size());
  for (int64_t axis : node_.attrs.axes) reduced[front(axis)] = true;
  ImageAxis images = *operands_[0];
  if (reduced[images.axis]) return std::nullopt;
  if (!node_.attrs.keep_dims) {
    images.axis -= static_cast<size_t>(std::count(
        reduced.begin(), reduced.begin() + static_cast<std::ptrdiff_t>(images.axis), true));
  }
  return images;
}

// Axes are aligned at the last one. Along the image axis every operand has all positions, or one
// position that is the same for all images.
MaybeAxis ImageRule::broadcast() const {
  const size_t rank = node_.type.shape.size();
  MaybeAxis result;
  for (size_t i = 0; i < operands_.size(); ++i) {
    if (!operands_[i]) continue;
    const ImageAxis images{operands_[i]->axis + rank - shape(i).size(), operands_[i]->before};
    if (result && images != *result) return std::nullopt;
    result = images;
  }
  for (size_t i = 0; i < operands_.size(); ++i) {
    const size_t missing = rank - shape(i).size();
    const int64_t size = result->axis < missing ? 1 : shape(i)[result->axis - missing];
    const bool serves = size == node_.type.shape[result->axis] || (!operands_[i] && size == 1);
    if (!serves) return std::nullopt;
  }
  return result;
}

MaybeAxis ImageRule::matmul() const {
  const size_t rank = node_.type.shape.size();
  // Axis counted from the end, from 1; 0 if an operand has none.
  const auto from_end = [&](size_t i) {
    return operands_[i] ? shape(i).size() - operands_[i]->axis : 0;
  };
  const size_t a = from_end(0), b = from_end(1);
  if (a > 2 || b > 2) return a == 1 || a == 2 || b == 1 || b == 2 ? std::nullopt : broadcast();
  if (a == 2 && b == 0) return ImageAxis{rank - 2, operands_[0]->before};
  if (a == 0 && b == 1) return ImageAxis{rank - 1, operands_[1]->before};
  return std::nullopt;
}

MaybeAxis ImageRule::flatten() const {
  ImageAxis images = *operands_[0];
  if (images.axis == 0) return images;
  for (size_t axis = 1; axis < images.axis; ++axis) images.before *= shape(0)[axis];
  images.axis = 1;
  return images;
}

MaybeAxis ImageRule::reshape() const {
  int64_t outer = operands_[0]->before;
  for (size_t axis = 0; axis < operands_[0]->axis; ++axis) outer *= shape(0)[axis];
  return placed(node_.type.shape, outer, images_);
}

MaybeAxis ImageRule::transpose() const {
  const auto& perm = node_.attrs.perm;
  const auto at = std::ranges::find(perm, static_cast<int64_t>(operands_[0]->axis));
  return ImageAxis{static_cast<size_t>(at - perm.begin()), operands_[0]->before};
}

MaybeAxis ImageRule::concat() const {
  const MaybeAxis images = broadcast();
  return images && images->axis != front(node_.attrs.axis) ? images : std::nullopt;
}

// The slice keeps the axis, or the axis has one position.
MaybeAxis ImageRule::strided_slice() const {
  const size_t axis = operands_[0]->axis;
  const int64_t size = shape(0)[axis];
  const bool is_whole = node_.type.shape[axis] == size && node_.attrs.step[axis] == 1;
  return is_whole || size == 1 ? operands_[0] : std::nullopt;
}

MaybeAxis ImageRule::pad() const {
  const size_t axis = operands_[0]->axis;
  const bool pads = node_.attrs.before[axis] != 0 || node_.attrs.after[axis] != 0;
  return pads ? std::nullopt : operands_[0];
}

MaybeAxis ImageRule::tile() const {
  return node_.attrs.repeats[operands_[0]->axis] == 1 ? operands_[0] : std::nullopt;
}

MaybeAxis ImageRule::broadcast_to() const {
  const MaybeAxis images = first_alone();
  const auto is_of_images = [&](int64_t axis) { return front(axis) == images->axis; };
  return images && std::ranges::none_of(node_.attrs.axes, is_of_images) ? images : std::nullopt;
}

// The axes of the indices replace one axis.
MaybeAxis ImageRule::gather() const {
  MaybeAxis images = first_alone();
  const size_t axis = front(node_.attrs.axis);
  if (!images || images->axis == axis) return std::nullopt;
  if (images->axis > axis) images->axis += shape(1).size() - 1;
  return images;
}

bool broadcasts(OpKind kind) {
  switch (kind) {
    case OpKind::kAdd:
    case OpKind::kSub:
    case OpKind::kMul:
    case OpKind::kDiv:
    case OpKind::kMin:
    case OpKind::kMax:
    case OpKind::kPrelu:
    case OpKind::kQMul:
    case OpKind::kMatmul:
    case OpKind::kQMatmul:
    case OpKind::kBinary:
    case OpKind::kWhere:
      return true;
    default:
      return false;
  }
}

}  // namespace

MaybeAxis image_axis_of(const Graph& graph, const Node& node,
                        const std::vector<MaybeAxis>& operands, int64_t images) {
  return ImageRule(graph, node, operands, images).run();
}

MaybeAxis repeated_axis_of(const Graph& graph, const Node& node, size_t operand,
                           const ImageAxis& result) {
  if (node.kind == OpKind::kConcat || node.kind == OpKind::kQAdd) return result;
  const size_t rank = node.type.shape.size();
  const bool is_of_matrices = node.kind == OpKind::kMatmul && result.axis + 2 >= rank;
  if (!broadcasts(node.kind) || is_of_matrices) return std::nullopt;
  const std::vector<int64_t>& shape = graph.node(node.inputs.at(operand)).type.shape;
  const size_t missing = rank - shape.size();
  if (result.axis < missing || shape[result.axis - missing] == 1) return std::nullopt;
  return ImageAxis{result.axis - missing, result.before};
}

}  // namespace vta::graph
