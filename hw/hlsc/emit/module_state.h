// SPDX-License-Identifier: Apache-2.0
//
// State shared by the parts of a process module while it is built: the place of every value, and
// the values that must outlive the state or stage that computes them (Demands). kept_values.h finds
// these before the parts are built, because a register's write precedes its uses.
#ifndef VTA_HW_HLSC_EMIT_MODULE_STATE_H_
#define VTA_HW_HLSC_EMIT_MODULE_STATE_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/emit/context.h"
#include "hw/hlsc/emit/ports.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

// A control step of a sequence outside nests.
struct State {
  const ir::Sequence* sequence = nullptr;
  uint32_t step = 0;
  bool operator==(const State&) const = default;
  bool operator<(const State& other) const {
    return sequence != other.sequence ? sequence < other.sequence : step < other.step;
  }
};

// Values that are in registers.
struct Demands {
  std::set<ir::ValueId> captures;         // values that later states use
  std::map<ir::ValueId, uint32_t> pipes;  // values of a pipeline, and the last stage that uses them
  bool grown = false;

  void capture(ir::ValueId value) { grown |= captures.insert(value).second; }
  void pipe(ir::ValueId value, uint32_t stage) {
    uint32_t& last = pipes[value];
    if (last < stage) last = stage, grown = true;
  }
};

struct ModuleState {
  const ir::Design& design;
  const ir::Process& process;
  const schedule::ProcessSchedule& schedule;
  const bind::ProcessBinding& binding;
  const std::map<ir::ObjectId, bind::RamPorts>& rams;
  size_t process_index;
  Demands& demands;
  bool for_simulation;
  Ports ports;
  ModuleParts parts;

  const ir::Op& op(ir::ValueId value) const { return process.ops[value]; }
  const std::string& object_name(ir::ValueId value) const {
    return design.objects[op(value).object].name;
  }
  // `op` is an operation on a register or input.
  Expression object_net(const ir::Op& op) const {
    const ir::Object& object = design.objects[op.object];
    return rtl::net(object.name, object.width);
  }

  // The states that compute values; values of nests' bodies and counters are not among them.
  std::map<ir::ValueId, State> places;
  std::map<ir::ValueId, const ir::Loop*> phis;  // the loop of each phi

  // The net of a value outside the state or nest that computes it: phis, inputs and captured
  // values. Absent for a value that is cheaper to compute again.
  Expression outside_value(ir::ValueId value);
  Expression phi_register(ir::ValueId value) const {
    return rtl::net(value_name(process, value) + "_r", op(value).width);
  }
  Expression capture_register(ir::ValueId value) const {
    return rtl::net(value_name(process, value) + "_c", op(value).width);
  }

  // The net of a value in a state; absent if the state computes it.
  Expression state_value(const State& at, ir::ValueId value);
  // The word of a RAM in the state after the read; kept if another process may read in between.
  Expression word(ir::ValueId read) const;

  // At its end the register that keeps the value is written. None for values of nests.
  std::optional<State> captured_at(ir::ValueId value) const;

  // Absent if it is always true.
  Expression predicate(Context& context, ir::ValueId value) const;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_MODULE_STATE_H_
