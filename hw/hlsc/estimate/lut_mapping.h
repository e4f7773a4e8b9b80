// SPDX-License-Identifier: Apache-2.0
//
// The gates of a BitGraph covered with LUTs of up to 8 inputs (7: two LUT6 and a MUXF7; 8: four,
// two MUXF7 and a MUXF8). Finds the earliest arrivals by priority cuts, then the least area that
// meets the latest of them (Mishchenko, Cho, Chatterjee, Brayton, "Combinational and sequential
// mapping with priority cuts", ICCAD 2007).
#ifndef VTA_HW_HLSC_ESTIMATE_LUT_MAPPING_H_
#define VTA_HW_HLSC_ESTIMATE_LUT_MAPPING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "hw/hlsc/estimate/bit_graph.h"

namespace vta::hlsc::estimate {

inline constexpr uint32_t kLutInputs = 8;

struct Lut {
  uint8_t size = 0;  // 0: the node has no LUT
  std::array<uint32_t, kLutInputs> leaves{};
};

struct Mapping {
  std::vector<Lut> luts;          // by node
  std::vector<bool> used;         // nodes that reach a root
  std::vector<uint32_t> fan_out;  // LUTs, chains, products and roots that read the node
};

// `roots`: what is read outside the graph.
Mapping map_to_luts(const BitGraph& graph, const Bits& roots);

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_LUT_MAPPING_H_
