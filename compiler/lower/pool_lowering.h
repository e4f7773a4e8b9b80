// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a max pool: the ALU takes the maximum of each window's elements in ACC.
//
// A tile is th x tw outputs of some blocks. Each half of ACC holds its results and, behind them,
// the input that its windows reach, loaded as int8 with zeros for padding. Micro-ops are the taps:
// results are cleared, the first tap is added, the others are maxima. Tiles are of one size; the
// last one of an axis moves back over its neighbour, so that micro-ops are the same for all.
#ifndef VTA_COMPILER_LOWER_POOL_LOWERING_H_
#define VTA_COMPILER_LOWER_POOL_LOWERING_H_

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/layer_context.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

struct PoolLayer {
  int64_t image_groups = 1, blocks = 1;
  ConvAxis rows, columns;
  program::DramAddress input, output;  // packed
};

// Of a max_pool2d with input `src` and result `dst`; addresses are left to the caller.
PoolLayer pool_layer_of(const OpAttrs& attrs, const TensorType& src, const TensorType& dst,
                        const CoreConfig& core);

// Whether windows reach beyond the input, where they find zeros.
bool reaches_padding(const PoolLayer& layer);

struct PoolTiling {
  int64_t th = 1, tw = 1, blocks = 1;
};
std::string to_string(const PoolTiling& tiling);  // "7 x 14 x 4"

// The largest tiles. nullopt: a window does not fit the core, or its padding or stride no LOAD.
std::optional<PoolTiling> find_pool_tiling(const PoolLayer& layer, const CoreConfig& core);

program::StreamBuilder lower_max_pool(const PoolLayer& layer, const PoolTiling& tiling,
                                      LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_POOL_LOWERING_H_
