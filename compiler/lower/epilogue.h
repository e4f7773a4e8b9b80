// SPDX-License-Identifier: Apache-2.0
//
// Epilogue: the ALU passes that turn accumulators into int8 outputs.
#ifndef VTA_COMPILER_LOWER_EPILOGUE_H_
#define VTA_COMPILER_LOWER_EPILOGUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/op.h"

namespace vta::lower {

// relu: max(x, 0); shift n > 0: (x + 2^(n-1)) >> n, n < 0: x << -n; clip to [lo, hi].
// A convolution may have a shift of its own for each channel, 0 to 31, instead of `shift`.
struct Requantization {
  int64_t shift = 0;
  bool relu = false;
  int64_t lo = -127, hi = 127;
  bool per_channel = false;
};

// Errors: kUnsupported, naming `layer`, for a shift beyond 31 bits or limits outside int8.
Requantization requantization_of(const OpAttrs& attrs, const std::string& layer);

// How passes are made; the results are the same unless an int32 sum wraps.
enum class AluStyle {
  kReq,          // one pass by the extension's REQ
  kRoundInBias,  // plain instructions; the rounding constant stands in the bias
  kUnfused,      // plain instructions, one for each step of the definition above
};

// The areas of a tile in ACC that a pass works on.
enum class Operands {
  kTile,          // the accumulators, by an immediate
  kTileBias,      // the accumulators, by their channel's bias
  kTileShift,     // the accumulators, by their channel's shift
  kTileResidual,  // the accumulators, by the residual operand
  kResidual,      // the residual operand, by an immediate
};

struct AluPass {
  uint32_t opcode = 0;  // isa::AluOpcode
  Operands operands = Operands::kTile;
  int32_t imm = 0;
};

// The constant that `style` wants added to the bias: 2^(shift-1) for kRoundInBias, else 0. With
// shifts per channel every style wants each channel's.
int32_t bias_rounding(AluStyle style, const Requantization& requantization);

// A convolution: adds the bias, requantizes.
std::vector<AluPass> convolution_passes(AluStyle style, const Requantization& requantization);

// A residual add: (tile << shift_tile) + (residual << shift_residual), requantized.
std::vector<AluPass> addition_passes(AluStyle style, const Requantization& requantization,
                                     int64_t shift_tile, int64_t shift_residual);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_EPILOGUE_H_
