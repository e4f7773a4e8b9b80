// SPDX-License-Identifier: Apache-2.0
//
// Gates: integer forms of hard sigmoid and hard swish by multiplications, limits and shifts, which
// the core's ALU has.
#ifndef VTA_COMPILER_QUANTIZE_GATE_H_
#define VTA_COMPILER_QUANTIZE_GATE_H_

#include <optional>

#include "compiler/graph/graph.h"
#include "compiler/quantize/levels.h"

namespace vta::quantize {

// An integer operator whose two operands are the same tensor.
struct IntegerGate {
  OpKind kind;
  OpAttrs attrs;
};

// The gate that computes `node` from levels `x` to levels `result`:
//   hard_sigmoid  qadd with a factor: (x * factor_a + addend) >> shift, 0 to 1
//   hard_swish    qmul with a gate: x * clip(x + 3, 0, 6) / 6, where 3 and 6 are exact
// Its results differ from the rounded real ones by at most 1. nullopt for other operators, and for
// levels at which a constant exceeds the ALU's; for hard_swish if 3 is not a level of x, or with
// zero points.
std::optional<IntegerGate> integer_gate(const graph::Node& node, const Levels& x,
                                        const Levels& result);

// The number of x from which hard_swish is x itself, which must be a level.
inline constexpr double kFullSwish = 3;

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_GATE_H_
