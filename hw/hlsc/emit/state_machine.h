// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_STATE_MACHINE_H_
#define VTA_HW_HLSC_EMIT_STATE_MACHINE_H_

#include <memory>
#include <string>
#include <vector>

#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

// How a nest is started: what its engine needs of the state machine.
struct NestEntry {
  const ir::Loop* loop;            // the outermost
  std::string running;             // the machine is in the nest's state
  std::string enter;               // it enters it at the end of this cycle
  std::string leave;               // the name of the wire by which the engine says that it is done
  std::vector<std::string> inits;  // of the outermost loop's phis
  std::string name;
  State from;        // the state at whose end it is entered,
  Context* context;  // and its values
};

// The states of a process outside its nests. A state is left when everything in it that waits is
// done; what else it does happens in that cycle.
class StateMachine {
 public:
  explicit StateMachine(ModuleState& state);
  ~StateMachine();

  // Writes wires, clocked statements and accesses; returns the nests that are to be written.
  std::vector<NestEntry> emit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_STATE_MACHINE_H_
