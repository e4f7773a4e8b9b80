// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/report/resources.h"

#include <algorithm>
#include <limits>

namespace vta::hlsc::report {

namespace {

uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// RAMB18 of a memory, in the shape that takes the fewest: each word is spread over RAMB18 of 36,
// 18, 9, 4, 2 or 1 bits.
uint32_t ramb18(uint32_t width, uint32_t depth, bool with_parity, bool true_dual_port = false) {
  static constexpr struct {
    uint32_t width, width_without_parity, depth;
  } kShapes[] = {{36, 32, 512}, {18, 16, 1024}, {9, 8, 2048},
                 {4, 4, 4096},  {2, 2, 8192},   {1, 1, 16384}};
  uint32_t fewest = std::numeric_limits<uint32_t>::max();
  for (const auto& shape : kShapes) {
    if (true_dual_port && shape.width == 36) continue;
    const uint32_t bits = with_parity ? shape.width : shape.width_without_parity;
    fewest = std::min(fewest, ceil_div(width, bits) * ceil_div(depth, shape.depth));
  }
  return fewest;
}

}  // namespace

double ramb36(const ir::Object& ram, const bind::RamPorts& ports) {
  const bool has_contents = !ports.writers.empty() || !ram.initial.empty();
  if (ports.readers.empty() || !has_contents || bind::is_lut_ram(ram, ports)) return 0;
  return ram.banks *
         ramb18(ram.width, ram.depth / ram.banks, bind::num_lanes(ram) == 1,
                ports.is_true_dual_port) /
         2.0;
}

double ramb36_of_fifo(const ir::Object& stream) {
  // hls_fifo.sv is written for block RAM above 32 items; up to 64, yosys takes LUT RAM.
  constexpr uint32_t kMaxLutRamDepth = 64;
  if (stream.width == 0 || stream.depth <= kMaxLutRamDepth) return 0;
  return ramb18(stream.width, stream.depth, true) / 2.0;
}

}  // namespace vta::hlsc::report
