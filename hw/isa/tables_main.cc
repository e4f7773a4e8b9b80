// SPDX-License-Identifier: Apache-2.0
//
// isa_tables: prints the generated parts of docs/instruction_set.md. A test reports when they are
// out of date.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/command_line/command_line.h"
#include "hw/isa/tables.h"

int main(int argc, char** argv) {
  vta::Tool tool("isa_tables", "Prints the generated parts of docs/instruction_set.md.",
                 VTA_VERSION);
  vta::Command command = tool.command();
  command.example("isa_tables");
  command.action([] { fmt::print("{}", fmt::join(vta::isa::readme_parts(), "\n")); });
  return tool.run(argc, argv);
}
