// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/nest_text.h"

#include <fmt/format.h>

#include "hw/hlsc/model/beat_run.h"
#include "hw/hlsc/model/innermost_loop.h"
#include "hw/hlsc/model/nest_body.h"
#include "hw/hlsc/model/pipelined_iteration.h"
#include "hw/hlsc/model/simple_iteration.h"
#include "hw/hlsc/model/step_text.h"
#include "hw/hlsc/model/unseen_turns.h"

namespace vta::hlsc::model {

using ir::Loop;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class NestText {
 public:
  NestText(ProcessText& text, const Loop& outermost, size_t number)
      : t_(text), b_(text, text.schedule().nests.at(&outermost), number) {
    for (const ir::LoopPhi& phi : b_.nest().levels.back()->phis) {
      if (t_.is_computed(phi.phi)) add_stepping(phi.next);
    }
  }

  const std::set<ValueId>& stepping() const { return stepping_; }

  std::string text() {
    // `issue`: the next cycle in which the counters can take a step; `go`: that in which they look
    // at registers, at first as the state before leaves them.
    std::string text =
        fmt::format("{{  // nest {}\nCycle issue = now, go = now;\n", b_.nest().levels[0]->name);
    text += b_.waits_behind_first_stage() ? pipelined() : simple();
    return text + "now = std::max(issue, left) + 1;\n}\n";
  }

 private:
  std::string pipelined() {
    const PipelinedIteration parts = pipelined_iteration(b_);
    iteration_ = parts.iteration;
    std::string text = parts.declaration + level(0);
    text += "const Cycle left = pipeline.drain(process, advance);\n";
    if (b_.nest().initiation_interval > 1)
      text += fmt::format("{0} = pipeline.after_last_gap({1}, {0});\n", b_.gap(),
                          b_.nest().initiation_interval - 1);
    return text;
  }

  std::string simple() {
    std::string text = "Cycle left = now - 1;\n";  // by the youngest iteration
    const std::set<ir::ObjectId> rams = read_rams(), registers = registers_in_variables();
    for (ir::ObjectId id : rams)
      text +=
          fmt::format("[[maybe_unused]] auto* const local_{0} = {0}.data();\n", t_.object_name(id));
    if (!registers.empty())
      quiet_ = quiet_path(t_.process(), b_.in_order(), b_.written_late_registers());
    for (ir::ObjectId id : registers)
      text += fmt::format("auto local_{0} = {0};\n", t_.object_name(id));
    std::set<ir::ObjectId> locals = rams;
    locals.insert(registers.begin(), registers.end());
    t_.set_locals(locals);
    if (quiet_.has_value()) {
      text += "bool quiet = true;\n";
      for (ir::ObjectId id : b_.written_late_registers())
        text += fmt::format("quiet &= {}.value() == 0;\n", t_.object_name(id));
    }
    iteration_ = simple_iteration(b_, quiet_);
    if (quiet_.has_value()) unseen_ = unseen_turns(b_, *quiet_);
    if (unseen_.has_value()) text += unseen_->preparation + watch();
    run_of_beats_ = beat_run(b_);
    text += level(0);
    t_.set_locals({});
    for (ir::ObjectId id : registers) text += fmt::format("{0} = local_{0};\n", t_.object_name(id));
    return text;
  }

  // Whether somebody may look at the nest's use of ports. If so, all others go on first up to where
  // it is; if that does not help, after some cycles once more.
  std::string watch() const {
    const std::string watchers = watched_ports();
    if (watchers.empty()) return "constexpr bool watched = false;\n";
    return fmt::format(
        "bool watched = {0};\nCycle look = now, pause = 256;\nconst auto look_again = [&] {{\n"
        "process.now = issue;\nprocess.wait_at_gate(issue);\nwatched = {0};\n"
        "look = issue + pause;\npause *= 2;\n}};\n",
        watchers);
  }
  std::string unseen_turns_text(size_t k) const {
    const InnermostLoop loop = *InnermostLoop::of(b_, true);
    std::string text;
    if (!watched_ports().empty()) text += "if (watched && issue >= look) look_again();\n";
    text += fmt::format("if (quiet && !watched && {} < {} && {}) {{\n", t_.name(loop.counter()),
                        loop.limit(), unseen_->condition);
    const ir::Sequence& head = b_.nest().levels.back()->head;
    text += unseen_->first + control_values(head, false) + control_values(head, true);
    text += unseen_->last;
    if (k > 0) text += fmt::format("turned{} = true;\n", k);
    return text + stepping_values() + assigned_phis(t_, *b_.nest().levels.back(), false) + "}\n";
  }
  // The ports that others may look at.
  std::string watched_ports() const {
    std::set<std::string> ports;
    for (ValueId value : b_.order()) {
      const auto turn = t_.turn(t_.op(value));
      if (turn && !turn->is_last)
        ports.insert(fmt::format("{}.is_watched({})", turn->arbiter, turn->client));
    }
    std::string text;
    for (const std::string& port : ports) text += (text.empty() ? "" : " || ") + port;
    return text;
  }

  std::set<ir::ObjectId> read_rams() const {
    std::set<ir::ObjectId> rams;
    for (ValueId value : b_.order()) {
      if (t_.op(value).opcode == Opcode::kRamRead && t_.is_computed(value))
        rams.insert(t_.op(value).object);
    }
    return rams;
  }

  // Of a nest that waits for nobody: meanwhile nobody looks at what it writes.
  std::set<ir::ObjectId> registers_in_variables() const {
    std::set<ir::ObjectId> registers;
    if (b_.has_streams() || b_.waits_behind_first_stage()) return {};
    for (ValueId value : b_.order()) {
      const Op& op = t_.op(value);
      if (t_.waits_for_port(op)) return {};
      if (op.opcode == Opcode::kRegisterWrite && t_.has_content(op)) registers.insert(op.object);
    }
    return registers;
  }

  std::string control_values(const ir::Sequence& items, bool behind_loop) const {
    std::string text;
    bool behind = false;
    for (const ir::Item& item : items) {
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value == nullptr) {
        behind = true;
        continue;
      }
      if (behind != behind_loop || !t_.is_computed(*value)) continue;
      std::string computed = t_.computed(*value, "go");
      if (quiet_.has_value() && t_.op(*value).opcode == Opcode::kRegisterRead &&
          t_.is_late_register(t_.op(*value).object))
        computed = fmt::format("quiet ? 0 : {}", computed);
      text += fmt::format("{} = {};\n", t_.name(*value), computed);
    }
    return text;
  }

  // What of the body the counters' next step is made of; they compute it by themselves.
  void add_stepping(ValueId value) {
    if (!b_.contains(value) || !stepping_.insert(value).second) return;
    for (ValueId operand : t_.op(value).operands) add_stepping(operand);
  }
  std::string stepping_values() const {
    std::string text;
    for (ValueId value : b_.order()) {
      if (stepping_.contains(value))
        text += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, "go"));
    }
    return text;
  }

  // One level as a loop of C++. A turn in which the loop inside has none takes a cycle.
  std::string level(size_t k) const {
    const Loop& loop = *b_.nest().levels[k];
    std::string text = assigned_phis(t_, loop, true);
    const bool is_innermost = k + 1 == b_.nest().levels.size();
    if (is_innermost && unseen_.has_value()) text += unseen_turns_text(k);
    text += "for (;;) {\n" + control_values(loop.head, false) + control_values(loop.head, true);
    if (const std::string condition = t_.condition(loop.condition); !condition.empty())
      text += fmt::format("if (!{}) break;\n", condition);
    if (k > 0) text += fmt::format("turned{} = true;\n", k);
    if (is_innermost) {
      text += run_of_beats_ + iteration_ + stepping_values();
    } else {
      text += k + 2 == b_.nest().levels.size() ? "process.heartbeat();\n" : "";
      text += control_values(loop.body, false);
      text += fmt::format("bool turned{} = false;\n", k + 1) + level(k + 1);
      text += fmt::format("if (!turned{}) go = issue++;\n", k + 1);
      text += control_values(loop.body, true);
    }
    return text + assigned_phis(t_, loop, false) + "}\n";
  }

  ProcessText& t_;
  const NestBody b_;
  std::set<ValueId> stepping_;
  std::optional<QuietPath> quiet_;
  std::optional<UnseenTurns> unseen_;
  std::string iteration_, run_of_beats_;
};

}  // namespace

std::string nest_text(ProcessText& text, const Loop& outermost, size_t number,
                      std::set<ValueId>& declared) {
  NestText nest(text, outermost, number);
  declared.insert(nest.stepping().begin(), nest.stepping().end());
  return nest.text();
}

}  // namespace vta::hlsc::model
