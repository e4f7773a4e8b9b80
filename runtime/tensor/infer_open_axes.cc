// SPDX-License-Identifier: Apache-2.0
//
// Open axes in graphs: which operators take them, and which axes of the result are open then. The
// sizes of the result come from the operator's type rule, applied to the upper bounds; in a run the
// same rule gets exact sizes.
#include <algorithm>
#include <iterator>

#include "runtime/tensor/inference.h"
#include "runtime/tensor/op_kinds.h"

namespace vta {
namespace {

// An operator with at least one open operand, and its result by the bounds.
struct OpenOperator {
  OpKind kind;
  const OpAttrs& attrs;
  const std::vector<TensorType>& inputs;
  const TensorType& result;

  const TensorType& x() const { return inputs[0]; }
  size_t axis() const {
    const auto rank = static_cast<int64_t>(x().shape.size());
    return static_cast<size_t>(attrs.axis < 0 ? attrs.axis + rank : attrs.axis);
  }
  [[noreturn]] void refuse(size_t input, size_t open_axis, const std::string& why) const {
    fail(ErrorCode::kUnsupported, "{}: input {} is {}, whose axis {} is open: {}",
         vta::to_string(kind), input, vta::to_string(inputs[input]), open_axis, why);
  }
  void need_closed(size_t input, size_t axis, const std::string& why) const {
    if (inputs[input].is_open(axis)) refuse(input, axis, why);
  }
};

using OpenAxes = std::vector<bool>;  // by axis

OpenAxes open_axes_of(const TensorType& type) {
  OpenAxes open;
  for (size_t axis = 0; axis < type.shape.size(); ++axis) open.push_back(type.is_open(axis));
  return open;
}

// Element by element, or along an axis whose size stays.
OpenAxes as_operand(const OpenOperator& op) { return open_axes_of(op.x()); }

// The result has a size of its own (compress, unique), or no open axis (shape_of).
OpenAxes as_inferred(const OpenOperator& op) { return open_axes_of(op.result); }

// An open axis meets axes of size 1, and open axes of the same bound, which must have the same size
// in a run.
OpenAxes broadcast(const OpenOperator& op) {
  const size_t rank = op.result.shape.size();
  OpenAxes open(rank);
  const auto operand_axis = [&](const TensorType& type, size_t axis) {
    return static_cast<std::ptrdiff_t>(axis + type.shape.size()) -
           static_cast<std::ptrdiff_t>(rank);
  };
  for (size_t axis = 0; axis < rank; ++axis) {
    for (const TensorType& input : op.inputs) {
      const auto at = operand_axis(input, axis);
      open[axis] = open[axis] || (at >= 0 && input.is_open(static_cast<size_t>(at)));
    }
    for (size_t i = 0; open[axis] && i < op.inputs.size(); ++i) {
      const TensorType& input = op.inputs[i];
      const auto at = operand_axis(input, axis);
      if (at < 0) continue;
      const auto own = static_cast<size_t>(at);
      const int64_t size = input.shape[own];
      if (input.is_open(own) ? size == op.result.shape[axis] : size == 1) continue;
      fail(ErrorCode::kUnsupported,
           "{}: axis {} of the result is open, and input {} is {}: an open axis broadcasts with "
           "axes of size 1 and with open axes of the same bound",
           to_string(op.kind), axis, i, to_string(input));
    }
  }
  return open;
}

OpenAxes reduced(const OpenOperator& op) {
  const size_t rank = op.x().shape.size();
  OpenAxes gone(rank), open;
  for (int64_t axis : op.attrs.axes)
    gone[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis)] = true;
  for (size_t i = 0; i < rank; ++i) {
    if (!gone[i] || op.attrs.keep_dims) open.push_back(!gone[i] && op.x().is_open(i));
  }
  if (open.empty()) open.push_back(false);
  return open;
}

OpenAxes arg_max(const OpenOperator& op) {
  OpenAxes open = open_axes_of(op.x());
  open[op.axis()] = false;
  if (op.result.shape.size() < open.size())
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(op.axis()));
  return open;
}

OpenAxes top_k(const OpenOperator& op) {
  OpenAxes open = open_axes_of(op.x());
  open[op.axis()] = op.inputs.size() == 2;
  return open;
}

OpenAxes broadcast_to(const OpenOperator& op) {
  op.need_closed(1, 0, "the number of sizes is fixed");
  OpenAxes open = open_axes_of(op.x());
  for (size_t axis = 0; axis < open.size(); ++axis)
    open[axis] = open[axis] || op.result.is_open(axis);
  return open;
}

OpenAxes flatten(const OpenOperator& op) {
  return {op.x().is_open(0), (op.x().open_axes & ~1) != 0};
}

// One open axis gets all elements that the other axes leave, which must be a whole number for any
// size of the operand's open axes.
OpenAxes reshape(const OpenOperator& op) {
  const size_t first = op.x().first_open_axis();
  if (op.attrs.open_axes.empty())
    op.refuse(0, first, "the shape has no axis for the elements of the run");
  OpenAxes open(op.result.shape.size());
  open[static_cast<size_t>(op.attrs.open_axes[0])] = true;
  int64_t closed = 1, others = 1;
  for (size_t i = 0; i < op.x().shape.size(); ++i)
    closed *= op.x().is_open(i) ? 1 : op.x().shape[i];
  for (size_t i = 0; i < open.size(); ++i) others *= open[i] ? 1 : op.result.shape[i];
  if (closed % others != 0) {
    op.refuse(0, first, fmt::format("its elements may not be a multiple of {}", others));
  }
  return open;
}

OpenAxes transpose(const OpenOperator& op) {
  OpenAxes open;
  for (int64_t axis : op.attrs.perm) open.push_back(op.x().is_open(static_cast<size_t>(axis)));
  return open;
}

OpenAxes concat(const OpenOperator& op) {
  OpenAxes open = open_axes_of(op.x());
  for (size_t i = 1; i < op.inputs.size(); ++i) {
    for (size_t axis = 0; axis < open.size(); ++axis) {
      const bool is_open = op.inputs[i].is_open(axis);
      if (axis == op.axis()) {
        open[axis] = open[axis] || is_open;
      } else if (is_open != open[axis]) {
        op.refuse(is_open ? i : 0, axis, fmt::format("input {} has a fixed size", is_open ? 0 : i));
      }
    }
  }
  return open;
}

// The bounds count from the front, so that a run can clamp them to the axis.
OpenAxes strided_slice(const OpenOperator& op) {
  const OpenAxes open = open_axes_of(op.x());
  OpenAxes stated(open.size());
  for (int64_t axis : op.attrs.open_axes) {
    if (axis >= 0 && axis < static_cast<int64_t>(open.size()))
      stated[static_cast<size_t>(axis)] = true;
  }
  for (size_t axis = 0; axis < open.size(); ++axis) {
    if (open[axis] && !stated[axis]) op.refuse(0, axis, "it is not one of open_axes");
    if (open[axis] && op.attrs.step[axis] < 1) op.refuse(0, axis, "the step is not above 0");
  }
  return open;
}

// The axes of the indices replace one axis.
OpenAxes gather(const OpenOperator& op) {
  OpenAxes open = open_axes_of(op.x());
  const OpenAxes indices = open_axes_of(op.inputs[1]);
  const auto at = open.erase(open.begin() + static_cast<std::ptrdiff_t>(op.axis()));
  open.insert(at, indices.begin(), indices.end());
  return open;
}

OpenAxes as_indices(const OpenOperator& op) { return open_axes_of(op.inputs[1]); }

OpenAxes gather_nd(const OpenOperator& op) {
  const TensorType& indices = op.inputs[1];
  const size_t last = indices.shape.size() - 1;
  op.need_closed(1, last, "the number of positions is fixed");
  const auto batch = static_cast<size_t>(op.attrs.batch_axes);
  for (size_t axis = 0; axis < batch; ++axis) {
    for (const size_t input : {0, 1}) op.need_closed(input, axis, "batch axes are fixed");
  }
  OpenAxes open;
  for (size_t axis = 0; axis < last; ++axis) open.push_back(indices.is_open(axis));
  const auto depth = static_cast<size_t>(indices.shape[last]);
  for (size_t axis = batch + depth; axis < op.x().shape.size(); ++axis)
    open.push_back(op.x().is_open(axis));
  if (open.empty()) open.push_back(false);
  return open;
}

OpenAxes scatter_elements(const OpenOperator& op) {
  for (size_t axis = 0; axis < op.inputs[1].shape.size(); ++axis) {
    if (op.inputs[1].is_open(axis) != op.inputs[2].is_open(axis))
      op.refuse(op.inputs[1].is_open(axis) ? 1 : 2, axis, "indices and updates have the same axes");
  }
  return open_axes_of(op.x());
}

OpenAxes scatter_nd(const OpenOperator& op) {
  const OpenAxes rows = gather_nd(op);
  for (size_t axis = 0; axis < rows.size(); ++axis) {
    if (rows[axis] != op.inputs[2].is_open(axis))
      op.refuse(rows[axis] ? 1 : 2, axis, "indices and updates have the same axes");
  }
  return open_axes_of(op.x());
}

OpenAxes non_max_suppression(const OpenOperator& op) {
  op.need_closed(0, 2, "a box is 4 numbers");
  return as_inferred(op);
}

OpenAxes compress(const OpenOperator& op) {
  OpenAxes open = open_axes_of(op.x());
  open[op.axis()] = true;
  return open;
}

// The inverse has the axis's size.
OpenAxes unique(const OpenOperator& op) {
  return {op.attrs.part != UniquePart::kInverse || op.x().is_open(op.axis())};
}

struct OpenRule {
  OpKind kind;
  OpenAxes (*open_axes)(const OpenOperator& op);
};

// The operators that take open axes.
constexpr OpenRule kOpenRules[] = {
    {OpKind::kRelu, as_operand},
    {OpKind::kClip, as_operand},
    {OpKind::kLeakyRelu, as_operand},
    {OpKind::kSigmoid, as_operand},
    {OpKind::kTanh, as_operand},
    {OpKind::kHardSigmoid, as_operand},
    {OpKind::kHardSwish, as_operand},
    {OpKind::kSilu, as_operand},
    {OpKind::kAbs, as_operand},
    {OpKind::kExp, as_operand},
    {OpKind::kLog, as_operand},
    {OpKind::kSqrt, as_operand},
    {OpKind::kErf, as_operand},
    {OpKind::kGelu, as_operand},
    {OpKind::kSoftplus, as_operand},
    {OpKind::kMish, as_operand},
    {OpKind::kElu, as_operand},
    {OpKind::kPower, as_operand},
    {OpKind::kAdd, broadcast},
    {OpKind::kSub, broadcast},
    {OpKind::kMul, broadcast},
    {OpKind::kDiv, broadcast},
    {OpKind::kMin, broadcast},
    {OpKind::kMax, broadcast},
    {OpKind::kSoftmax, as_operand},
    {OpKind::kReduceMean, reduced},
    {OpKind::kArgMax, arg_max},
    {OpKind::kUnary, as_operand},
    {OpKind::kBinary, broadcast},
    {OpKind::kCast, as_operand},
    {OpKind::kReduce, reduced},
    {OpKind::kCumulative, as_operand},
    {OpKind::kTopK, top_k},
    {OpKind::kNonZero, as_inferred},
    {OpKind::kUnique, unique},
    {OpKind::kNonMaxSuppression, non_max_suppression},
    {OpKind::kFlatten, flatten},
    {OpKind::kReshape, reshape},
    {OpKind::kTranspose, transpose},
    {OpKind::kConcat, concat},
    {OpKind::kStridedSlice, strided_slice},
    {OpKind::kWhere, broadcast},
    {OpKind::kTile, as_operand},
    {OpKind::kBroadcastTo, broadcast_to},
    {OpKind::kCompress, compress},
    {OpKind::kShapeOf, as_inferred},
    {OpKind::kGather, gather},
    {OpKind::kGatherElements, as_indices},
    {OpKind::kGatherNd, gather_nd},
    {OpKind::kScatterElements, scatter_elements},
    {OpKind::kScatterNd, scatter_nd},
};

const OpenRule* find_rule(OpKind kind) {
  const auto* rule = std::ranges::find(kOpenRules, kind, &OpenRule::kind);
  return rule == std::end(kOpenRules) ? nullptr : rule;
}

bool is_open(const TensorType& type) { return type.is_open(); }

void need_open_operand(OpKind kind, const OpAttrs& attrs) {
  if (attrs.open_axes.empty()) return;
  fail(ErrorCode::kInvalidArgument, "{}: open_axes [{}] of an operand without open axes",
       to_string(kind), fmt::join(attrs.open_axes, ", "));
}

// The first open axis.
[[noreturn]] void refuse(OpKind kind, const std::vector<TensorType>& inputs) {
  const auto input = static_cast<size_t>(std::ranges::find_if(inputs, is_open) - inputs.begin());
  OpenOperator{kind, {}, inputs, {}}.refuse(input, inputs[input].first_open_axis(),
                                            "the operator needs fixed sizes");
}

}  // namespace

bool takes_open_axes(OpKind kind) { return find_rule(kind) != nullptr; }

TensorType infer_type(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs) {
  if (std::ranges::none_of(inputs, is_open)) {
    need_open_operand(kind, attrs);
    return Inference(kind, attrs, inputs).run();
  }
  const OpenRule* const rule = find_rule(kind);
  if (rule == nullptr) refuse(kind, inputs);
  std::vector<TensorType> bounds = inputs;
  for (TensorType& type : bounds) type.open_axes = 0;
  TensorType result = Inference(kind, attrs, bounds).run();
  const OpenAxes open = rule->open_axes({kind, attrs, inputs, result});
  VTA_ASSERT(open.size() == result.shape.size(), "a rule gives every axis");
  result.open_axes = 0;
  for (size_t axis = 0; axis < open.size(); ++axis)
    result.open_axes |= static_cast<uint8_t>(open[axis] ? 1 << axis : 0);
  return result;
}

}  // namespace vta
