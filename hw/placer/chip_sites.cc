// SPDX-License-Identifier: Apache-2.0
#include "hw/placer/chip_sites.h"

#include <algorithm>
#include <array>

namespace vta::placer {
namespace {

// The database names the types of these tiles in nextpnr only.
constexpr std::array<const char*, 2> kBels = {"SLICE_X0Y0.A6LUT", "SLICE_X1Y0.A6LUT"};
constexpr const char* kWriteEnable = "CLBLM_M_WE";  // of slice 0

template <typename List>
bool has_name(const List& list, int32_t name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& part) { return part.name == name; });
}

}  // namespace

std::vector<Site> sites_of(const router::ChipDatabase& chip) {
  std::vector<Site> sites;
  const auto tiles = static_cast<int>(chip.chip().tiles.size());
  for (int tile = 0; tile < tiles; ++tile) {
    const auto& type = chip.type_of(tile);
    const Point at{tile % chip.chip().width, tile / chip.chip().width};
    for (size_t slice = 0; slice < kBels.size(); ++slice) {
      if (!has_name(type.bels, chip.number_of(kBels[slice]))) continue;
      const bool has_memory = slice == 0 && has_name(type.wires, chip.number_of(kWriteEnable));
      sites.push_back({at, static_cast<int>(slice), has_memory});
    }
  }
  return sites;
}

}  // namespace vta::placer
