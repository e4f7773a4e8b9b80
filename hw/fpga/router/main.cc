// SPDX-License-Identifier: Apache-2.0
//
// vta-route: routes a design that nextpnr has placed.
#include <fmt/format.h>

#include <string>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "hw/fpga/router/detours.h"
#include "hw/fpga/router/route_delays.h"
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

struct Files {
  std::string chip, in, out, routes, database, longer;
};

void route(const Files& files) {
  const ChipDatabase chip(files.chip);
  SwitchDelays delays(files.database, chip.chip().name.get());
  const RoutedDesign design = route_design(chip, read_placed_design(files.in), delays, {}, print);
  if (!design.shared.empty()) fail_overused(design);
  write_routes(files.out, design.routes);
}

void measure(const Files& files) {
  const ChipDatabase chip(files.chip);
  SwitchDelays delays(files.database, chip.chip().name.get());
  write_delays(files.out,
               route_delays(chip, read_placed_design(files.in), read_routes(files.routes), delays));
}

void lengthen(const Files& files) {
  const ChipDatabase chip(files.chip);
  SwitchDelays delays(files.database, chip.chip().name.get());
  std::vector<NetRoute> edited = read_routes(files.routes);
  const auto left = make_longer(chip, read_placed_design(files.in), read_longer_sinks(files.longer),
                                edited, delays);
  for (const LongerSink& sink : left)
    fmt::print("no way around for {} of net {}, {} ps\n", sink.wire, sink.net, sink.fast_ps);
  write_routes(files.out, edited);
}

void run(const Files& files) {
  if (files.routes.empty() && !files.longer.empty())
    fail(ErrorCode::kInvalidArgument, "--longer needs --routes");
  if (files.routes.empty()) return route(files);
  if (files.longer.empty()) return measure(files);
  lengthen(files);
}

}  // namespace
}  // namespace vta::router

int main(int argc, char** argv) {
  vta::router::Files files;
  vta::Tool tool(
      "vta-route",
      "Routes a design that nextpnr has placed. hw/fpga/build_bitstream --tools open calls it.",
      VTA_VERSION);
  vta::Command command = tool.command();
  command.argument("chip", files.chip, "CHIPDB",
                   "nextpnr's chip database, himbaechel/xilinx/chipdb-xc7z020.bin");
  command.argument("design", files.in, "DESIGN.json",
                   "cells and nets by hw/fpga/flow/nextpnr_hook.py");
  command
      .output("-o,--out", files.out, "ROUTES.json",
              "the switches of each net; with --routes alone, the delays")
      .required();
  command.option("--routes", files.routes, "ROUTES.json",
                 "of a routed design: write their delays at both corners");
  command
      .option("--database", files.database, "DIR",
              "delays from Project X-Ray's folder of the chip's family, such as zynq7")
      .required();
  command.option("--longer", files.longer, "SINKS.json",
                 "with --routes: write new routes, in which these sinks have longer ways");
  command.example(
      "vta-route chipdb-xc7z020.bin placed.json --database prjxray/database/zynq7 -o routes.json");
  command.action([&] { vta::router::run(files); });
  return tool.run(argc, argv);
}
