// SPDX-License-Identifier: Apache-2.0
//
// The constants of a convolution in the arena image, in the order in which its stream loads them.
#ifndef VTA_COMPILER_LOWER_CONV_CONSTANTS_H_
#define VTA_COMPILER_LOWER_CONV_CONSTANTS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {

// One step's share of the sum: input blocks [ic, ic + num_ic), taps from (ky, kx), tkh x tkw of
// them.
struct StepRange {
  int64_t ic, num_ic, ky, kx;
};
// The steps of a tile, in order.
std::vector<StepRange> step_ranges(const ConvShape& shape, const Tiling& tiling);

// Appends int8 `weights` [oc, ic, kh, kw] as chunks [tile of output blocks][step], each
// [output block][input block][ky][kx][block_out][block_in], channels filled up with zeros.
// Returns the chunks' offsets in the image in that order.
std::vector<uint64_t> append_weights(const Tensor& weights, const ConvShape& shape,
                                     const Tiling& tiling, LayerContext& context);

// Appends int32 `bias` [oc] plus `rounding` as ACC elements [output block][batch][block_out].
// Returns its offset.
uint64_t append_bias(const Tensor& bias, int32_t rounding, const ConvShape& shape,
                     LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_CONSTANTS_H_
