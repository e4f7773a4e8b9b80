// SPDX-License-Identifier: Apache-2.0
//
// Bounds of the int32 numbers of integer operators, for all int8 inputs.
#ifndef VTA_COMPILER_QUANTIZE_SUM_BOUNDS_H_
#define VTA_COMPILER_QUANTIZE_SUM_BOUNDS_H_

#include "compiler/graph/graph.h"

namespace vta::quantize {

inline constexpr double kMaxSum = 2147483647;  // of an int32

// Additions and multiplications are exact modulo 2^32, whatever their order; shifts, minima and
// maxima are not. Checks that the operand of each of those fits int32 for all inputs of the graph.
// Errors: kUnsupported, naming the operator, its bound, the limit and the cure.
void check_sums(const graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SUM_BOUNDS_H_
