// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/nest_text.h"

#include <fmt/format.h>

#include "hw/hlsc/model/counted_loop.h"
#include "hw/hlsc/model/nest_body.h"
#include "hw/hlsc/model/pipelined_iteration.h"
#include "hw/hlsc/model/series_text.h"
#include "hw/hlsc/model/simple_iteration.h"
#include "hw/hlsc/model/skipped_iterations.h"
#include "hw/hlsc/model/step_text.h"

namespace vta::hlsc::model {

using ir::Loop;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Variables of the text besides those of text(): `quiet`: the late registers that the nest writes
// are 0 (fast_path.h); `watched`: another process may observe the nest's use of ports (watch());
// `turned<k>`: the loop of level k has had an iteration since it was entered.
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
    // `issue`: the next cycle in which the counters can advance; `go`: the cycle in which they read
    // registers, at first the one of the previous state.
    std::string text =
        fmt::format("{{  // nest {}\nCycle issue = now, go = now;\n", b_.nest().levels[0]->name);
    if (const std::optional<SeriesText> planned = series_text(b_)) return text + series(*planned);
    text += b_.waits_after_first_stage() ? pipelined() : simple();
    return text + "now = std::max(issue, left) + 1;\n}\n";
  }

 private:
  std::string series(const SeriesText& planned) {
    iteration_ = planned.iteration;
    idle_ = planned.idle;
    return planned.begin + level(0) + planned.end + "}\n";
  }

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
      fast_path_ = fast_path(t_.process(), b_.in_order(), b_.written_late_registers());
    for (ir::ObjectId id : registers)
      text += fmt::format("auto local_{0} = {0};\n", t_.object_name(id));
    std::set<ir::ObjectId> locals = rams;
    locals.insert(registers.begin(), registers.end());
    t_.set_locals(locals);
    if (fast_path_.has_value()) {
      text += "bool quiet = true;\n";
      for (ir::ObjectId id : b_.written_late_registers())
        text += fmt::format("quiet &= {}.value() == 0;\n", t_.object_name(id));
    }
    iteration_ = simple_iteration(b_, fast_path_);
    if (fast_path_.has_value()) skipped_ = skipped_iterations(b_, *fast_path_);
    if (skipped_.has_value()) text += skipped_->preparation + watch();
    text += level(0);
    t_.set_locals({});
    for (ir::ObjectId id : registers) text += fmt::format("{0} = local_{0};\n", t_.object_name(id));
    return text;
  }

  // Whether another process may observe the nest's use of ports. If so, the others first catch up
  // with the nest; if that does not settle it, again after some cycles.
  std::string watch() const {
    const std::string watchers = watched_ports();
    if (watchers.empty()) return "constexpr bool watched = false;\n";
    return fmt::format(
        "bool watched = {0};\nCycle look = now, pause = 256;\nconst auto look_again = [&] {{\n"
        "process.now = issue;\nprocess.wait_at_gate(issue);\nwatched = {0};\n"
        "look = issue + pause;\npause *= 2;\n}};\n",
        watchers);
  }
  std::string look_again() const {
    return watched_ports().empty() ? "" : "if (watched && issue >= look) look_again();\n";
  }
  // All rounds of the loop around the innermost one but the last.
  std::string skipped_rounds_text() const {
    const ir::Loop& around = *b_.nest().levels[b_.nest().levels.size() - 2];
    return look_again() + skipped_->rounds->before + control_values(around.body, false) +
           skipped_->rounds->after;
  }
  std::string skipped_iterations_text(size_t k) const {
    const CountedLoop loop = *CountedLoop::innermost(b_, true);
    std::string text = look_again();
    text += fmt::format("if (quiet && !watched && {} < {} && {}) {{\n", t_.name(loop.counter()),
                        loop.limit(), skipped_->condition);
    const ir::Sequence& head = b_.nest().levels.back()->head;
    text += skipped_->first + control_values(head, false) + control_values(head, true);
    text += skipped_->last;
    if (k > 0) text += fmt::format("turned{} = true;\n", k);
    return text + stepping_values() + assigned_phis(t_, *b_.nest().levels.back(), false) + "}\n";
  }
  // The ports that other processes may observe.
  std::string watched_ports() const {
    std::set<std::string> ports;
    for (ValueId value : b_.order()) {
      const auto port = t_.port_client(t_.op(value));
      if (port && !port->is_last)
        ports.insert(fmt::format("{}.is_watched({})", port->arbiter, port->client));
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

  // For a nest that never waits: no other process reads what it writes before it is done.
  std::set<ir::ObjectId> registers_in_variables() const {
    std::set<ir::ObjectId> registers;
    if (b_.has_streams() || b_.waits_after_first_stage()) return {};
    for (ValueId value : b_.order()) {
      const Op& op = t_.op(value);
      if (t_.waits_for_port(op)) return {};
      if (op.opcode == Opcode::kRegisterWrite && t_.has_content(op)) registers.insert(op.object);
    }
    return registers;
  }

  std::string control_values(const ir::Sequence& items, bool after_loop) const {
    std::string text;
    bool is_after = false;
    for (const ir::Item& item : items) {
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value == nullptr) {
        is_after = true;
        continue;
      }
      if (is_after != after_loop || !t_.is_computed(*value)) continue;
      std::string computed = t_.computed(*value, "go");
      if (fast_path_.has_value() && t_.op(*value).opcode == Opcode::kRegisterRead &&
          t_.is_late_register(t_.op(*value).object))
        computed = fmt::format("quiet ? 0 : {}", computed);
      text += fmt::format("{} = {};\n", t_.name(*value), computed);
    }
    return text;
  }

  // Operations of the body that the counters depend on: computed with the counters.
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

  // One level as a C++ loop. An iteration whose inner loop has none takes a cycle.
  std::string level(size_t k) const {
    const Loop& loop = *b_.nest().levels[k];
    std::string text = assigned_phis(t_, loop, true);
    const bool is_innermost = k + 1 == b_.nest().levels.size();
    if (is_innermost && skipped_.has_value()) text += skipped_iterations_text(k);
    const bool is_around = k + 2 == b_.nest().levels.size();
    if (is_around && skipped_.has_value() && skipped_->rounds.has_value())
      text += skipped_rounds_text();
    text += "for (;;) {\n" + control_values(loop.head, false) + control_values(loop.head, true);
    if (const std::string condition = t_.condition(loop.condition); !condition.empty())
      text += fmt::format("if (!{}) break;\n", condition);
    if (k > 0) text += fmt::format("turned{} = true;\n", k);
    if (is_innermost) {
      text += iteration_ + stepping_values();
    } else {
      text += is_around ? "process.heartbeat();\n" : "";
      text += control_values(loop.body, false);
      text += fmt::format("bool turned{} = false;\n", k + 1) + level(k + 1);
      text += fmt::format("if (!turned{}) {{\n{}}}\n", k + 1, idle_);
      text += control_values(loop.body, true);
    }
    return text + assigned_phis(t_, loop, false) + "}\n";
  }

  ProcessText& t_;
  const NestBody b_;
  std::set<ValueId> stepping_;
  std::optional<FastPath> fast_path_;
  std::optional<SkippedIterations> skipped_;
  std::string iteration_;
  std::string idle_ = "go = issue++;\n";  // an iteration whose inner loop has none
};

}  // namespace

std::string nest_text(ProcessText& text, const Loop& outermost, size_t number,
                      std::set<ValueId>& declared) {
  NestText nest(text, outermost, number);
  declared.insert(nest.stepping().begin(), nest.stepping().end());
  return nest.text();
}

}  // namespace vta::hlsc::model
