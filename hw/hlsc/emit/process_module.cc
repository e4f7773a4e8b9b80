// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/process_module.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

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
      text += fmt::format("      {} <= {}'d0;\n", object.name, object.width);
  }
  return text;
}

std::string gated(const ModuleText& text) {
  std::string all;
  for (const auto& [gate, values] : text.gated)
    all += fmt::format("  always @* begin\n    if ({}) begin\n{}    end\n  end\n", gate, values);
  return all;
}

std::string written_once(ModuleState& state) {
  StateMachine machine(state);  // nests ask its states' values
  const std::vector<NestEntry>& nests = machine.emit();
  const std::string states = std::exchange(state.text.clocked, "");
  for (const NestEntry& entry : nests) emit_nest(state, entry);
  state.text.clocked += states;
  const ModuleText& text = state.text;
  const ir::Process& process = state.process;
  return fmt::format(
      "// process {} of {}:{}\nmodule {}_{} (\n{}\n);\n{}{}{}{}\n  always @(posedge clk) begin\n{}"
      "    if (rst) begin\n{}{}"
      "    end\n  end\nendmodule\n",
      process.name, process.location.file, process.location.line, state.design.name,
      state.design.processes[state.process_index].name, port_list(state), text.registers,
      text.wires, gated(text), state.ports.assignments(), text.clocked, text.resets,
      register_resets(state));
}

std::string module_text(const ir::Design& design, const ir::Process& process,
                        const schedule::ProcessSchedule& schedule,
                        const bind::ProcessBinding& binding,
                        const std::map<ir::ObjectId, bind::RamPorts>& rams, size_t index,
                        bool for_simulation) {
  Demands demands;
  for (;;) {
    demands.grown = false;
    ModuleState state{design,
                      process,
                      schedule,
                      binding,
                      rams,
                      index,
                      demands,
                      for_simulation,
                      Ports(design, rams, index),
                      {},
                      {},
                      {}};
    std::string text = written_once(state);
    if (!demands.grown) return text;
  }
}

}  // namespace

std::string process_module(const ir::Design& design, const ir::Process& process,
                           const schedule::Schedule& schedule, const bind::Binding& binding,
                           size_t index) {
  const schedule::ProcessSchedule& own = schedule.processes[index];
  const std::map<ir::ObjectId, bind::RamPorts>& rams = binding.ram_ports;
  const std::string text =
      module_text(design, process, own, binding.processes[index], rams, index, false);
  const schedule::ProcessSchedule moved = simulation_schedule(process, own);
  // Another schedule, so another binding; simulators have no use for its multipliers.
  const std::string simulated =
      module_text(design, process, moved, bind::bind_process(process, moved), rams, index, true);
  if (simulated == text) return text;
  return fmt::format("`ifndef HLS_SIMULATION\n{}`else\n{}`endif\n", text, simulated);
}

}  // namespace vta::hlsc::emit
