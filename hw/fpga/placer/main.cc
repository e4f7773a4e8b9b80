// SPDX-License-Identifier: Apache-2.0
//
// vta-place: improves a placement of nextpnr.
#include <fmt/format.h>

#include <string>

#include "base/command_line/command_line.h"
#include "hw/fpga/placer/annealer.h"
#include "hw/fpga/placer/chip_sites.h"
#include "hw/fpga/placer/placement_file.h"
#include "hw/fpga/placer/slots.h"

namespace vta::placer {
namespace {

void print(const Temperature& temperature) {
  fmt::print("temperature {}: wire length {:.0f}, longest path {:.2f} ns, {:.0f} % accepted\n",
             temperature.number, temperature.wire_length, temperature.longest_path_ps / 1000,
             100 * temperature.acceptance);
  std::fflush(stdout);
}

void place(const std::string& chip, const std::string& in, const std::string& out, uint64_t seed) {
  PlacementFile placed = read_placement(in, sites_of(router::ChipDatabase(chip)));
  AnnealingOptions options;
  options.seed = seed;
  Annealer(placed.placement, options).anneal(print);
  fmt::print("slots of slices\n");
  placed.placement = split_into_slots(placed.placement);
  Annealer(placed.placement, options).anneal(print);
  write_places(out, placed);
}

}  // namespace
}  // namespace vta::placer

int main(int argc, char** argv) {
  std::string chip, in, out;
  uint64_t seed = 1;
  vta::Tool tool(
      "vta-place",
      "Improves a placement of nextpnr by simulated annealing of its slices, DSPs and block RAMs. "
      "hw/fpga/build_bitstream --tools open calls it.",
      VTA_VERSION);
  vta::Command command = tool.command();
  command.argument("chip", chip, "CHIPDB",
                   "nextpnr's chip database, himbaechel/xilinx/chipdb-xc7z020.bin");
  command.argument("design", in, "DESIGN.json", "cells and nets by hw/fpga/flow/nextpnr_hook.py");
  command.output("-o,--out", out, "PLACES.json", "the new place of each cell").required();
  command.option("--seed", seed, "N", "of the annealing (default: 1)");
  command.example("vta-place chipdb-xc7z020.bin design.json -o places.json --seed 2");
  command.action([&] { vta::placer::place(chip, in, out, seed); });
  return tool.run(argc, argv);
}
