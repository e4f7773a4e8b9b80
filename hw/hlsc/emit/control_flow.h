// SPDX-License-Identifier: Apache-2.0
//
// The states of a process outside its nests and the transitions between them. A transition is a
// list of statements at the end of a state, in the state's context.
#ifndef VTA_HW_HLSC_EMIT_CONTROL_FLOW_H_
#define VTA_HW_HLSC_EMIT_CONTROL_FLOW_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

// The interface between a nest's engine and the state machine.
struct NestEntry {
  const ir::Loop* loop;  // the outermost
  Expression running;    // the machine is in the nest's state
  Expression enter;      // it enters that state at the end of this cycle
  Expression leave;      // the wire by which the engine reports that it is done
  std::string name;
  State from;        // the state at whose end it is entered,
  Context* context;  // and its values
};

constexpr const char* kEndState = "S_END";

class ControlFlow {
 public:
  using Statements = std::vector<rtl::Statement>;

  // Sets the places of values and the loops of phis in `state`.
  explicit ControlFlow(ModuleState& state);

  // The states outside nests, in the order of the source.
  std::vector<State> states() const;
  std::vector<ir::ValueId> operations(const State& at) const;

  // Names are numbered in the order of the first use. The last is S_END: after the process or a
  // halt.
  std::string name(const State& at);
  std::string name(const ir::Loop* nest);
  std::string first() { return name(State{&state_.process.body, 0}); }
  size_t num_names() const { return names_.size() + nest_names_.size(); }

  // The register of the state, the code of a state by its name, and whether the process is in it.
  uint32_t state_bits() const;
  Expression state() const { return rtl::net("hls_state", state_bits()); }
  Expression code(const std::string& name) const { return rtl::net(name, state_bits()); }
  Expression is_in(const std::string& name) const { return rtl::equal(state(), code(name)); }

  // The transition at the end of a state; `done` is true in its last cycle.
  Statements leave(const State& at, Context& context, const Expression& done);
  Statements leave(const ir::Loop* nest, Context& context) { return go(after(*nest), context); }

  // The values that these transitions use.
  std::vector<ir::ValueId> values_to_leave(const State& at) const;
  std::vector<ir::ValueId> values_to_leave(const ir::Loop* nest) const;

  // The state at whose end a loop is entered.
  State entered_from(const ir::Loop& loop) const {
    return {parents_.at(&loop), state_.schedule.entry_step.at(&loop)};
  }

  // The nests in the order of the source, and the entries of those that transitions lead to so far.
  const std::vector<const ir::Loop*>& nests() const { return nests_; }
  const std::vector<NestEntry>& entries() const { return entries_; }

 private:
  // The loop that a sequence belongs to.
  struct Container {
    const ir::Loop* loop = nullptr;  // null: the process
    bool is_head = false;
  };
  void survey(const ir::Sequence& items, Container container);
  bool has_states(const ir::Sequence* items) const;
  State after(const ir::Loop& loop) const;

  rtl::Statement set_state(const std::string& name) const {
    return rtl::nonblocking(state(), code(name));
  }
  Statements go(const State& at, Context& context);
  void values_to_go(const State& at, std::vector<ir::ValueId>& values) const;
  Statements to_head(const ir::Loop& loop, Context& context);
  void set_phi(ir::ValueId phi, ir::ValueId value, Context& context, Statements& statements);
  Statements enter_loop(const ir::Loop& loop, Context& context, const Expression& done);
  Statements enter_nest(const ir::Loop& loop, Context& context, const Expression& done);

  ModuleState& state_;
  std::map<const ir::Sequence*, Container> containers_;
  std::vector<const ir::Sequence*> sequences_;
  std::map<const ir::Loop*, const ir::Sequence*> parents_;
  std::map<State, const ir::Loop*> loops_;  // by the state at whose end they are entered
  std::vector<const ir::Loop*> nests_;
  size_t num_states_ = 0;  // outside nests
  std::map<State, std::string> names_;
  std::map<const ir::Loop*, std::string> nest_names_;
  std::vector<NestEntry> entries_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_CONTROL_FLOW_H_
