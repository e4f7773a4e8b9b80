// SPDX-License-Identifier: Apache-2.0
//
// core_states: prints hw/rtl/board/vta_core_states.sv. A test reports when the file is out of date.
#include <fmt/format.h>

#include "hw/rtl/board/core_states.h"
#include "runtime/base/command_line.h"

int main(int argc, char** argv) {
  vta::Tool tool("core_states", "Prints hw/rtl/board/vta_core_states.sv.", VTA_VERSION);
  vta::Command command = tool.command();
  command.example("core_states");
  command.action([] { fmt::print("{}", vta::board::core_states_module()); });
  return tool.run(argc, argv);
}
