// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/errors/error.h"
#include "hw/hlsc/passes/literals.h"
#include "hw/hlsc/schedule/rules.h"

namespace vta::hlsc::schedule {
namespace {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

class BodyRules {
 public:
  BodyRules(const Checked& checked, const Nest& nest)
      : c_(checked),
        loop_(*nest.levels.back()),
        interval_(nest.initiation_interval),
        stages_(nest.stages) {
    for (const ir::Item& item : loop_.body) {
      const ValueId value = std::get<ValueId>(item);
      if (!ir::is_pure(c_.op(value).opcode)) effects_.push_back(value);
    }
    for (const ir::Process& process : c_.design.processes) {
      for (const Op& op : process.ops) {
        if (ir::accesses_memory(op.opcode) && &process != &c_.process) shared_.insert(op.object);
      }
    }
  }

  void run() {
    for (ValueId value : effects_)
      c_.require(c_.op(value).opcode != Opcode::kHalt, "no halt", {value}, "the loop is pipelined");
    for (size_t j = 0; j < effects_.size(); ++j) {
      for (size_t i = 0; i < j; ++i) pair(effects_[i], effects_[j]);
    }
    for (ValueId first : effects_) {
      for (ValueId second : effects_) synchronization(first, second);
    }
    count_reads();
    late_words();
    registered_words();
    if (interval_ != loop_.initiation_interval) {
      c_.refuse("interval", loop_.location,
                fmt::format("loop {} starts an iteration every {} cycles, not {}", loop_.name,
                            interval_, loop_.initiation_interval));
    }
  }

 private:
  // `a` comes before `b` in program order.
  void pair(ValueId a, ValueId b) {
    const bool waits_a = c_.waits(a), waits_b = c_.waits(b);
    if (waits_a && waits_b) return both_wait(a, b);
    if (waits_a || waits_b) {
      c_.require(!is_shared_access(waits_a ? b : a) || c_.step(a) <= c_.step(b), "shared memory",
                 {a, b}, "they keep their order");
      return;
    }
    if (c_.op(a).object != c_.op(b).object) return;
    const ir::ObjectKind kind = c_.design.objects[c_.op(a).object].kind;
    if (kind == ir::ObjectKind::kRegister) return registers(a, b);
    if (kind == ir::ObjectKind::kRam) ram(a, b);
  }

  // Stages between them.
  uint32_t distance(ValueId a, ValueId b) const {
    return std::max(c_.step(a), c_.step(b)) - std::min(c_.step(a), c_.step(b));
  }

  bool is_shared_access(ValueId value) const {
    return ir::accesses_memory(c_.op(value).opcode) && shared_.contains(c_.op(value).object);
  }

  // `second` belongs to the iteration after `first`'s.
  void synchronization(ValueId first, ValueId second) {
    const bool releases =
        is_shared_access(first) && c_.waits(second) && !ir::takes(c_.op(second).opcode);
    const bool acquires = ir::takes(c_.op(first).opcode) && is_shared_access(second);
    if (!releases && !acquires) return;
    c_.require(c_.step(first) <= c_.step(second) + interval_, "synchronization", {first, second},
               fmt::format("the second, of the next iteration, starts {} cycles later and must "
                           "not come first",
                           interval_));
  }

  void both_wait(ValueId a, ValueId b) {
    if (!c_.are_disjoint(a, b))
      c_.require(c_.step(a) < c_.step(b), "wait order", {a, b},
                 "they may wait, so they keep their order");
    const bool one_end = c_.op(a).object == c_.op(b).object && c_.op(a).opcode == c_.op(b).opcode;
    c_.require(!one_end || distance(a, b) < interval_, "stream interval", {a, b},
               fmt::format("{} stages apart, where an iteration starts every {} cycles",
                           distance(a, b), interval_));
  }

  // An iteration reads what the previous one wrote.
  void registers(ValueId a, ValueId b) {
    const bool writes_a = c_.op(a).opcode == Opcode::kRegisterWrite,
               writes_b = c_.op(b).opcode == Opcode::kRegisterWrite;
    if (!writes_a && !writes_b) return;
    const std::string text = fmt::format("of {} stages, where an iteration starts every {} cycles",
                                         distance(a, b), interval_);
    if (writes_b) {
      c_.require(c_.step(a) <= c_.step(b) && distance(a, b) < interval_, "register distance",
                 {a, b}, text);
    } else {
      c_.require(c_.step(a) < c_.step(b) && distance(a, b) <= interval_, "register distance",
                 {a, b}, text);
    }
  }

  void ram(ValueId a, ValueId b) {
    const bool reads_a = c_.op(a).opcode == Opcode::kRamRead,
               reads_b = c_.op(b).opcode == Opcode::kRamRead;
    if (reads_a && reads_b)
      return c_.require(distance(a, b) != 0, "RAM stages", {a, b}, "a stage reads a RAM once");
    if (reads_b && may_be_changed_between(a, b)) return reads_after(a, b);
    // Stores of an iteration have been forwarded to its loads (passes/forward_stores.cc).
    if (reads_b) return before_next_write(b, a);
    if (reads_a && c_.are_disjoint(a, b)) return before_next_write(a, b);
    c_.require(c_.step(a) <= c_.step(b), "RAM order", {a, b},
               reads_a ? "the read comes first" : "they keep their order");
    if (reads_a) return;
    c_.require(distance(a, b) != 0 || c_.are_one_access(a, b), "RAM stages", {a, b},
               "a stage writes a RAM once");
    c_.require(distance(a, b) < interval_, "RAM interval", {a, b},
               fmt::format("{} stages apart, where an iteration starts every {} cycles",
                           distance(a, b), interval_));
  }

  // Changed by another process, from which something is taken in between.
  bool may_be_changed_between(ValueId a, ValueId b) const {
    if (!shared_.contains(c_.op(a).object)) return false;
    const auto from = std::find(effects_.begin(), effects_.end(), a);
    return std::any_of(from, std::find(from, effects_.end(), b),
                       [&](ValueId value) { return ir::takes(c_.op(value).opcode); });
  }
  void before_next_write(ValueId read, ValueId write) {
    c_.require(c_.step(read) < c_.step(write) + interval_, "RAM interval", {read, write},
               "the next iteration has written it by then");
  }
  void reads_after(ValueId write, ValueId read) {
    c_.require(c_.step(write) < c_.step(read), "RAM order", {write, read},
               "the read returns what is written");
    before_next_write(read, write);
  }

  // A late word receives only the writes of older iterations.
  void late_words() {
    for (ValueId read : effects_) {
      if (!c_.schedule.late_words.contains(read)) continue;
      c_.require(c_.available(read) < stages_, "late word", {read}, "there is no such stage");
      for (ValueId write : effects_) {
        if (c_.op(write).opcode != Opcode::kRamWrite || c_.op(write).object != c_.op(read).object)
          continue;
        c_.require(c_.available(read) <= c_.step(write), "late word", {read, write},
                   "the iteration would read its own write");
      }
    }
  }

  void registered_words() {
    for (ValueId read : effects_) {
      if (!c_.schedule.registered_words.contains(read)) continue;
      const char* const rule = "output register";
      c_.require(!c_.schedule.late_words.contains(read), rule, {read},
                 "it already waits a stage for writes");
      c_.require(c_.available(read) < stages_, rule, {read}, "there is no such stage");
      c_.require(c_.design.objects[c_.op(read).object].banks == 1, rule, {read},
                 "the words of banks are selected after the RAMs");
      for (const ir::Process& process : c_.design.processes) {
        for (const Op& op : process.ops) {
          const bool is_other = op.opcode == Opcode::kRamRead && op.object == c_.op(read).object &&
                                &op != &c_.op(read);
          c_.require(!is_other, rule, {read}, "the RAM is read elsewhere, too");
        }
      }
      for (ValueId write : effects_) {
        const bool is_written =
            c_.op(write).opcode == Opcode::kRamWrite && c_.op(write).object == c_.op(read).object;
        c_.require(!is_written, rule, {read, write}, "a write is forwarded after the RAM");
      }
    }
  }

  // Reads under one predicate.
  void count_reads() {
    std::map<std::pair<ObjectId, passes::Literals>, uint32_t> counts;
    for (ValueId value : effects_) {
      const Op& op = c_.op(value);
      if (op.opcode != Opcode::kRamRead) continue;
      const uint32_t count = ++counts[{op.object, passes::conjunction(c_.process, op.operands[0])}];
      c_.require(
          count <= interval_, "RAM interval", {value},
          fmt::format("{} reads, where an iteration starts every {} cycles", count, interval_));
    }
  }

  const Checked& c_;
  const ir::Loop& loop_;
  const uint32_t interval_, stages_;
  std::vector<ValueId> effects_;
  std::set<ObjectId> shared_;  // RAMs and registers that other processes use too
};

}  // namespace

void check_body(const Checked& checked, const Nest& nest) { BodyRules(checked, nest).run(); }

}  // namespace vta::hlsc::schedule
