// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/result_range.h"

#include <algorithm>

#include "compiler/quantize/levels.h"

namespace vta::quantize {

using graph::Node;
using graph::NodeId;

namespace {

constexpr Range kNotNegative = {0, kInfinity};

}  // namespace

Range ResultRanges::of(NodeId id) {
  const auto found = known_.find(id);
  if (found != known_.end()) return found->second;
  return known_[id] = find(graph_.node(id));
}

Range ResultRanges::find(const Node& node) {
  switch (node.kind) {
    case OpKind::kRelu:
      return {std::max(0.0F, of(node.inputs[0]).lo), kInfinity};
    case OpKind::kSigmoid:
    case OpKind::kHardSigmoid:
    case OpKind::kSoftmax:
      return {0, 1};
    case OpKind::kAbs:
    case OpKind::kExp:
    case OpKind::kSqrt:
    case OpKind::kSoftplus:
      return kNotNegative;
    case OpKind::kClip:
      return {static_cast<float>(node.attrs.lo), static_cast<float>(node.attrs.hi)};
    case OpKind::kPad: {
      const auto value = static_cast<float>(node.attrs.pad_value);
      return of_all(node).with({value, value});
    }
    case OpKind::kAdd: {
      const Range a = of(node.inputs[0]), b = of(node.inputs[1]);
      return {a.lo + b.lo, a.hi + b.hi};
    }
    case OpKind::kMul:
      return of_all(node).is_within(kNotNegative) ? kNotNegative : kAllNumbers;
    case OpKind::kConcat:
      return of_all(node);
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
      return of_all(node).with({0, 0});  // padding may count
    default:
      return moves_elements(node) ? of(node.inputs[0]) : kAllNumbers;
  }
}

Range ResultRanges::of_all(const Node& node) {
  Range result = of(node.inputs[0]);
  for (NodeId input : node.inputs) result = result.with(of(input));
  return result;
}

}  // namespace vta::quantize
