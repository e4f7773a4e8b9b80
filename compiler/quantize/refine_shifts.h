// SPDX-License-Identifier: Apache-2.0
//
// Refinement (refine.h) of graphs whose scales are powers of two.
#ifndef VTA_COMPILER_QUANTIZE_REFINE_SHIFTS_H_
#define VTA_COMPILER_QUANTIZE_REFINE_SHIFTS_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/rewrite.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

// The wanted means are those of the float graph `source`.
void refine_shifts(const graph::Graph& source, const Scales& scales, const Regions& regions,
                   const Statistics& statistics,
                   const std::vector<std::vector<Tensor>>& calibration,
                   const std::function<void(double fraction)>& on_progress, Rewritten& rewritten);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REFINE_SHIFTS_H_
