// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/lattice.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantize/power_of_two.h"

namespace vta::quantize {
namespace {

// Rounding error of a product of a level and a unit in float32, in units.
constexpr double kTolerance = 1e-4;

struct LevelRange {
  int lo, hi;
};
constexpr LevelRange kInt8 = {-128, 127}, kWide = {-255, 255};

std::optional<Lattice> levels_at(std::span<const float> values, double unit, double tolerance,
                                 LevelRange range) {
  Lattice lattice{unit, {}};
  for (float value : values) {
    const double quotient = value / unit, level = std::round(quotient);
    if (std::abs(quotient - level) > tolerance || level < range.lo || level > range.hi)
      return std::nullopt;
    lattice.levels.push_back(static_cast<int16_t>(level));
  }
  return lattice;
}

// The largest power of two of which all values are exact multiples.
std::optional<Lattice> power_of_two_lattice(std::span<const float> values, double largest,
                                            LevelRange range) {
  constexpr int kBits = 8;
  const int first = ceil_log2(largest);
  for (int exponent = first; exponent >= first - kBits; --exponent) {
    if (auto lattice = levels_at(values, std::ldexp(1.0, exponent), 0, range)) return lattice;
  }
  return std::nullopt;
}

std::optional<Lattice> lattice_within(LevelRange range, std::span<const float> values) {
  const double largest = max_abs(values);
  if (largest == 0) return Lattice{1, std::vector<int16_t>(values.size())};
  if (auto lattice = power_of_two_lattice(values, largest, range)) return lattice;
  for (int level = 1; level <= -range.lo; ++level) {
    if (auto lattice = levels_at(values, largest / level, kTolerance, range)) return lattice;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Lattice> int8_lattice_of(std::span<const float> values) {
  return lattice_within(kInt8, values);
}

std::optional<Lattice> lattice_of(std::span<const float> values) {
  auto lattice = int8_lattice_of(values);
  return lattice ? lattice : lattice_within(kWide, values);
}

}  // namespace vta::quantize
