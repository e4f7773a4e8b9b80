// SPDX-License-Identifier: Apache-2.0
//
// vta-route: routes a design that nextpnr has placed.
#include <fmt/format.h>

#include <string>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "hw/fpga/router/route_design.h"

namespace vta::router {
namespace {

void print(const Iteration& iteration) {
  fmt::print("iteration {}: {} nets routed, longest path {:.2f} ns, {} wires, {} overused\n",
             iteration.number, iteration.routed_nets, iteration.longest_path_ps / 1000,
             iteration.used_nodes, iteration.shared_nodes);
  std::fflush(stdout);
}

[[noreturn]] void fail_overused(const RoutedDesign& design) {
  fail(ErrorCode::kUnsupported, "{} wires have several nets; another placement may do better\n{}",
       design.shared.size(), report(design.shared));
}

void route(const std::string& chip, const std::string& in, const std::string& out) {
  const RoutedDesign design = route_design(ChipDatabase(chip), read_placed_design(in), {}, print);
  if (!design.shared.empty()) fail_overused(design);
  write_routes(out, design.routes);
}

}  // namespace
}  // namespace vta::router

int main(int argc, char** argv) {
  std::string chip, in, out;
  vta::Tool tool(
      "vta-route",
      "Routes a design that nextpnr has placed. hw/fpga/build_bitstream --tools open calls it.",
      VTA_VERSION);
  vta::Command command = tool.command();
  command.argument("chip", chip, "CHIPDB",
                   "nextpnr's chip database, himbaechel/xilinx/chipdb-xc7z020.bin");
  command.argument("design", in, "DESIGN.json", "cells and nets by hw/fpga/flow/nextpnr_hook.py");
  command.option("-o,--out", out, "ROUTES.json", "the switches of each net").required();
  command.example("vta-route chipdb-xc7z020.bin placed.json -o routes.json");
  command.action([&] { vta::router::route(chip, in, out); });
  return tool.run(argc, argv);
}
