// SPDX-License-Identifier: Apache-2.0
//
// Lowering of one convolution (or dense layer), with the residual add behind it where there is one,
// to one instruction stream.
//
// The stages, for tile t in half h = t mod 2 of ACC:
//
// - load: chunks of input and weights, each into a ring slot whose last reader has ended
//   (chunk_loads.h).
// - gemm: for each term one instruction, the first of which overwrites and waits until the ALU has
//   left half h (conv_gemms.h).
// - alu: bias and residual operand into ACC, then the passes of epilogue.h; the first waits for the
//   last term, and for the store of tile t-2, which read half h of OUT.
// - store: the tile's blocks (output_transfers.h).
//
// Without split GEMM and ALU are one stage in the same order, with a pass that clears the tile
// before its first term.
//
// Micro-op kernels run over the taps and input blocks innermost, for each output block; rows and
// columns of the tile are the instruction's two loops. The phases of a transposed convolution are
// instructions of their own, which leave out each other's pixels of the same tile; so the tile is
// finished and stored as any other.
#ifndef VTA_COMPILER_LOWER_CONV_LOWERING_H_
#define VTA_COMPILER_LOWER_CONV_LOWERING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/tiling.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

// (result << shift_tile) + (operand << shift_residual), requantized.
struct ResidualAdd {
  program::DramAddress operand;  // packed as the output
  int64_t shift_tile = 0, shift_residual = 0;
  Requantization requantization;
};

struct ConvLayer {
  ConvShape shape;
  Requantization requantization;
  program::DramAddress input, output;  // packed
  Tensor weights;                      // int8 [oc, ic / groups, kh, kw] or [oc, ic]
  Tensor bias;                         // int32 [oc]
  Tensor shifts;                       // int32 [oc] if the requantization is per channel
  std::optional<ResidualAdd> residual;
};

// The tiling for a layer.
Tiling find_tiling(const ConvLayer& layer, const LayerContext& context);

// Appends the layer's constants to the image and returns its stream. Weights lie in DRAM chunk by
// chunk in the order of the terms, so that a chunk is one run.
program::StreamBuilder lower_convolution(const ConvLayer& layer, const Tiling& tiling,
                                         LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_LOWERING_H_
