// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/process_module.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/module_state.h"
#include "hw/hlsc/emit/nest_engine.h"
#include "hw/hlsc/emit/simulation_schedule.h"
#include "hw/hlsc/emit/state_machine.h"

namespace vta::hlsc::emit {
namespace {

std::string port_list(const ModuleState& state) {
  std::string text;
  for (const Port& port : module_ports(state.design, state.rams, state.process_index)) {
    const bool is_register = port.output && port.object != ir::kNoObject &&
                             state.design.objects[port.object].kind == ir::ObjectKind::kRegister;
    text +=
        fmt::format("{}  {} {}{}{}", text.empty() ? "" : ",\n", port.output ? "output" : "input",
                    is_register ? "reg " : "wire ", range(port.width), port.name);
  }
  return text;
}

std::string register_resets(const ModuleState& state) {
  std::string text;
  for (const Port& port : module_ports(state.design, state.rams, state.process_index)) {
    if (!port.output || port.object == ir::kNoObject) continue;
    const ir::Object& object = state.design.objects[port.object];
    if (object.kind == ir::ObjectKind::kRegister)
      text += fmt::format("      {} <= {}'d0;\n", signal_name(object), object.width);
  }
  return text;
}

std::string written_once(ModuleState& state, const std::string& module_name) {
  StateMachine machine(state);  // nests ask its states' values
  for (const NestEntry& entry : machine.emit()) emit_nest(state, entry);
  const ModuleText& text = state.text;
  return fmt::format(
      "// process {} of {}:{}\nmodule {} (\n{}\n);\n{}{}{}\n  always @(posedge clk) begin\n{}    "
      "if (rst) begin\n{}{}"
      "    end\n  end\nendmodule\n",
      state.process.name, state.process.location.file, state.process.location.line, module_name,
      port_list(state), text.registers, text.wires, state.ports.assignments(), text.clocked,
      text.resets, register_resets(state));
}

std::string module_text(const ir::Design& design, const schedule::ProcessSchedule& schedule,
                        const std::map<ir::ObjectId, RamPorts>& rams, size_t process,
                        const std::string& module_name, bool for_simulation) {
  Demands demands;
  for (;;) {
    demands.grown = false;
    ModuleState state{
        design,         design.processes[process],    schedule, rams, process, demands,
        for_simulation, Ports(design, rams, process), {},       {},   {}};
    std::string text = written_once(state, module_name);
    if (!demands.grown) return text;
  }
}

}  // namespace

std::string process_module(const ir::Design& design, const schedule::Schedule& schedule,
                           const std::map<ir::ObjectId, RamPorts>& rams, size_t process,
                           const std::string& module_name) {
  const schedule::ProcessSchedule& own = schedule.processes[process];
  const std::string text = module_text(design, own, rams, process, module_name, false);
  const schedule::ProcessSchedule moved = simulation_schedule(design.processes[process], own);
  if (moved.step == own.step) return text;
  const std::string simulated = module_text(design, moved, rams, process, module_name, true);
  return fmt::format("`ifndef HLS_SIMULATION\n{}`else\n{}`endif\n", text, simulated);
}

}  // namespace vta::hlsc::emit
