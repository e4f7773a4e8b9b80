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

// Appends int32 `bias` [oc] plus `rounding` as ACC elements [output block][batch][block_out]. With
// int32 `shifts` [oc], each 0 to 31, a channel's rounding is 2^(shift - 1) instead, and each
// element is followed by one of the shifts. Returns the offset.
uint64_t append_bias(const Tensor& bias, int32_t rounding, const Tensor& shifts,
                     const ConvShape& shape, LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_CONSTANTS_H_
