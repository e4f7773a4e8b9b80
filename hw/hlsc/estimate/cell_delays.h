// SPDX-License-Identifier: Apache-2.0
//
// Delays of cells in ns, from hw/fpga/flow/cell_delays.py.
#ifndef VTA_HW_HLSC_ESTIMATE_CELL_DELAYS_H_
#define VTA_HW_HLSC_ESTIMATE_CELL_DELAYS_H_

#include <cstdint>

#include "hw/hlsc/estimate/bit_graph.h"

namespace vta::hlsc::estimate {

// From the clock to the output.
constexpr double launch_ns(SourceKind kind) {
  switch (kind) {
    case SourceKind::kFlipFlop:
      return 0.456;
    case SourceKind::kBlockRam:
      return 2.454;
    case SourceKind::kLutRam:
      return 1.279;
    case SourceKind::kProductRegister:
      return 2.305;
    case SourceKind::kSumRegister:
      return 0.434;
  }
  return 0;
}

// Through a DSP48E1: from a factor, and from an addend of a product in its register.
constexpr double kProductNs = 3.841, kAddendNs = 1.82;

// From an input of a carry chain to an output `distance` positions above, in ns: fitted to the arcs
// of CARRY4 in hw/fpga/flow/cell_delays.py.
constexpr double kSameBitNs = 0.25;     // S to O
constexpr double kSameCarry4Ns = 0.58;  // to O, over fewer than four bits
constexpr double kEntryNs = 0.47;       // to CO
constexpr double kBitNs = (0.114 + 0.06) / 4;
constexpr double kExitNs = 0.24;  // from CI to O

constexpr double to_sum_ns(uint32_t distance) {
  if (distance == 0) return kSameBitNs;
  return distance < 4 ? kSameCarry4Ns : kEntryNs + kBitNs * distance + kExitNs;
}
constexpr double to_carry_ns(uint32_t distance) { return kEntryNs + kBitNs * distance; }

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_CELL_DELAYS_H_
