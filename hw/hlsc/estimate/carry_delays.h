// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_ESTIMATE_CARRY_DELAYS_H_
#define VTA_HW_HLSC_ESTIMATE_CARRY_DELAYS_H_

#include <cstdint>

namespace vta::hlsc::estimate {

// From an input of a carry chain to an output `distance` positions above, in ns: fitted to the arcs
// of CARRY4 in scripts/fpga/cell_delays.py.
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

#endif  // VTA_HW_HLSC_ESTIMATE_CARRY_DELAYS_H_
