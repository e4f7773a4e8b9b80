// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/core_lowerings.h"

#include <algorithm>

namespace vta::lower {
namespace {

struct Row {
  OpKind kind;
  const CoreLowering* lowering;
};

constexpr Row kRows[] = {
#define VTA_CORE_OP(kind, family, check, products) {OpKind::kind, &k##family##Lowering},
#include "runtime/program/core_operators.def"
};

}  // namespace

const CoreLowering* find_core_lowering(OpKind kind) {
  const auto found = std::ranges::find(kRows, kind, &Row::kind);
  return found == std::end(kRows) ? nullptr : found->lowering;
}

bool is_never_negative(const graph::Graph& graph, const graph::Node& node) {
  const CoreLowering* lowering = find_core_lowering(node.kind);
  if (lowering == nullptr) return false;
  if (lowering->bound == ResultBound::kClip) return node.attrs.lo >= 0;
  if (node.attrs.ratio != 0) return false;  // an average with zero points
  return std::ranges::all_of(node.inputs, [&](graph::NodeId input) {
    return is_never_negative(graph, graph.node(input));
  });
}

}  // namespace vta::lower
