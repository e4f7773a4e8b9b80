// SPDX-License-Identifier: Apache-2.0
//
// Refinement (refine.h) of graphs with free scales.
#ifndef VTA_COMPILER_QUANTIZE_REFINE_FREE_H_
#define VTA_COMPILER_QUANTIZE_REFINE_FREE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/merge_quantized.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

// `graph` is `source` with free scales, `merged` what merge_quantized_layers() returned for it. The
// wanted means are those of `source`, whose layers and sums have the same names. Rows of weights
// that are multiples of a unit already keep it.
void refine_free(const graph::Graph& source, const Statistics& statistics,
                 const std::vector<std::vector<Tensor>>& calibration,
                 const std::function<void(double fraction)>& on_progress, Merged& merged,
                 graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REFINE_FREE_H_
