// SPDX-License-Identifier: Apache-2.0
//
// register_map: prints what is generated from registers.def. Its test says when that is out of
// date.
#include <fmt/format.h>

#include <string>

#include "hw/registers/register_map.h"
#include "runtime/base/command_line.h"

int main(int argc, char** argv) {
  std::string part;
  vta::Tool tool("register_map", "Prints what is generated from registers.def.", VTA_VERSION);
  vta::Command command = tool.command();
  command.argument("part", part, "", "The package of hw/rtl/registers, or its chapter's tables")
      .choices({"package", "tables"});
  command.example("register_map package");
  command.action([&] {
    fmt::print(
        "{}", part == "package" ? vta::driver::register_package() : vta::driver::register_tables());
  });
  return tool.run(argc, argv);
}
