// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/epilogue.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "compiler/lower/alu_cycles.h"
#include "hw/isa/layout.h"

namespace vta::lower {
namespace {

constexpr int64_t kMaxShift = 31;
constexpr int64_t kMaxImmediate = 32767;  // of the ALU, also negated
// The largest shift whose rounding constant 2^(n-1) fits the signed 16-bit immediate.
constexpr int64_t kMaxShiftRoundedByImmediate = 15;

// The code of REQ's field `lower` for a lower limit, if it has one.
std::optional<isa::ReqLower> req_lower(int64_t lo) {
#define VTA_REQ_LOWER(enumerator, code, limit) \
  if (lo == (limit)) return isa::enumerator;
#include "hw/isa/req.def"
  return std::nullopt;
}

// The immediate of one REQ, if it can express the requantization.
std::optional<int32_t> req_immediate(const Requantization& r) {
  const int64_t lo = r.relu ? std::max<int64_t>(r.lo, 0) : r.lo;
  const std::optional<isa::ReqLower> lower = r.leak ? isa::kReqLowerNone : req_lower(lo);
  if (r.shift < 0 || r.hi < 0 || r.hi > isa::kReqUpperMax || !lower) return std::nullopt;
  const auto bits = [](isa::ReqFieldId id, int64_t value) {
    return isa::placed(static_cast<uint64_t>(value), isa::req_field(id));
  };
  return static_cast<int32_t>(bits(isa::kReq_shift, r.shift) |
                              bits(isa::kReq_round, r.scaled ? 0 : 1) |
                              bits(isa::kReq_lower, *lower) | bits(isa::kReq_upper, r.hi));
}

void append(std::vector<AluPass>& passes, const std::vector<AluPass>& more) {
  passes.insert(passes.end(), more.begin(), more.end());
}

// (x + 2^(n-1)) >> n.
void append_rounding_shift(std::vector<AluPass>& passes, int64_t shift,
                           Operands operands = Operands::kTile) {
  const auto n = static_cast<int32_t>(shift);
  if (shift == 0) return;
  if (shift < 0) {
    passes.push_back({isa::kShr, operands, n});
  } else if (shift <= kMaxShiftRoundedByImmediate) {
    passes.push_back({isa::kAdd, operands, 1 << (n - 1)});
    passes.push_back({isa::kShr, operands, n});
  } else {  // equal: floor((floor(x / 2^(n-1)) + 1) / 2)
    passes.push_back({isa::kShr, operands, n - 1});
    passes.push_back({isa::kAdd, operands, 1});
    passes.push_back({isa::kShr, operands, 1});
  }
}

// A bound of the magnitude of shifted numbers, at most 2^31.
int64_t max_shifted(const Requantization& r) {
  constexpr int64_t kMost = int64_t{1} << 31;
  const int64_t shift = r.per_channel ? r.min_channel_shift : r.shift;
  if (shift < 0) return std::min(kMost, r.max_sum << -shift);
  return std::min(kMost, (r.max_sum >> shift) + 1);
}

// From numbers that are clipped from above, to their leaky relu that is clipped from below. The
// place of the residual operand takes a copy, which is multiplied: of it and the tile, the larger
// number is the result. Numbers whose product may not fit 32 bits are limited first.
std::vector<AluPass> leak_passes(AluStyle style, const Requantization& r) {
  std::vector<AluPass> passes;
  if (!r.leak) return passes;
  const auto lo = static_cast<int32_t>(r.lo);
  append(passes, {{isa::kMul, Operands::kResidual, 0}, {isa::kAdd, Operands::kResidualTile, 0}});
  if (r.leak->offset != 0) passes.push_back({isa::kAdd, Operands::kResidual, r.leak->offset});
  if ((max_shifted(r) + std::abs(r.leak->offset)) * r.leak->multiplier > INT32_MAX)
    passes.push_back({isa::kMax, Operands::kResidual, kMinLeaky});
  if (r.leak->multiplier != 1)
    passes.push_back({isa::kMul, Operands::kResidual, r.leak->multiplier});
  const auto imm = req_immediate({.shift = r.leak->shift, .lo = r.lo, .hi = r.hi});
  if (style == AluStyle::kReq && imm) {
    passes.push_back({isa::kReq, Operands::kResidual, *imm});
  } else {
    append_rounding_shift(passes, r.leak->shift, Operands::kResidual);
    passes.push_back({isa::kMax, Operands::kResidual, lo});
  }
  passes.push_back({isa::kMax, Operands::kTileResidual, 0});
  return passes;
}

// The clip of shifted numbers; from above only, if they are leaky. A relu before the shift equals a
// relu after it.
std::vector<AluPass> clipping_passes(AluStyle style, Requantization r) {
  r.shift = 0;
  if (style == AluStyle::kReq) {
    if (const auto imm = req_immediate(r)) return {{isa::kReq, Operands::kTile, *imm}};
  }
  // If the relu is above the upper limit, every result is the upper limit.
  const int64_t lo = r.relu ? std::min(std::max<int64_t>(r.lo, 0), r.hi) : r.lo;
  const AluPass upper = {isa::kMin, Operands::kTile, static_cast<int32_t>(r.hi)};
  if (r.leak) return {upper};
  return {upper, {isa::kMax, Operands::kTile, static_cast<int32_t>(lo)}};
}

// ADD (not if `addend` is kTile), MAX 0, rounding shift, MIN, MAX: the operations of Requantization
// in order. The last MAX is omitted if a relu makes the lower limit unreachable; a left shift may
// wrap below it. A leaky relu follows MIN.
std::vector<AluPass> plain_passes(const Requantization& r, Operands addend, bool rounding_in_bias) {
  std::vector<AluPass> passes;
  if (addend != Operands::kTile) passes.push_back({isa::kAdd, addend, 0});
  const auto lo = static_cast<int32_t>(r.lo), hi = static_cast<int32_t>(r.hi);
  const bool folded = rounding_in_bias && r.shift > 0;
  if (folded) {  // relu and shift commute
    passes.push_back({isa::kShr, Operands::kTile, static_cast<int32_t>(r.shift)});
    append(passes, clipping_passes(AluStyle::kRoundInBias, r));
    return passes;
  }
  if (r.relu) passes.push_back({isa::kMax, Operands::kTile, 0});
  append_rounding_shift(passes, r.shift);
  passes.push_back({isa::kMin, Operands::kTile, hi});
  if (r.leak) return passes;
  if (!r.relu || lo > 0 || r.shift < 0) passes.push_back({isa::kMax, Operands::kTile, lo});
  return passes;
}

// `addend`: kTileBias, kTileResidual, or kTile for none.
std::vector<AluPass> requantizing_passes(AluStyle style, const Requantization& r, Operands addend,
                                         bool rounding_in_bias) {
  std::vector<AluPass> passes;
  const auto imm = req_immediate(r);
  if (style == AluStyle::kReq && imm) {
    passes.push_back({isa::kReq, addend, *imm});
  } else {
    passes = plain_passes(r, addend, rounding_in_bias);
  }
  append(passes, leak_passes(style, r));
  return passes;
}

}  // namespace

Requantization requantization_of(const OpAttrs& attrs, const std::string& layer) {
  Requantization r{attrs.shift, attrs.relu, static_cast<int64_t>(attrs.lo),
                   static_cast<int64_t>(attrs.hi)};
  r.scaled = attrs.scaled;
  r.pre_shift = attrs.pre_shift;
  if (r.shift < -kMaxShift || r.shift > kMaxShift) {
    fail(ErrorCode::kUnsupported, "{}: shift {} exceeds {} bits", layer, r.shift, kMaxShift);
  }
  const LeakFactor leak = leak_factor_of(attrs);
  const bool changes = attrs.leak != 0 && attrs.leak != int64_t{1} << attrs.leak_shift;
  if (changes && !r.relu) r.leak = leak;
  if (r.lo < -128 || r.hi > 127 || r.lo > r.hi) {
    fail(ErrorCode::kUnsupported, "{}: limits [{}, {}] are not a range of int8", layer, r.lo, r.hi);
  }
  return r;
}

int32_t bias_rounding(AluStyle style, const Requantization& r) {
  return !r.scaled && style == AluStyle::kRoundInBias && r.shift > 0 ? int32_t{1} << (r.shift - 1)
                                                                     : 0;
}

std::vector<AluPass> convolution_passes(AluStyle style, const Requantization& r) {
  if (r.scaled) {
    std::vector<AluPass> passes;
    if (r.pre_shift > 0)
      passes.push_back({isa::kShr, Operands::kTile, static_cast<int32_t>(r.pre_shift)});
    passes.push_back({isa::kMul, Operands::kTileNumber, 0});
    for (const AluPass& pass : requantizing_passes(style, r, Operands::kTileBias, true))
      passes.push_back(pass);
    return passes;
  }
  if (r.per_channel) {  // the bias includes the rounding constants
    std::vector<AluPass> passes = {{isa::kAdd, Operands::kTileBias, 0},
                                   {isa::kShr, Operands::kTileNumber, 0}};
    append(passes, clipping_passes(style, r));
    append(passes, leak_passes(style, r));
    return passes;
  }
  return requantizing_passes(style, r, Operands::kTileBias, style == AluStyle::kRoundInBias);
}

std::vector<AluPass> addition_passes(AluStyle style, const Requantization& r, int64_t shift_tile,
                                     int64_t shift_residual) {
  std::vector<AluPass> passes;
  if (shift_tile != 0)
    passes.push_back({isa::kShr, Operands::kTile, static_cast<int32_t>(-shift_tile)});
  if (shift_residual != 0) {
    passes.push_back({isa::kShr, Operands::kResidual, static_cast<int32_t>(-shift_residual)});
  }
  append(passes, requantizing_passes(style, r, Operands::kTileResidual, false));
  return passes;
}

std::vector<AluPass> scaled_addition_passes(AluStyle style, const Requantization& r,
                                            const AddFactors& factors) {
  std::vector<AluPass> passes = {
      {isa::kMul, Operands::kTile, static_cast<int32_t>(factors.tile)},
      {isa::kMul, Operands::kResidual, static_cast<int32_t>(factors.residual)},
      {isa::kAdd, Operands::kTileAddend, 0}};
  append(passes, requantizing_passes(style, r, Operands::kTileResidual, true));
  return passes;
}

std::vector<AluPass> activation_passes(AluStyle style, Requantization requantization,
                                       int64_t shift_tile) {
  requantization.shift -= shift_tile;
  requantization.max_sum >>= shift_tile;
  return requantizing_passes(style, requantization, Operands::kTile, false);
}

int64_t cycles_of(const std::vector<AluPass>& passes, const CoreSizes& core) {
  return std::accumulate(passes.begin(), passes.end(), int64_t{0}, [&](int64_t sum, AluPass pass) {
    const bool reads_two =
        pass.operands == Operands::kTileResidual || pass.operands == Operands::kResidualTile;
    return sum + alu_uop_cycles(core, reads_two);
  });
}

std::vector<AluPass> average_passes(AluStyle style, const AverageFactor& factor) {
  const Requantization r{.shift = factor.shift};
  std::vector<AluPass> passes = {{isa::kMul, Operands::kTile, factor.multiplier}};
  if (style == AluStyle::kReq) {
    if (const auto imm = req_immediate(r)) {
      passes.push_back({isa::kReq, Operands::kTile, *imm});
      return passes;
    }
  }
  append_rounding_shift(passes, factor.shift);
  append(passes, clipping_passes(style, r));
  return passes;
}

std::vector<AluPass> scaled_average_passes(AluStyle style, const AverageFactor& factor,
                                           int64_t zeros, int64_t result_zero) {
  std::vector<AluPass> passes;
  while (zeros != 0) {
    const int64_t part = std::clamp(zeros, -kMaxImmediate, kMaxImmediate);
    passes.push_back({isa::kAdd, Operands::kTile, static_cast<int32_t>(-part)});
    zeros -= part;
  }
  passes.push_back({isa::kMul, Operands::kTile, factor.multiplier});
  append_rounding_shift(passes, factor.shift);
  if (result_zero != 0)
    passes.push_back({isa::kAdd, Operands::kTile, static_cast<int32_t>(result_zero)});
  for (const AluPass& pass : clipping_passes(style, {.lo = -128, .hi = 127}))
    passes.push_back(pass);
  return passes;
}

}  // namespace vta::lower
