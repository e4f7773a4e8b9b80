// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_STATE_MACHINE_H_
#define VTA_HW_HLSC_EMIT_STATE_MACHINE_H_

#include <list>
#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/control_flow.h"

namespace vta::hlsc::emit {

// The states of a process outside its nests. A state is left when everything in it that waits is
// done; what else it does happens in that cycle.
class StateMachine {
 public:
  explicit StateMachine(ModuleState& state) : m_(state), flow_(state) {}

  // Writes wires, clocked statements and accesses; returns the nests that are to be written. They
  // refer to this object.
  const std::vector<NestEntry>& emit();

 private:
  // A state that is being written. The names of wires are conditions, "" if always true.
  struct Writing {
    std::string name;
    Context& context;
    std::vector<ir::ValueId> operations;
    std::string in;       // the machine is in the state;
    std::string granted;  // it has the ports of RAMs that it needs;
    std::string ready;    // it is in it, and all but grants is there;
    std::string done;     // it is its last cycle
  };

  // Names of values that state `at` does not have to compute.
  std::string source(const State& at, ir::ValueId value);
  std::string word_name(ir::ValueId read) const;

  void emit_state(const State& at);
  std::string where(const std::vector<ir::ValueId>& operations) const;
  void grants(Writing& state);
  void waits(Writing& state);
  void wait_for_one(const ir::Op& op, Writing& state);
  void wait_for_each(const std::vector<ir::ValueId>& waiting, Writing& state);
  // An operation's condition to go on is `ready`, if its predicate is true.
  std::string unless(const Writing& state, const ir::Op& op, const std::string& ready);
  void accesses(const Writing& state);
  std::string captures(const State& at, Context& context);

  void emit_nest_state(const ir::Loop* nest);
  void declare();
  bool halts() const;
  void keep_words();

  ModuleState& m_;
  ControlFlow flow_;
  std::list<Context> contexts_;  // of states; nests ask them later
  std::map<ir::ObjectId, std::vector<std::string>> kept_reads_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_STATE_MACHINE_H_
