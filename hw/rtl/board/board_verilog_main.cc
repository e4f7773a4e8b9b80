// SPDX-License-Identifier: Apache-2.0
//
// board_verilog: prints the generated Verilog of hw/rtl/board.
#include <fmt/format.h>

#include <string>

#include "base/command_line/command_line.h"
#include "hw/rtl/board/core_package.h"
#include "hw/rtl/board/core_states.h"

int main(int argc, char** argv) {
  std::string part, core = "vta_1x16";
  vta::Tool tool("board_verilog", "Prints the generated Verilog of hw/rtl/board.", VTA_VERSION);
  vta::Command command = tool.command();
  command.argument("part", part, "", "vta_core_states.sv, or vta_core_pkg.sv of a core")
      .choices({"states", "package"});
  command.option("--core", core, "NAME", "Core of the package (default vta_1x16)");
  command.example("board_verilog package --core tiny_1x8");
  command.action([&] {
    fmt::print("{}", part == "states" ? vta::board::core_states_module()
                                      : vta::board::core_package(vta::load_core_config(core)));
  });
  return tool.run(argc, argv);
}
