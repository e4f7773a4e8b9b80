// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a convolution or dense layer, with a fused residual add if there is one, to
// instructions.
//
// The stages for a tile in half h of ACC; tiles use the two halves in turn:
//
// - load: loads the input and weight chunk of each term into slots whose last reader has ended
//   (chunk_loads.h).
// - gemm: one GEMM per term and phase. The first tap of each output block and phase overwrites, in
//   a GEMM of its own before the adding one, which waits until the ALU has finished the tile before
//   the last, in half h (conv_gemms.h).
// - alu: loads bias and residual operand into ACC, then runs the passes of epilogue.h. The first
//   pass waits for the last term and for the store of the tile before the last, which reads half h
//   of OUT.
//   A tap that the ALU multiplies (alu_tap.h) is loaded and multiplied right after the passes of
//   the tile before the last, and GEMM adds the other taps; the first tile has none.
// - store: stores the tile's blocks (output_transfers.h). With free scales, whose passes take as
//   long as the store, the alu and store stages finish the last tile block by block.
//
// Without split instructions, GEMM and ALU are one stage in the same order, and a reset GEMM clears
// the tile before its first term.
//
// A micro-op kernel iterates over output blocks, then input blocks, then taps. The two loops of the
// instruction iterate over rows and columns of the tile, or over output blocks and pixels if the
// pixels are one run (conv_gemms.h). Each phase of a transposed convolution is an instruction of
// its own that writes only the phase's pixels of the tile; the ALU and store stages are the same as
// for other convolutions.
#ifndef VTA_COMPILER_LOWER_CONV_LOWERING_H_
#define VTA_COMPILER_LOWER_CONV_LOWERING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/border.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/stream_builder.h"
#include "compiler/lower/tiling_search.h"
#include "compiler/lower/weight_chunks.h"

namespace vta::lower {

// (result << shift_tile) + (operand << shift_residual), requantized; with free scales by `factors`.
struct ResidualAdd {
  DramAddress operand;  // packed as the output
  int64_t shift_tile = 0, shift_residual = 0;
  AddFactors factors;
  Requantization requantization;
};

struct ConvLayer {
  ConvShape shape;
  std::optional<MatricesOfImages> matrices;  // of a product of matrices
  Requantization requantization;
  DramAddress input, output;  // packed
  ConvWeights weights;
  Tensor bias;       // int32 [oc]
  Tensor numbers;    // int32 [oc] if the requantization has numbers: shifts or factors
  int64_t zero = 0;  // the value of padding
  std::optional<ResidualAdd> residual;
};

// A bound of the magnitude of a sum of products of a convolution or dense layer.
int64_t max_product_sum(const graph::Graph& graph, const graph::Node& conv);

// `conv`: a convolution or dense layer.
Requantization requantization_of(const graph::Graph& graph, const graph::Node& conv);

// What the layer's tiling depends on.
TilingProblem tiling_problem(const ConvLayer& layer, const LayerContext& context);

// Appends the layer's constants to the arena image and its instructions to the context's stream.
// `schedule`: of tiling_problem() of the layer.
void lower_convolution(const ConvLayer& layer, const ConvSchedule& schedule, LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_LOWERING_H_
