// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of vta-sim, one file each (cmd_<name>.cc). add_<name>() adds the subcommand with
// its options to `app`; its callback does the work and prints the result.
#ifndef VTA_SIM_TOOL_COMMANDS_H_
#define VTA_SIM_TOOL_COMMANDS_H_

namespace CLI {
class App;
}  // namespace CLI

namespace vta::sim {

void add_run(CLI::App& app);
void add_eval(CLI::App& app);
void add_disasm(CLI::App& app);
void add_asm(CLI::App& app);
void add_info(CLI::App& app);
void add_export(CLI::App& app);
void add_exec(CLI::App& app);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_COMMANDS_H_
