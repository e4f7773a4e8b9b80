// SPDX-License-Identifier: Apache-2.0
//
// The levels of results with free scales: all 256 from the least to the largest number, with what
// the core's arithmetic of some operators asks for.
#ifndef VTA_COMPILER_QUANTIZE_FREE_LEVELS_H_
#define VTA_COMPILER_QUANTIZE_FREE_LEVELS_H_

#include <map>

#include "compiler/graph/graph.h"
#include "compiler/quantize/levels.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/result_range.h"

namespace vta::quantize {

using Ranges = std::map<graph::NodeId, Range>;  // by result that owns a scale

// By result that owns a scale (Regions::scale_of). A tensor without numbers has unit 1.
//
//   no zero point     operands of transposed convolutions and of products of matrices; operands and
//                     results of hard swish and of products
//   the operand's     of a relu or clip whose operand has other users: it stays on its levels
//   a wider unit      of the operand of hard swish, so that 3 is a level; of the smaller operand of
//                     a product, so that a shift brings the product to the result's unit
std::map<graph::NodeId, Levels> free_levels(const graph::Graph& graph, const Regions& regions,
                                            const Ranges& ranges);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_FREE_LEVELS_H_
