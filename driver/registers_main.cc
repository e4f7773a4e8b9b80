// SPDX-License-Identifier: Apache-2.0
//
// register_map: prints what is generated from registers.def. Its test says when that is out of
// date.
#include <cstdio>
#include <string_view>

#include "driver/registers_map.h"

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what == "package") return std::fputs(vta::driver::register_package().c_str(), stdout) < 0;
  if (what == "tables") return std::fputs(vta::driver::register_tables().c_str(), stdout) < 0;
  std::fprintf(stderr, "usage: register_map package|tables\n");
  return 2;
}
