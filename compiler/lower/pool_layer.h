// SPDX-License-Identifier: Apache-2.0
//
// PoolLayer: geometry of a pool on the core, and of its tiles. A half of ACC holds the results of a
// tile, th x tw outputs of some blocks, and the input of their windows. All tiles have one size;
// the last tile of an axis overlaps its neighbour.
#ifndef VTA_COMPILER_LOWER_POOL_LAYER_H_
#define VTA_COMPILER_LOWER_POOL_LAYER_H_

#include <cstdint>
#include <optional>

#include "compiler/lower/conv_shape.h"
#include "configs/core_config.h"
#include "runtime/program/dram_address.h"
#include "runtime/tensor/op.h"

namespace vta::lower {

struct PoolLayer {
  int64_t image_groups = 1, blocks = 1;
  WindowAxis rows, columns;
  DramAddress input, output;  // packed
};

struct PoolTiling {
  int64_t th = 1, tw = 1, blocks = 1;
};

// The layer of a pool with input `src` and result `dst`; the caller sets the addresses.
PoolLayer pool_layer_of(const WindowAttrs& attrs, const TensorType& src, const TensorType& dst,
                        const CoreConfig& core);

// Elements of a tile per block: of its input; in total.
int64_t inp_elems(const PoolLayer& layer, const PoolTiling& t);
int64_t elems(const PoolLayer& layer, const PoolTiling& t);

// The largest tiles that fit half of ACC. nullopt: a window does not fit, or its padding or stride
// exceeds LOAD's fields.
std::optional<PoolTiling> largest_pool_tiling(const PoolLayer& layer, const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_POOL_LAYER_H_
