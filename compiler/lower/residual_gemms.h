// SPDX-License-Identifier: Apache-2.0
//
// ResidualGemms: residual operands that reach ACC through INP and GEMM, by one multiplication with
// a diagonal of 2^shift. Beside a convolution of few products per output the ALU has no time to
// load them itself: its loads and its passes are in one queue.
//
// The operands of the tiles take turns in two slots at the end of INP; the diagonal is the last
// element of WGT (residual_inp_elems() and residual_wgt_elems() of tiling_sizes.h).
#ifndef VTA_COMPILER_LOWER_RESIDUAL_GEMMS_H_
#define VTA_COMPILER_LOWER_RESIDUAL_GEMMS_H_

#include <cstdint>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/layer_context.h"

namespace vta::lower {

class ResidualGemms {
 public:
  // All references outlive the object. `operand`: packed as the output.
  ResidualGemms(const ConvPlan& plan, const AccHalves& acc, DramAddress operand, int64_t shift,
                LayerContext& context)
      : plan_(plan), acc_(acc), operand_(operand), shift_(shift), context_(context) {}

  // Appends the LOAD and the GEMM that write the tile's residual operand, shifted, to ACC.
  void multiply(const OutputTile& tile);

 private:
  const ConvPlan& plan_;
  const AccHalves& acc_;
  const DramAddress operand_;
  const int64_t shift_;
  LayerContext& context_;
  bool has_diagonal_ = false;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_RESIDUAL_GEMMS_H_
