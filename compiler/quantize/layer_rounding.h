// SPDX-License-Identifier: Apache-2.0
//
// Adaptive rounding of one weighted layer, on the integer inputs that it gets.
#ifndef VTA_COMPILER_QUANTIZE_LAYER_ROUNDING_H_
#define VTA_COMPILER_QUANTIZE_LAYER_ROUNDING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// One node's value for every calibration input.
using Batch = std::vector<Tensor>;

// The weights of an integer layer (weight_rows.h), given in units of their scales, rounded up or
// down (round_weights.h) with the covariance of the windows of `inputs`. The results' errors get
// the least variance; a bias can make up for their mean. With `zero`, the inputs' zero point, the
// least mean square.
std::vector<int8_t> round_layer(const graph::Graph& graph, const graph::Node& layer,
                                const Batch& inputs, const std::vector<double>& rows,
                                std::optional<int64_t> zero);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_LAYER_ROUNDING_H_
