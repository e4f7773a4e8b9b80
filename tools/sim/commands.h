// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of vta-sim, one file each (cmd_<name>.cc). add_<name>() adds the subcommand with
// its options to `tool`; its callback does the work and prints the result.
#ifndef VTA_TOOLS_SIM_COMMANDS_H_
#define VTA_TOOLS_SIM_COMMANDS_H_

#include <cstdint>

#include "base/command_line/command_line.h"

namespace vta::sim {

inline constexpr uint64_t kMaxThreads = 256;  // of --threads and --workers

void add_run(Tool& tool);
void add_eval(Tool& tool);
void add_report(Tool& tool);
void add_compare(Tool& tool);
void add_profile(Tool& tool);
void add_bench(Tool& tool);
void add_tune(Tool& tool);
void add_explore(Tool& tool);
void add_disasm(Tool& tool);
void add_asm(Tool& tool);
void add_info(Tool& tool);
void add_export(Tool& tool);
void add_exec(Tool& tool);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_COMMANDS_H_
