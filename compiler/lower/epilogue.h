// SPDX-License-Identifier: Apache-2.0
//
// Epilogue: the ALU passes from int32 accumulators to int8 results.
#ifndef VTA_COMPILER_LOWER_EPILOGUE_H_
#define VTA_COMPILER_LOWER_EPILOGUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/core_sizes.h"
#include "runtime/tensor/average.h"
#include "runtime/tensor/leak.h"
#include "runtime/tensor/op.h"

namespace vta::lower {

// relu: max(x, 0); shift n > 0: (x + 2^(n-1)) >> n, n < 0: x << -n; clip to [lo, hi], before the
// lower limit leaky. With `per_channel`, each channel has its own shift, 0 to 31, in place of
// `shift`. With `scaled` (runtime/tensor/free_scales.h): ((sum >> pre_shift) * the channel's factor
// + bias) >> shift, clip.
struct Requantization {
  int64_t shift = 0;
  bool relu = false;
  int64_t lo = -127, hi = 127;
  bool per_channel = false;
  int64_t min_channel_shift = 0;  // of per_channel
  std::optional<LeakFactor> leak = {};
  bool scaled = false;
  int64_t pre_shift = 0;
  int64_t max_sum = int64_t{1} << 31;  // a bound of the magnitude of what is shifted

  // Whether each channel has a number, its shift or factor, beside its bias.
  bool has_numbers() const { return per_channel || scaled; }
};

// Errors: kUnsupported, naming `layer`, for a shift beyond 31 bits or limits outside int8.
Requantization requantization_of(const OpAttrs& attrs, const std::string& layer);

// Choice of ALU passes; the results are the same unless an int32 sum wraps.
enum class AluStyle {
  kReq,          // one REQ pass of the extension
  kRoundInBias,  // plain instructions; the bias includes the rounding constant
  kUnfused,      // plain instructions, one per operation of Requantization, as in VTA's runtime
};

// The operands of a pass in ACC.
enum class Operands {
  kTile,          // accumulators op immediate
  kTileBias,      // accumulators op their channel's bias
  kTileNumber,    // accumulators op their channel's shift or factor
  kTileResidual,  // accumulators op residual operand
  kResidual,      // residual operand op immediate
  kTileAddend,    // accumulators op the addend of a scaled residual add
  kResidualTile,  // residual operand op accumulators
  kTileWeight,    // the input in the place of the tile op its channel's weight (alu_tap.h)
};

struct AluPass {
  uint32_t opcode = 0;  // isa::AluOpcode
  Operands operands = Operands::kTile;
  int32_t imm = 0;
};

// The rounding constant to be added to the bias: 2^(shift-1) for kRoundInBias, else 0. With
// per-channel shifts, every style adds each channel's constant to its bias.
int32_t bias_rounding(AluStyle style, const Requantization& requantization);

// Passes of a convolution: add the bias, requantize. If it is leaky, they use the place of a
// residual operand for a copy of the tile.
std::vector<AluPass> convolution_passes(AluStyle style, const Requantization& requantization);

// Passes of a residual add: (tile << shift_tile) + (residual << shift_residual), requantized.
std::vector<AluPass> addition_passes(AluStyle style, const Requantization& requantization,
                                     int64_t shift_tile, int64_t shift_residual);

// The factors of a residual add with free scales: (tile * tile + residual * residual + addend).
struct AddFactors {
  int64_t tile = 0, residual = 0;
  int32_t addend = 0;
};

// Passes of a residual add with free scales.
std::vector<AluPass> scaled_addition_passes(AluStyle style, const Requantization& requantization,
                                            const AddFactors& factors);

// Passes that requantize int8 numbers: tile << shift_tile, 0 to 8.
std::vector<AluPass> activation_passes(AluStyle style, Requantization requantization,
                                       int64_t shift_tile);

// Cycles of the ALU per element. A pass with a second operand in ACC reads it, except the bias,
// which the ALU keeps in a register.
int64_t cycles_of(const std::vector<AluPass>& passes, const CoreSizes& core);

// Passes of an average pool: sums of windows are divided.
std::vector<AluPass> average_passes(AluStyle style, const AverageFactor& factor);

// Passes of an average pool with free scales: (sum - zeros) * factor, then result_zero is added.
std::vector<AluPass> scaled_average_passes(AluStyle style, const AverageFactor& factor,
                                           int64_t zeros, int64_t result_zero);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_EPILOGUE_H_
