// SPDX-License-Identifier: Apache-2.0
//
// BorderGemms: the corrections of the border (border.h) that GEMM computes. Padding in all lanes of
// an INP element times a tap's weights, which a term has in WGT anyway, is what the tap adds to an
// output. One product per tap and output block then replaces corrections in DRAM, each of which
// takes 8 cycles to load.
//
// The element of padding is the first one of INP after the slots.
#ifndef VTA_COMPILER_LOWER_BORDER_GEMMS_H_
#define VTA_COMPILER_LOWER_BORDER_GEMMS_H_

#include <cstdint>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/border.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/layer_context.h"

namespace vta::lower {

// Whether GEMM is to compute the corrections: of grouped convolutions whose output blocks depend on
// one input block each, such as depthwise ones. Others would take a product per input block. Where
// they have one, too (ResNet-20), the ALU has less time for corrections by tap than GEMM has for
// the taps of a depthwise convolution. A folded ALU has no time for them either.
bool multiplies_border(const ConvShape& shape, const CoreConfig& core);

class BorderGemms {
 public:
  // All references outlive the object. `padding`: its value.
  BorderGemms(const ConvPlan& plan, const AccHalves& acc, const Border& border, int64_t padding,
              LayerContext& context)
      : plan_(plan), acc_(acc), border_(border), padding_(padding), context_(context) {}

  // Before the terms of a tile: its half of ACC may have the corrections of its blocks already.
  void start(const OutputTile& tile);
  // Appends the GEMM for the taps of a term, whose weights begin at `wgt`.
  void multiply(const OutputTile& tile, const ConvTerm& term, uint32_t wgt);

 private:
  void load_padding();

  const ConvPlan& plan_;
  const AccHalves& acc_;
  const Border& border_;
  const int64_t padding_;
  LayerContext& context_;
  bool is_loaded_ = false;           // the padding
  bool is_needed_ = false;           // by the tile
  int64_t blocks_in_[2] = {-1, -1};  // BlockTile::index of the corrections that each half holds
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_BORDER_GEMMS_H_
