// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_STATE_MACHINE_H_
#define VTA_HW_HLSC_EMIT_STATE_MACHINE_H_

#include <list>
#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/control_flow.h"

namespace vta::hlsc::emit {

// The states of a process outside its nests. A state lasts until every operation in it that may
// wait is done; its other effects happen in its last cycle.
class StateMachine {
 public:
  explicit StateMachine(ModuleState& state) : m_(state), flow_(state) {}

  // Adds wires, clocked statements and accesses to the module state; returns the nests that must be
  // emitted. They refer to this object.
  const std::vector<NestEntry>& emit();

  // The process has reached its end, or a halt.
  Expression ended() const { return flow_.is_in(kEndState); }

 private:
  // A state that is being emitted, with its conditions; an absent one is always true.
  struct Emitted {
    std::string name;
    Context& context;
    std::vector<ir::ValueId> operations;
    Expression in;       // the machine is in the state
    Expression granted;  // it has the RAM ports that it needs
    Expression ready;    // it is in the state and waits at most for grants
    Expression done;     // it is in the state's last cycle
  };

  void emit_state(const State& at);
  // The source line of the first operation that has one.
  std::string where(const std::vector<ir::ValueId>& operations) const;
  void grants(Emitted& state);
  void waits(Emitted& state);
  void wait_for_one(const ir::Op& op, Emitted& state);
  void wait_for_each(const std::vector<ir::ValueId>& waiting, Emitted& state);
  // `ready`, or true if the operation's predicate is false.
  Expression unless(const Emitted& state, const ir::Op& op, const Expression& ready);
  void accesses(const Emitted& state);
  std::vector<rtl::Statement> captures(const State& at, Context& context);

  void emit_nest_state(const ir::Loop* nest);
  void declare();
  bool has_end_state() const;
  void keep_words();

  ModuleState& m_;
  ControlFlow flow_;
  std::list<Context> contexts_;  // of states; nests use them later
  std::map<ir::ObjectId, std::vector<Expression>> kept_reads_;
  std::map<State, std::vector<ir::ValueId>> captured_;  // at the state's end
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_STATE_MACHINE_H_
