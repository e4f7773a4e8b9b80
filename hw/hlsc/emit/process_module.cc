// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/process_module.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/kept_values.h"
#include "hw/hlsc/emit/module_state.h"
#include "hw/hlsc/emit/nest_engine.h"
#include "hw/hlsc/emit/simulation_schedule.h"
#include "hw/hlsc/emit/state_machine.h"
#include "hw/hlsc/rtl/verify.h"

namespace vta::hlsc::emit {
namespace {

// Whether the port is a register of the design that the process writes.
bool is_register(const ModuleState& state, const ProcessPort& port) {
  return port.role == PortRole::kObject && port.is_output &&
         state.design.objects[port.object].kind == ir::ObjectKind::kRegister;
}

rtl::Always gated(const std::string& gate, const std::vector<rtl::Statement>& values) {
  return {rtl::Trigger::kChange, {clocked_block(rtl::net(gate), "", {}, values)}};
}

// Everything under the clock; the reset comes last, so that it overrides.
rtl::Always clocked(const ModuleState& state) {
  rtl::Always always{rtl::Trigger::kClock, state.parts.clocked};
  std::vector<rtl::Statement> resets = state.parts.resets;
  for (const ProcessPort& port : module_ports(state.design, state.rams, state.process_index)) {
    if (is_register(state, port))
      resets.push_back(rtl::nonblocking(rtl::net(port.name, port.width),
                                        reset_literal(state.design.objects[port.object])));
  }
  always.body.push_back(clocked_block(rtl::net("rst"), "", {}, std::move(resets)));
  return always;
}

rtl::Module assemble(const ModuleState& state, const Expression& ended) {
  const ir::Process& process = state.process;
  rtl::Module module;
  module.name = state.design.name + "_" + state.design.processes[state.process_index].name;
  module.comment = fmt::format("process {} of {}:{}", process.name, process.location.file,
                               process.location.line);
  for (const ProcessPort& port : module_ports(state.design, state.rams, state.process_index))
    module.ports.push_back({port.is_output, is_register(state, port), port.width, port.name});
  module.nets = state.parts.registers;
  module.nets.insert(module.nets.end(), state.parts.wires.begin(), state.parts.wires.end());
  for (const auto& [gate, values] : state.parts.gated) module.items.push_back(gated(gate, values));
  for (rtl::Item& item : state.ports.assignments(ended)) module.items.push_back(std::move(item));
  module.items.push_back(clocked(state));
  return module;
}

rtl::Module build(ModuleState& state) {
  StateMachine machine(state);  // nests use its states' values
  const std::vector<NestEntry>& nests = machine.emit();
  std::vector<rtl::Statement> states = std::exchange(state.parts.clocked, {});
  for (const NestEntry& entry : nests) emit_nest(state, entry);
  for (rtl::Statement& statement : states) state.parts.clock(std::move(statement));
  return assemble(state, machine.ended());
}

rtl::Module build_view(const ir::Design& design, const ir::Process& process,
                       const schedule::ProcessSchedule& schedule,
                       const bind::ProcessBinding& binding,
                       const std::map<ir::ObjectId, bind::RamPorts>& rams, size_t index,
                       bool for_simulation) {
  Demands demands;
  const ModuleState empty{design,
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
  ModuleState scratch = empty;
  find_kept_values(scratch);
  demands.grown = false;
  ModuleState state = empty;
  rtl::Module module = build(state);
  VTA_ASSERT(!demands.grown, "a value is used that is not kept");
  rtl::verify(module);
  return module;
}

}  // namespace

rtl::Unit process_module(const ir::Design& design, const ir::Process& process,
                         const schedule::Schedule& schedule, const bind::Binding& binding,
                         size_t index) {
  const schedule::ProcessSchedule& own = schedule.processes[index];
  const std::map<ir::ObjectId, bind::RamPorts>& rams = binding.ram_ports;
  const schedule::ProcessSchedule moved = simulation_schedule(process, own);
  // Another schedule needs another binding; simulators do not use its multipliers.
  rtl::Unit unit{
      build_view(design, process, own, binding.processes[index], rams, index, false),
      build_view(design, process, moved, bind::bind_process(process, moved), rams, index, true)};
  if (*unit.for_simulation == unit.module) unit.for_simulation.reset();
  return unit;
}

}  // namespace vta::hlsc::emit
