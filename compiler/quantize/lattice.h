// SPDX-License-Identifier: Apache-2.0
//
// The integers that real weights stand for, if they were stored quantized.
#ifndef VTA_COMPILER_QUANTIZE_LATTICE_H_
#define VTA_COMPILER_QUANTIZE_LATTICE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vta::quantize {

struct Lattice {
  double unit = 1;
  std::vector<int16_t> levels;  // each value is level * unit
};

// The levels of values that are integer multiples of a unit, up to the rounding of float32. They
// are -128 to 127, or, if that does not do, -255 to 255 of uint8 weights with a zero point. A power
// of two is preferred, then the largest unit. nullopt if there is none.
std::optional<Lattice> lattice_of(std::span<const float> values);
// int8 levels only.
std::optional<Lattice> int8_lattice_of(std::span<const float> values);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_LATTICE_H_
