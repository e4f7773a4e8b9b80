// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/errors/error.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/schedule/counter_delays.h"
#include "hw/hlsc/schedule/deadline.h"
#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/rules.h"

namespace vta::hlsc::schedule {
namespace {

using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

constexpr double kRounding = 1e-6;

// Walks a process in program order.
class DataRules {
 public:
  explicit DataRules(const Checked& checked)
      : c_(checked),
        places_(checked.process.ops.size()),
        ready_ns_(checked.process.ops.size()),
        deadlines_(checked.design, checked.process, nullptr) {}

  void run() { sequence(c_.process.body); }

 private:
  // The sequence and the first step in which a value is available. Without a sequence: in a
  // register before the sequence that uses it starts.
  struct Place {
    const Sequence* sequence = nullptr;
    uint32_t step = 0;
  };

  void sequence(const Sequence& items) {
    const auto found = c_.schedule.num_steps.find(&items);
    if (found == c_.schedule.num_steps.end() || found->second == 0)
      c_.refuse("complete", c_.process.location, "a sequence without steps");
    ir::for_each_item(
        items, [&](ValueId value) { operation(value, items, found->second); },
        [&](const ir::Loop& inner) { loop(inner, items, found->second); });
  }

  void operation(ValueId value, const Sequence& items, uint32_t num_steps) {
    c_.require(c_.step(value) != kUnscheduled && c_.available(value) < num_steps, "complete",
               {value}, fmt::format("there are {} steps or stages", num_steps));
    const double arrival_ns = operands(value, items);
    deadlines(value, items);
    const double chained_ns = chained(value, arrival_ns);
    ready_ns_[value] = c_.op(value).opcode == Opcode::kRamRead ? word_ns(value) : chained_ns;
    if (c_.op(value).opcode == Opcode::kRamWrite && merged_.contains(c_.op(value).object)) {
      c_.require(
          arrival_ns + kMergeNs <= c_.budget_ns, "budget", {value},
          fmt::format("available after {:.1f} ns, for the forwarding to a late word", arrival_ns));
    }
    c_.require(!c_.schedule.registered_words.contains(value) || body_deadlines_.has_value(),
               "output register", {value}, "only a word of a pipelined body waits a stage");
    places_[value] = {&items, c_.available(value)};
  }

  // Each operand leaves time for the logic between it and the clock edge.
  void deadlines(ValueId value, const Sequence& items) {
    const Op& op = c_.op(value);
    const Deadlines& all = body_deadlines_ ? *body_deadlines_ : deadlines_;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (!arrives_in(op.operands[i], items, c_.step(value))) continue;
      const double needs_ns = all.before_end_ns(op, i);
      leaves(needs_ns, op.operands[i], value);
    }
  }
  void leaves(double needs_ns, ValueId operand, ValueId user) const {
    const double arrival_ns = result_ns(operand);
    c_.require(
        arrival_ns + needs_ns <= c_.budget_ns + kRounding || arrival_ns <= kRegisterNs + kRounding,
        "deadline", {operand, user},
        fmt::format("available after {:.1f} of {:.1f} ns, {:.1f} ns before the end", arrival_ns,
                    c_.budget_ns, needs_ns));
  }
  bool arrives_in(ValueId operand, const Sequence& items, uint32_t step) const {
    if (counter_delays_ns_.contains(operand)) return step == 0;
    const Place& place = places_[operand];
    return place.sequence == &items && place.step == step;
  }

  // When the last operand is available, within the step of the operation.
  double operands(ValueId value, const Sequence& items) {
    double arrival_ns = kRegisterNs;
    bool is_kept = false;
    for (ValueId operand : c_.op(value).operands) {
      used(operand, value, items, c_.step(value));
      c_.require(
          c_.op(value).opcode != Opcode::kStage || !arrives_in(operand, items, c_.step(value)),
          "data", {operand, value}, "it is not in a register");
      if (arrives_in(operand, items, c_.step(value)))
        arrival_ns = std::max(arrival_ns, result_ns(operand));
      else
        is_kept = true;
    }
    // The delay of a split sum is from the registers of products.
    if (is_kept && !c_.schedule.split_sums.contains(value)) {
      arrival_ns = std::max(arrival_ns, kept_operands_ns(c_.process, c_.op(value), c_.budget_ns));
    }
    return arrival_ns;
  }

  double result_ns(ValueId value) const {
    if (const auto found = counter_delays_ns_.find(value); found != counter_delays_ns_.end())
      return found->second;
    if (c_.schedule.split_sums.contains(value)) return split_sum_ns(c_.op(value))->total_ns;
    return ready_ns_[value];
  }
  double word_ns(ValueId read) const {
    if (c_.schedule.late_words.contains(read)) return kRegisterNs;
    if (c_.schedule.registered_words.contains(read)) return kRamRegisterNs;
    return forwarded_.contains(read) ? kRamNs + kMergeNs : kRamNs;
  }

  void used(ValueId operand, ValueId user, const Sequence& items, uint32_t step) {
    const Place& place = places_[operand];
    if (place.sequence == nullptr) return;
    uint32_t last = step;
    if (place.sequence != &items) {
      const auto around = inside_.find(place.sequence);
      if (around == inside_.end()) return;  // in a head that has ended
      last = around->second;
    }
    c_.require(place.step <= last, "data", {operand, user},
               fmt::format("a value available from {} on is used in {}", place.step, last));
  }

  // What a register or a FIFO gives is available when the step begins; the delay is not added to
  // the predicate's.
  double chained(ValueId value, double arrival_ns) {
    const Op& op = c_.op(value);
    const bool is_split = c_.schedule.split_sums.contains(value);
    c_.require(!is_split || (split_sum_ns(op).has_value() && body_deadlines_.has_value()), "data",
               {value}, "only a long sum in a nest can be split");
    const double delay = is_split ? split_sum_ns(op)->partial_ns : delay_ns(c_.process, op);
    if (!ir::is_pure(op.opcode)) return std::max(arrival_ns, delay);
    if (op.opcode == Opcode::kStage) return delay;
    const double result = arrival_ns + delay;
    c_.require(result <= c_.budget_ns + kRounding ||
                   arrival_ns <= kept_operands_ns(c_.process, op, c_.budget_ns) + kRounding,
               "budget", {value},
               fmt::format("its operands are available after {:.1f} ns, its result after {:.1f} of "
                           "{:.1f} ns",
                           arrival_ns, result, c_.budget_ns));
    return result;
  }

  void loop(const ir::Loop& loop, const Sequence& items, uint32_t num_steps) {
    const auto found = c_.schedule.entry_step.find(&loop);
    if (found == c_.schedule.entry_step.end() || found->second >= num_steps)
      c_.refuse("complete", loop.location, fmt::format("loop {} is never entered", loop.name));
    const uint32_t entry = found->second;
    const auto nest = c_.schedule.nests.find(&loop);
    const bool is_nest = nest != c_.schedule.nests.end();
    const auto levels = is_nest ? nest->second.levels : std::vector<const ir::Loop*>();
    for (ValueId value : entry_values(c_.process, loop, levels))
      entering(value, loop, items, entry, is_nest);
    inside_[&items] = entry;
    if (is_nest) {
      for (const ir::Loop* level : nest->second.levels) counters(*level, nest->second);
    } else {
      sequence(loop.head);
      sequence(loop.body);
    }
    inside_.erase(&items);
    // After the loop its results are in registers.
    for (const ir::LoopPhi& phi : loop.phis) places_[phi.phi] = {&items, entry + 1};
    for (const ir::Item& item : loop.head) {
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value == nullptr) continue;
      places_[*value] = {&items, entry + 1};
      ready_ns_[*value] = kept_ns(c_.process, *value);
    }
  }
  void entering(ValueId value, const ir::Loop& loop, const Sequence& items, uint32_t entry,
                bool is_nest) {
    const Place& place = places_[value];
    c_.require(place.sequence != &items || place.step <= entry, "data", {value},
               fmt::format("loop {} is entered after {}", loop.name, entry));
    if (arrives_in(value, items, entry)) leaves(Deadlines::before_entry_ns(is_nest), value, value);
  }

  // A level of a nest. Its counters are in registers.
  void counters(const ir::Loop& level, const Nest& nest) {
    const bool innermost = &level == nest.levels.back();
    for (const Sequence* items : {&level.head, &level.body}) {
      if (items == &level.body && innermost) break;
      for (const ir::Item& item : *items) {
        const ValueId* value = std::get_if<ValueId>(&item);
        if (value == nullptr) continue;
        c_.require(c_.step(*value) == 0, "complete", {*value}, "counters have no stages");
        for (ValueId operand : c_.op(*value).operands) used(operand, *value, *items, 0);
      }
    }
    if (innermost) body(level, nest);
  }

  void body(const ir::Loop& level, const Nest& nest) {
    note_forwarding(level);
    body_deadlines_.emplace(c_.design, c_.process, &level.body);
    counter_delays_ns_ = counter_delays_ns(c_.process, nest.levels);
    for (const ir::Item& item : level.body) {
      const ValueId value = std::get<ValueId>(item);
      c_.require(c_.step(value) < nest.stages, "complete", {value},
                 fmt::format("there are {} stages", nest.stages));
      operation(value, level.body, nest.stages + 2);  // a word may arrive after the last stage
    }
    body_deadlines_.reset();
    counter_delays_ns_.clear();
    merged_.clear();
    forwarded_.clear();
  }

  // Reads and writes between which words are forwarded.
  void note_forwarding(const ir::Loop& level) {
    std::map<ir::ObjectId, uint32_t> last_writes;
    for (const ir::Item& item : level.body) {
      const ValueId value = std::get<ValueId>(item);
      if (c_.op(value).opcode != Opcode::kRamWrite) continue;
      uint32_t& last = last_writes[c_.op(value).object];
      last = std::max(last, c_.step(value));
    }
    for (const ir::Item& item : level.body) {
      const ValueId value = std::get<ValueId>(item);
      if (c_.op(value).opcode != Opcode::kRamRead) continue;
      if (c_.schedule.late_words.contains(value)) merged_.insert(c_.op(value).object);
      const auto last = last_writes.find(c_.op(value).object);
      if (last != last_writes.end() && last->second > c_.step(value)) forwarded_.insert(value);
    }
  }

  const Checked& c_;
  std::vector<Place> places_;
  std::vector<double> ready_ns_;
  const Deadlines deadlines_;                    // outside nests
  std::optional<Deadlines> body_deadlines_;      // in the current body
  std::map<ValueId, double> counter_delays_ns_;  // of the current nest, while its body is checked
  // In the current body: RAMs with late words; reads to which an older iteration's write may be
  // forwarded.
  std::set<ir::ObjectId> merged_;
  std::set<ValueId> forwarded_;
  std::map<const Sequence*, uint32_t> inside_;  // sequences around, and the loop's entry step there
};

}  // namespace

void check_data(const Checked& checked) { DataRules(checked).run(); }

}  // namespace vta::hlsc::schedule
