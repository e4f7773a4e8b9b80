// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/kept_values.h"

#include <list>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hw/hlsc/bind/ram_hazards.h"
#include "hw/hlsc/emit/nest_words.h"

namespace vta::hlsc::emit {

using ir::LoopPhi;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Operations at ports, which use their operands as wires; register writes and halts use variables.
bool uses_wires(Opcode opcode) {
  return ir::accesses_channel(opcode) || opcode == Opcode::kRamRead || opcode == Opcode::kRamWrite;
}

void need_operands(const ModuleState& state, const std::vector<ValueId>& operations,
                   Context& context) {
  for (ValueId value : operations) {
    if (!uses_wires(state.op(value).opcode)) continue;
    for (ValueId operand : state.op(value).operands) context.need_wire(operand);
  }
  for (ValueId value : operations) {
    if (state.op(value).opcode != Opcode::kRegisterWrite) continue;
    for (ValueId operand : state.op(value).operands) context.need_variable(operand);
  }
}

// A nest: its stages, its stall conditions and its counters.
class NestNeeds {
 public:
  NestNeeds(ModuleState& state, const NestEntry& entry)
      : m_(state), entry_(entry), pipeline_(state, entry_), words_(pipeline_) {}

  void need_used() {
    for (ValueId value : pipeline_.order()) {
      if (m_.op(value).opcode == Opcode::kRamRead) need_for_read(value);
    }
    for (uint32_t stage = 0; stage < pipeline_.stages(); ++stage)
      need_operands(m_, pipeline_.operations(stage), pipeline_.context(stage));
    for (ValueId value : pipeline_.order()) {
      if (pipeline_.is_split(value))
        pipeline_.context(pipeline_.stage(value)).need_partial_sums(value);
    }
    need_for_counters();
  }

  // Piped values, in each stage before their last one.
  void need_kept() {
    const std::map<ValueId, uint32_t> pipes = m_.demands.pipes;
    for (const auto& [value, last] : pipes) {
      if (!pipeline_.computes(value)) continue;
      for (uint32_t stage = pipeline_.available(value); stage < last; ++stage)
        pipeline_.context(stage).need_variable(value);
    }
  }

 private:
  // A read compares its index with older iterations' writes (nest_stalls.h), a word that waits a
  // stage with the writes of that stage as well (nest_words.h).
  void need_for_read(ValueId read) {
    const Op& op = m_.op(read);
    const uint32_t stage = pipeline_.word_stage(read);
    bool pending = false;
    for (ValueId value : pipeline_.order()) {
      const Op& write = m_.op(value);
      if (write.opcode != Opcode::kRamWrite || write.object != op.object) continue;
      const bind::StageRange stages = bind::pending_stages(pipeline_, read, value);
      for (uint32_t at = stages.first; at < stages.end; ++at)
        need_for_pending(op, stage, write, at);
      pending |= !stages.empty();
      if (pipeline_.is_late(read) && bind::forwards(pipeline_, read, value))
        pipeline_.context(stage).need_wire(op.operands[1]);
    }
    if (pending) pipeline_.context(stage).need_wire(op.operands[0]);
  }

  void need_for_pending(const Op& read, uint32_t stage, const Op& write, uint32_t at) {
    if (pipeline_.available(write.operands[0]) <= at)
      pipeline_.context(at).need_wire(write.operands[0]);
    if (pipeline_.available(write.operands[1]) > at) return;
    pipeline_.context(stage).need_wire(read.operands[1]);
    pipeline_.context(at).need_wire(write.operands[1]);
  }

  using Values = std::set<ValueId>;
  static void add_phis(const ir::Loop& loop, Values& values) {
    for (const LoopPhi& phi : loop.phis) values.insert(phi.phi);
  }

  // The counters know the phis `known`; other values are computed, or kept.
  Context counting(const Values& known) {
    return Context(m_.process, m_.binding, m_.parts, "", [this, known](ValueId value) {
      return known.contains(value) ? m_.phi_register(value) : m_.outside_value(value);
    });
  }

  // Likewise in the cycle in which the nest is entered (nest_counters.h).
  Context entering(const Values& known) {
    return Context(m_.process, m_.binding, m_.parts, "", [this, known](ValueId value) {
      return known.contains(value) ? m_.phi_register(value) : entered_value(value);
    });
  }
  Expression entered_value(ValueId value) {
    if (m_.op(value).opcode == Opcode::kRegisterRead && !m_.places.contains(value)) {
      need_entered_register(value);
      return m_.object_net(m_.op(value));
    }
    const Expression kept = m_.outside_value(value);
    if (!kept.empty() && m_.captured_at(value) == entry_.from) entry_.context->need_variable(value);
    return kept;
  }
  void need_entered_register(ValueId read) {
    for (const ir::Item& item : *entry_.from.sequence) {
      const ValueId* write = std::get_if<ValueId>(&item);
      if (write == nullptr || m_.schedule.step[*write] != entry_.from.step) continue;
      const Op& op = m_.op(*write);
      if (op.opcode != Opcode::kRegisterWrite || op.object != m_.op(read).object) continue;
      for (ValueId operand : op.operands) entry_.context->need_variable(operand);
    }
  }

  void need_for_counters() {
    Values inner, outer;
    const std::vector<const ir::Loop*>& levels = pipeline_.nest().levels;
    for (size_t k = levels.size(); k-- > 0;) {
      Context before = counting(inner);
      for (const LoopPhi& phi : levels[k]->phis) before.need_variable(phi.next);
      inner.clear();
      add_phis(*levels[k], inner);
      counting(inner).need_variable(levels[k]->condition);
    }
    for (size_t k = 0; k < levels.size(); ++k) {
      Context start = entering(outer);
      for (const LoopPhi& phi : levels[k]->phis)
        (k == 0 ? *entry_.context : start).need_variable(phi.init);
      add_phis(*levels[k], outer);
      entering(outer).need_variable(levels[k]->condition);
    }
  }

  ModuleState& m_;
  const NestEntry entry_;
  NestPipeline pipeline_;
  NestWords words_;
};

class KeptValues {
 public:
  explicit KeptValues(ModuleState& state) : m_(state), flow_(state) {}

  void run() {
    for (const State& at : flow_.states()) need_in_state(at);
    for (const ir::Loop* nest : flow_.nests()) need_in_nest(*nest);
    do {
      m_.demands.grown = false;
      need_captured();
      for (NestNeeds& nest : nests_) nest.need_kept();
    } while (m_.demands.grown);
  }

 private:
  void need_in_state(const State& at) {
    Context& context =
        states_
            .try_emplace(at, m_.process, m_.binding, m_.parts, "",
                         [this, at](ValueId value) { return m_.state_value(at, value); })
            .first->second;
    need_operands(m_, flow_.operations(at), context);
    for (ValueId value : flow_.values_to_leave(at)) context.need_variable(value);
  }

  void need_in_nest(const ir::Loop& nest) {
    NestEntry entry;
    entry.loop = &nest;
    entry.name = "n";
    entry.from = flow_.entered_from(nest);
    entry.context = &states_.at(entry.from);
    nests_.emplace_back(m_, entry).need_used();
    Context after(m_.process, m_.binding, m_.parts, "",
                  [this](ValueId value) { return m_.outside_value(value); });
    for (ValueId value : flow_.values_to_leave(&nest)) after.need_variable(value);
  }

  // Backwards: what a value needs mostly stands before it, and is met in the same walk.
  void need_captured() {
    const std::set<ValueId>& captures = m_.demands.captures;  // it grows
    for (auto it = captures.rbegin(); it != captures.rend(); ++it) {
      const ValueId value = *it;
      if (!met_.insert(value).second) continue;
      const std::optional<State> at = m_.captured_at(value);
      const auto found = at ? states_.find(*at) : states_.end();
      if (found != states_.end()) found->second.need_variable(value);
    }
  }

  ModuleState& m_;
  ControlFlow flow_;
  std::map<State, Context> states_;
  std::list<NestNeeds> nests_;
  std::set<ValueId> met_;  // captured values whose needs are known
};

}  // namespace

void find_kept_values(ModuleState& state) { KeptValues(state).run(); }

}  // namespace vta::hlsc::emit
