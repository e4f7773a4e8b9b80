// SPDX-License-Identifier: Apache-2.0
//
// A placement at the grain of slices, DSPs and the tiles of block RAMs: what one holds stays
// together, and so it stays legal wherever it goes.
#ifndef VTA_HW_FPGA_PLACER_PLACEMENT_H_
#define VTA_HW_FPGA_PLACER_PLACEMENT_H_

#include <cstdint>
#include <vector>

#include "hw/fpga/router/routing_graph.h"
#include "hw/fpga/router/timing_graph.h"

namespace vta::placer {

using router::Point;
using Sink = router::TimedSink;
using Net = router::TimedNet;

// kLuts and kFlipFlops: the two LUTs and the two flip-flops of a slot, a quarter of a slice.
enum class SiteKind : uint8_t { kSlice, kDsp, kBlockRam, kLuts, kFlipFlops };

constexpr int kSlots = 4;  // of a slice: A to D

// A place: its tile, and which of the tile's sites of its kind it is. A tile has two slices or two
// DSPs; block RAM is one site, for one of 36 Kbit or two of 18. A slot's number is 4 times that of
// its slice, plus 0 to 3. Slices with memory take the contents of all slices, others no memory.
struct Site {
  Point tile;
  int number = 0;
  bool has_memory = false;
  SiteKind kind = SiteKind::kSlice;
};

// Where the wires of a site begin: DSPs and block RAMs span five rows, and their tile is the last.
inline Point middle_of(const Site& site) {
  constexpr int kRowsToMiddle = 2;
  const bool is_block = site.kind == SiteKind::kDsp || site.kind == SiteKind::kBlockRam;
  return {site.tile.x, site.tile.y - (is_block ? kRowsToMiddle : 0)};
}

// The cells of one site, or one cell that does not move (site -1).
struct Unit {
  int32_t site = -1;
  Point tile;
  bool needs_memory = false;
  int32_t chain = -1;       // of Placement::chains, if it is in one
  int32_t partner = -1;     // the LUTs of these flip-flops, or the reverse: they stay in one slot
  bool needs_slot = false;  // flip-flops beside which there is nothing but their partner
  int32_t control = -1;     // clock, enable and reset of flip-flops: one kind in a slice
};

// The second flip-flop of a slot shares its input and output with the LUTs.
enum class Part : uint8_t { kOther, kLut, kFlipFlop, kSecondFlipFlop };

// `launch_ps`: from the clock to its outputs; 0 for logic. `part`, `slot` and `control`: of a
// slice.
struct Cell {
  int32_t unit = 0;
  bool is_carry = false;  // its carry has wires of its own
  float launch_ps = 0;
  Part part = Part::kOther;
  int slot = 0;
  int32_t control = -1;
  bool is_multiplexer = false;  // F7 or F8: its data come from beside it in the slice
  bool shares_output = false;   // leaves its slice by the multiplexer of a slot's outputs
};

struct Placement {
  std::vector<Site> sites;  // those of slots first: LUTs A to D, then flip-flops A to D of a slice
  std::vector<Unit> units;
  std::vector<std::vector<int32_t>> chains;  // units of a carry chain, which keep their distances
  std::vector<Cell> cells;
  std::vector<Net> nets;
};

// An estimate of the delay of a connection between two units, in ps.
float delay_ps(Point from, Point to);

}  // namespace vta::placer

#endif  // VTA_HW_FPGA_PLACER_PLACEMENT_H_
