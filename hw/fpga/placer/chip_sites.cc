// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/chip_sites.h"

#include <algorithm>
#include <array>

namespace vta::placer {
namespace {

// The database names the types of these tiles in nextpnr only.
// A tile has a site where it has this bel.
struct Mark {
  const char* bel;
  SiteKind kind;
  int number;
};
constexpr std::array<Mark, 5> kMarks = {{{"SLICE_X0Y0.A6LUT", SiteKind::kSlice, 0},
                                         {"SLICE_X1Y0.A6LUT", SiteKind::kSlice, 1},
                                         {"DSP48_X0Y0.DSP48E1", SiteKind::kDsp, 0},
                                         {"DSP48_X0Y1.DSP48E1", SiteKind::kDsp, 1},
                                         {"RAMB36_X0Y0.RAMB36E1", SiteKind::kBlockRam, 0}}};
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
    for (const Mark& mark : kMarks) {
      if (!has_name(type.bels, chip.number_of(mark.bel))) continue;
      const bool has_memory = mark.kind == SiteKind::kSlice && mark.number == 0 &&
                              has_name(type.wires, chip.number_of(kWriteEnable));
      sites.push_back({at, mark.number, has_memory, mark.kind});
    }
  }
  return sites;
}

}  // namespace vta::placer
