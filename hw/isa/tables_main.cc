// SPDX-License-Identifier: Apache-2.0
//
// isa_tables: prints the generated parts of hw/isa/README.md. Its test says when they are out of
// date.
#include <fmt/format.h>

#include <vector>

#include "hw/isa/tables.h"
#include "runtime/base/command_line.h"

namespace {

void print_tables() {
  std::vector<vta::CoreConfig> cores;
  for (const char* name : {"vta_1x16", "vta_4x8", "tiny_1x8"}) {
    cores.push_back(vta::load_core_config(name));
  }
  fmt::print("{}\n{}", vta::isa::generated_part("layout", vta::isa::layout_tables(cores)),
             vta::isa::generated_part("faults", vta::isa::fault_table()));
}

}  // namespace

int main(int argc, char** argv) {
  vta::Tool tool("isa_tables", "Prints the generated parts of hw/isa/README.md.", VTA_VERSION);
  vta::Command command = tool.command();
  command.example("isa_tables");
  command.action(print_tables);
  return tool.run(argc, argv);
}
