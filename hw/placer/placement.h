// SPDX-License-Identifier: Apache-2.0
//
// A placement at the grain of slices: what a slice holds stays together, and so it stays legal
// wherever the slice goes.
#ifndef VTA_HW_PLACER_PLACEMENT_H_
#define VTA_HW_PLACER_PLACEMENT_H_

#include <cstdint>
#include <vector>

#include "hw/router/routing_graph.h"

namespace vta::placer {

using router::Point;

// A place for a slice: its tile, and which of the tile's two slices it is. Slices with memory take
// the contents of all slices, others no memory.
struct Site {
  Point tile;
  int slice = 0;
  bool has_memory = false;
};

// The cells of one slice, or one cell of another kind, which does not move (site -1).
struct Unit {
  int32_t site = -1;
  Point tile;
  bool needs_memory = false;
  int32_t chain = -1;  // of Placement::chains, if it is in one
};

struct Cell {
  int32_t unit = 0;
  bool is_carry = false;  // its carry has wires of its own
};

// `ends_paths`: a register's input, or one of a memory that is written by the clock. Through others
// paths go on to the cell's outputs.
struct Sink {
  int32_t cell = 0;
  bool ends_paths = false;
};

struct Net {
  int32_t driver = 0;  // a cell
  std::vector<Sink> sinks;
};

struct Placement {
  std::vector<Site> sites;
  std::vector<Unit> units;
  std::vector<std::vector<int32_t>> chains;  // units of a carry chain, which keep their distances
  std::vector<Cell> cells;
  std::vector<Net> nets;
};

// An estimate of the delay of a connection between two units, in ps.
float delay_ps(Point from, Point to);

}  // namespace vta::placer

#endif  // VTA_HW_PLACER_PLACEMENT_H_
