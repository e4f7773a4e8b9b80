// SPDX-License-Identifier: Apache-2.0
//
// isa_tables: prints the generated parts of hw/isa/README.md. Its test says when they are out of
// date.
#include <cstdio>
#include <exception>
#include <vector>

#include "hw/isa/tables.h"

int main() try {
  std::vector<vta::CoreConfig> cores;
  for (const char* name : {"vta_1x16", "vta_4x8", "tiny_1x8"}) {
    cores.push_back(vta::load_core_config(name));
  }
  std::fputs(vta::isa::generated_part("layout", vta::isa::layout_tables(cores)).c_str(), stdout);
  std::fputs("\n", stdout);
  std::fputs(vta::isa::generated_part("faults", vta::isa::fault_table()).c_str(), stdout);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "isa_tables: %s\n", error.what());
  return 1;
}
