// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include "base/errors/error.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/schedule/rules.h"

namespace vta::hlsc::schedule {
namespace {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

class SequenceRules {
 public:
  SequenceRules(const Checked& checked, const ir::Sequence& items) : c_(checked) {
    for (const ir::Item& item : items) {
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value != nullptr && c_.waits(*value)) ++waits_[c_.step(*value)];
    }
    ir::for_each_item(
        items, [&](ValueId value) { operation(value); },
        [&](const ir::Loop& inner) { loop(inner); });
  }

 private:
  void operation(ValueId value) {
    c_.require(c_.step(value) >= after_loop_, "loop", {value},
               fmt::format("the previous loop is left for step {}", after_loop_));
    before_.push_back(value);
    const Opcode opcode = c_.op(value).opcode;
    if (ir::is_pure(opcode) || opcode == Opcode::kInputRead) return;
    c_.require(!c_.schedule.late_words.contains(value), "late word", {value},
               "it is not in a nest");
    for (ValueId earlier : effects_) pair(earlier, value);
    effects_.push_back(value);
  }

  void loop(const ir::Loop& loop) {
    const uint32_t entry = c_.schedule.entry_step.at(&loop);
    for (ValueId value : before_) {
      c_.require(c_.available(value) <= entry, "loop", {value},
                 fmt::format("the next loop, {}, is entered after {}", loop.name, entry));
      c_.require(c_.op(value).opcode != Opcode::kHalt || c_.step(value) < entry, "halt", {value},
                 fmt::format("the next loop, {}, is entered after {}", loop.name, entry));
    }
    if (entry < after_loop_)
      c_.refuse("loop", loop.location, fmt::format("loop {} passes another", loop.name));
    before_.clear();
    effects_.clear();
    after_loop_ = entry + 1;
  }

  // `a` comes before `b` in program order.
  void pair(ValueId a, ValueId b) {
    const bool in_order = c_.step(a) <= c_.step(b), later = c_.step(a) < c_.step(b);
    if (c_.op(a).opcode == Opcode::kHalt)
      return c_.require(later, "halt", {a, b}, "the halt may end the process");
    if (c_.op(b).opcode == Opcode::kHalt)
      return c_.require(in_order, "halt", {a, b}, "it comes before the halt");
    if (c_.waits(a) && c_.waits(b)) return both_wait(a, b);
    if (c_.waits(a))
      return c_.require(in_order, "effect order", {a, b}, "it passes an operation that may wait");
    if (c_.waits(b)) {
      c_.require(in_order, "effect order", {a, b}, "it passes an operation that may wait");
      const bool alone = waits_.at(c_.step(b)) == 1;
      return c_.require(later || alone || is_own_register(a), "effect order", {a, b},
                        "the second takes effect as soon as it can, the first when the step ends");
    }
    if (c_.op(a).object != c_.op(b).object) return;
    if (c_.design.objects[c_.op(a).object].kind == ir::ObjectKind::kRam) {
      ram(a, b);
    } else {
      registers(a, b);
    }
  }

  // No other process changes the register.
  bool is_own_register(ValueId read) const {
    if (c_.op(read).opcode != Opcode::kRegisterRead) return false;
    return std::none_of(c_.design.processes.begin(), c_.design.processes.end(),
                        [&](const ir::Process& process) {
                          return &process != &c_.process && writes(process, c_.op(read).object);
                        });
  }
  static bool writes(const ir::Process& process, ir::ObjectId object) {
    return std::any_of(process.ops.begin(), process.ops.end(), [&](const Op& op) {
      return op.opcode == Opcode::kRegisterWrite && op.object == object;
    });
  }

  void both_wait(ValueId a, ValueId b) {
    c_.require(c_.step(a) <= c_.step(b), "effect order", {a, b},
               "they may wait, so they keep their order");
    if (c_.step(a) != c_.step(b)) return;
    c_.require(c_.op(a).width == 0 && c_.op(b).width == 0, "one wait", {a, b},
               "operations that wait in one step have no results");
    c_.require(c_.op(a).object != c_.op(b).object, "one wait", {a, b},
               "operations that wait in one step use different objects");
  }

  void ram(ValueId a, ValueId b) {
    const bool in_order = c_.step(a) <= c_.step(b), together = c_.step(a) == c_.step(b);
    const bool reads_a = c_.op(a).opcode == Opcode::kRamRead,
               reads_b = c_.op(b).opcode == Opcode::kRamRead;
    if (reads_a && reads_b) {
      c_.require(!together, "RAM port", {a, b}, "a step reads a RAM once");
    } else if (reads_b) {
      c_.require(c_.step(a) < c_.step(b), "RAM order", {a, b}, "the read returns what is written");
    } else {
      c_.require(in_order, "RAM order", {a, b}, "the write comes second");
      if (!reads_a && together)
        c_.require(c_.are_one_access(a, b), "RAM port", {a, b}, "a step writes a RAM once");
    }
  }

  void registers(ValueId a, ValueId b) {
    const bool writes_a = c_.op(a).opcode == Opcode::kRegisterWrite,
               writes_b = c_.op(b).opcode == Opcode::kRegisterWrite;
    if (writes_b) {
      c_.require(c_.step(a) <= c_.step(b), "register order", {a, b}, "the write comes second");
    } else if (writes_a) {
      c_.require(c_.step(a) < c_.step(b), "register order", {a, b},
                 "the read returns what is written");
    }
  }

  const Checked& c_;
  std::map<uint32_t, int> waits_;  // by step
  uint32_t after_loop_ = 0;
  std::vector<ValueId> before_, effects_;  // since the last loop
};

}  // namespace

void check_sequence(const Checked& checked, const ir::Sequence& items) {
  SequenceRules(checked, items);
}

}  // namespace vta::hlsc::schedule
