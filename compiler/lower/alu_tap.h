// SPDX-License-Identifier: Apache-2.0
//
// AluTap: the tap of a depthwise convolution that the ALU multiplies, while GEMM multiplies the
// others.
//
// A depthwise convolution uses the diagonals of GEMM's products only, and takes a cycle per tap and
// output element, in most of which the ALU has nothing to do. One tap by the ALU is a load of the
// input into the tile's place in ACC and MUL by the channels' weights. It takes 3 cycles per output
// element, two for the load, beside GEMM's 8 of a 3x3 kernel. GEMM adds the other taps.
#ifndef VTA_COMPILER_LOWER_ALU_TAP_H_
#define VTA_COMPILER_LOWER_ALU_TAP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/tap_ranges.h"
#include "runtime/tensor/tensor.h"

namespace vta::lower {

// Indices into axis_taps().
struct AluTap {
  int64_t row = 0, column = 0;

  bool operator==(const AluTap&) const = default;
};

// The tap by which output (y, x) reads input (y, x), in the middle of the kernel. It reads no
// padding, and its operands are laid out as the outputs are. nullopt: not a depthwise convolution
// of stride 1 with such a tap and another one.
std::optional<AluTap> alu_tap(const ConvShape& shape);

// GEMM's products of a pair of blocks, without those of the ALU's tap. `rows`, `columns`: the
// ranges of all taps.
int64_t products_beside(const AluTap& tap, const std::vector<TapRange>& rows,
                        const std::vector<TapRange>& columns);

// MUL of the input by the weights, before the tile's GEMMs.
AluPass alu_tap_product();

// The tap's weights by channel. `weights`: int8 [oc, 1, kh, kw].
std::vector<int32_t> alu_tap_weights(const Tensor& weights, const AluTap& tap);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_ALU_TAP_H_
