// SPDX-License-Identifier: Apache-2.0
//
// Constants of a convolution in the arena image, in the order of its stream's loads.
#ifndef VTA_COMPILER_LOWER_CONV_CONSTANTS_H_
#define VTA_COMPILER_LOWER_CONV_CONSTANTS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/layer_context.h"

namespace vta::lower {

// Appends int8 `weights` [oc, ic / groups, kh, kw] (or [oc, ic]) as the chunks of `terms`, each
// [pair of blocks][row tap][column tap][block_out][block_in], lanes without a weight zero. Returns
// the chunks' offsets in the image, in the order of the terms.
std::vector<uint64_t> append_weights(const Tensor& weights, const ConvShape& shape,
                                     const std::vector<std::vector<ConvTerm>>& terms,
                                     LayerContext& context);

// int8 weights of a transposed convolution, [ic, oc / groups, kh, kw], as [oc, ic / groups, kh,
// kw].
Tensor as_convolution_weights(const Tensor& weights, int64_t groups);

// Appends ACC elements [output block][number of `constants`][batch][block_out], each of the
// constants an int32 per output channel. Returns the offset.
uint64_t append_channel_constants(const std::vector<std::vector<int32_t>>& constants,
                                  const ConvShape& shape, LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_CONSTANTS_H_
