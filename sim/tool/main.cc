// SPDX-License-Identifier: Apache-2.0
//
// vta-sim: networks and raw instruction streams on simulated cores.
#include <CLI/CLI.hpp>

#include "runtime/base/command_line.h"
#include "sim/functional/functional_device.h"
#include "sim/tool/commands.h"

int main(int argc, char** argv) {
  vta::sim::register_functional_device();
  CLI::App app("Runs int8 networks on simulated VTA cores.", "vta-sim");
  app.set_version_flag("--version", VTA_VERSION);
  app.require_subcommand(1);
  vta::sim::add_run(app);
  vta::sim::add_eval(app);
  vta::sim::add_disasm(app);
  vta::sim::add_asm(app);
  vta::sim::add_info(app);
  vta::sim::add_export(app);
  vta::sim::add_exec(app);
  return vta::run_tool(app, argc, argv);
}
