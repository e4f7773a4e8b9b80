// SPDX-License-Identifier: Apache-2.0
//
// Gates: integer forms of hard sigmoid and hard swish by multiplications, limits and shifts, which
// the core's ALU has.
#ifndef VTA_COMPILER_QUANTIZE_GATE_H_
#define VTA_COMPILER_QUANTIZE_GATE_H_

#include <optional>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// An integer operator whose two operands are the same tensor.
struct IntegerGate {
  OpKind kind;
  OpAttrs attrs;
};

// The gate that computes `node` from int8 numbers with `frac_in` fractional bits, to `frac_out`:
//   hard_sigmoid  qadd with a factor: (x * factor_a + addend) >> shift, 0 to 1
//   hard_swish    qmul with a gate: x * clip(x + 3, 0, 6) / 6, where 3 and 6 are exact
// Its results differ from the rounded real ones by at most 1. nullopt for other operators, and for
// scales at which 3 is not an integer or a constant exceeds the ALU's.
std::optional<IntegerGate> integer_gate(const graph::Node& node, int frac_in, int frac_out);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_GATE_H_
