// SPDX-License-Identifier: Apache-2.0
//
// Sizes that follow from a convolution's tiling, and its text.
#ifndef VTA_COMPILER_LOWER_TILING_SIZES_H_
#define VTA_COMPILER_LOWER_TILING_SIZES_H_

#include <cstdint>
#include <string>

#include "compiler/lower/border.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {

// "14 x 28 x 4 x 2" (th x tw x tco x tci), followed by the taps per term and the loop order if they
// are not the defaults.
std::string to_string(const Tiling& tiling, const ConvShape& shape);

// Elements of a slot.
int64_t inp_slot_elems(const ConvShape& shape, const Tiling& tiling);
int64_t wgt_slot_elems(const ConvShape& shape, const Tiling& tiling);

// Elements of ACC for the outputs of an output block in the largest tile; with a pool, these are
// all positions that its windows cover.
int64_t acc_block_elems(const ConvShape& shape, const Tiling& tiling);

// Elements of an input block in a slot.
int64_t inp_block_elems(const ConvShape& shape, const Tiling& tiling);

// Elements at the end of INP and WGT that are not for slots, but for the residual operands of two
// tiles and for their weights if they are multiplied.
int64_t residual_inp_elems(const Tiling& tiling);
int64_t residual_wgt_elems(const Tiling& tiling);
// Elements at the end of INP that are not for slots: these, after one of padding if GEMM computes
// the corrections of the border.
int64_t reserved_inp_elems(const Border& border, const Tiling& tiling);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_SIZES_H_
