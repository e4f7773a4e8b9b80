// SPDX-License-Identifier: Apache-2.0
//
// The states that a process has outside its nests, and which follows which. Transitions are
// statements at the end of a state, in its context.
#ifndef VTA_HW_HLSC_EMIT_CONTROL_FLOW_H_
#define VTA_HW_HLSC_EMIT_CONTROL_FLOW_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

// How a nest is started: what its engine needs of the state machine.
struct NestEntry {
  const ir::Loop* loop;  // the outermost
  std::string running;   // the machine is in the nest's state
  std::string enter;     // it enters it at the end of this cycle
  std::string leave;     // the name of the wire by which the engine says that it is done
  std::string name;
  State from;        // the state at whose end it is entered,
  Context* context;  // and its values
};

class ControlFlow {
 public:
  // Tells `state` the places of values and the loops of phis.
  explicit ControlFlow(ModuleState& state);

  // The states but those of nests, in the order of the source.
  std::vector<State> states() const;
  std::vector<ir::ValueId> operations(const State& at) const;

  // Names count up as they are asked for. The last is S_END: after the process, after a halt.
  std::string name(const State& at);
  std::string name(const ir::Loop* nest) { return name(State{&nest->body, ~0u}); }
  std::string first() { return name(State{&state_.process.body, 0}); }
  size_t num_names() const { return names_.size(); }

  // What a state does when it is left; `done` is true in its last cycle.
  std::string leave(const State& at, Context& context, const std::string& done);
  std::string leave(const ir::Loop* nest, Context& context) { return go(after(*nest), context); }

  // The nests in the order of the source, and how those are started that states have been left for.
  const std::vector<const ir::Loop*>& nests() const { return nests_; }
  const std::vector<NestEntry>& entries() const { return entries_; }

 private:
  // What a sequence is a part of.
  struct Container {
    const ir::Loop* loop = nullptr;  // null: the process
    bool is_head = false;
  };
  void survey(const ir::Sequence& items, Container container);
  bool has_states(const ir::Sequence* items) const;
  State after(const ir::Loop& loop) const;

  std::string go(const State& at, Context& context);
  std::string to_head(const ir::Loop& loop, Context& context);
  std::string set_phi(ir::ValueId phi, ir::ValueId value, Context& context);
  std::string enter_loop(const ir::Loop& loop, Context& context, const std::string& done);
  std::string enter_nest(const ir::Loop& loop, Context& context, const std::string& done);

  ModuleState& state_;
  std::map<const ir::Sequence*, Container> containers_;
  std::vector<const ir::Sequence*> sequences_;
  std::map<const ir::Loop*, const ir::Sequence*> parents_;
  std::map<State, const ir::Loop*> loops_;  // by the state at whose end they are entered
  std::vector<const ir::Loop*> nests_;
  std::map<State, std::string> names_;
  std::vector<NestEntry> entries_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_CONTROL_FLOW_H_
