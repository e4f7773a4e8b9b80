// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a max pool: the ALU computes the maxima of windows in ACC.
//
// A tile is th x tw outputs of some blocks. A half of ACC holds the tile's results, followed by the
// input of their windows, loaded as int8 with zeros for padding. Each tap is a micro-op: results
// are cleared, the first tap is added, MAX takes the others. All tiles have one size, so that they
// share micro-ops; the last tile of an axis overlaps its neighbour.
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

// The layer of a max_pool2d with input `src` and result `dst`; the caller sets the addresses.
PoolLayer pool_layer_of(const OpAttrs& attrs, const TensorType& src, const TensorType& dst,
                        const CoreConfig& core);

// Whether windows read padding (zeros).
bool reaches_padding(const PoolLayer& layer);

struct PoolTiling {
  int64_t th = 1, tw = 1, blocks = 1;
};
std::string to_string(const PoolTiling& tiling);  // "7 x 14 x 4"

// The largest tiles that fit. nullopt: a window does not fit the core, or its padding or stride
// exceeds LOAD's fields.
std::optional<PoolTiling> find_pool_tiling(const PoolLayer& layer, const CoreConfig& core);

program::StreamBuilder lower_max_pool(const PoolLayer& layer, const PoolTiling& tiling,
                                      LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_POOL_LOWERING_H_
