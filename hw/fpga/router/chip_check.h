// SPDX-License-Identifier: Apache-2.0
//
// The contents of a chip database, checked once: afterwards no reference leads out of the file, and
// no number out of its list.
#ifndef VTA_HW_FPGA_ROUTER_CHIP_CHECK_H_
#define VTA_HW_FPGA_ROUTER_CHIP_CHECK_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "hw/fpga/router/chip_layout.h"

namespace vta::router {

// `chip` lies within `file`. Checks what the router and the placer read. Errors: kCorrupt, naming
// the part, the value and the limit.
void check_contents(const chipdb::Chip& chip, std::span<const char> file);

// The text of a reference, which lies within `file`. Errors: kCorrupt if it has no end there.
std::string_view checked_text(const chipdb::Reference<char>& text, std::span<const char> file);

// The tile to which a wire of `tile` belongs that is (dx, dy) from there, or in the place that dx
// names (NodeRoot).
inline int64_t tile_at(const chipdb::Chip& chip, int64_t tile, int dx, int dy) {
  if (dx == chipdb::NodeRoot::kRow) return tile / chip.width * chip.width;
  if (dx == chipdb::NodeRoot::kEverywhere) return 0;
  return tile + int64_t{dy} * chip.width + dx;
}

// The shape of the node of which this is the root: an index of Chip::node_shapes.
inline uint32_t shape_index(const chipdb::NodeRoot& root) {
  return static_cast<uint16_t>(root.dy) | static_cast<uint32_t>(root.wire) << 16U;
}

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_CHIP_CHECK_H_
