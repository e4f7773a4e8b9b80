// SPDX-License-Identifier: Apache-2.0
//
// Layers whose tilings are searched for: convolutions, dense layers, products of matrices.
#ifndef VTA_COMPILER_LOWER_SEARCHED_LAYER_H_
#define VTA_COMPILER_LOWER_SEARCHED_LAYER_H_

#include <optional>
#include <string>

#include "compiler/lower/conv_lowering.h"
#include "compiler/lower/layer_context.h"

namespace vta::lower {

// The tiling that the search finds, once for each problem. nullopt: a window of the layer's max
// pool does not fit.
const std::optional<FoundTiling>& found_tiling(const TilingProblem& problem, LayerContext& context);

// Lowers the layer with the tiling of the schedule book, else of the search, and reports it to the
// context. Returns its text. Errors: kInvalidArgument for a tiling of the book that does not fit.
std::string lower_searched(const ConvLayer& layer, LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_SEARCHED_LAYER_H_
