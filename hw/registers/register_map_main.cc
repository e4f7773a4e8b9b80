// SPDX-License-Identifier: Apache-2.0
//
// register_map: prints the generated files of hw/rtl/registers. A test reports when they are out of
// date.
#include <fmt/format.h>

#include <string>

#include "base/command_line/command_line.h"
#include "hw/registers/register_map.h"

int main(int argc, char** argv) {
  std::string part;
  vta::Tool tool("register_map",
                 "Prints the Verilog package or the README tables of the control registers.",
                 VTA_VERSION);
  vta::Command command = tool.command();
  command
      .argument("part", part, "",
                "vta_registers_pkg.sv, or the tables of the README of hw/rtl/registers")
      .choices({"package", "tables"});
  command.example("register_map package");
  command.action([&] {
    fmt::print("{}", part == "package" ? vta::hw::register_package() : vta::hw::register_tables());
  });
  return tool.run(argc, argv);
}
