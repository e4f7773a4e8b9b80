// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/split_operations.h"

#include <set>
#include <utility>
#include <vector>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/passes/passes.h"
#include "hw/hlsc/schedule/counter_operations.h"
#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/part_builder.h"
#include "hw/hlsc/schedule/split_comparison.h"
#include "hw/hlsc/schedule/split_product.h"
#include "hw/hlsc/schedule/split_shift.h"
#include "hw/hlsc/schedule/split_sum.h"
#include "hw/hlsc/schedule/timing.h"

namespace vta::hlsc::schedule {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

// kNoValue if operations of this kind are not split.
ValueId split(PartBuilder& parts, const Op& op) {
  switch (op.opcode) {
    case Opcode::kAdd:
    case Opcode::kSum:
      return split_sum(parts, op.operands);
    case Opcode::kSub:
      return split_difference(parts, op.operands[0], op.operands[1]);
    case Opcode::kMul:
      return split_product(parts, op);
    VTA_HLSC_CASES_OF_COMPARISONS:
      return split_comparison(parts, op);
    case Opcode::kShl:
    case Opcode::kLshr:
    case Opcode::kAshr:
      return split_shift(parts, op);
    case Opcode::kConstant:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kSelect:
    case Opcode::kZext:
    case Opcode::kSext:
    case Opcode::kSlice:
    case Opcode::kLane:
    case Opcode::kConcat:
    case Opcode::kReverse:
    case Opcode::kStage:
    case Opcode::kLate:
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      return kNoValue;
  }
  return kNoValue;
}

class Splitter {
 public:
  Splitter(ir::Process& process, double budget_ns) : process_(process), budget_ns_(budget_ns) {}

  // Whether anything has been split.
  bool run() {
    sequence(process_.body, false);
    return has_split_;
  }

 private:
  void sequence(Sequence& items, bool is_body) {
    const auto of_op = [&](ValueId value, Sequence& out) { operation(value, is_body, out); };
    ir::rebuild(items, of_op, [&](ir::Loop& loop) {
      const passes::NestLoops nest = passes::engine_of(process_, loop);
      if (nest.levels.empty()) {
        sequence(loop.head, false);
        sequence(loop.body, false);
      } else {
        body_of(loop, nest);
      }
    });
  }

  // What the counters are computed from has no stages.
  void body_of(ir::Loop& outermost, const passes::NestLoops& nest) {
    add_counter_values(process_, nest.levels, kept_);
    ir::Loop* level = &outermost;
    for (size_t i = 1; i < nest.levels.size(); ++i) {
      ir::for_each_item(level->body, [](ValueId) {}, [&](ir::Loop& inner) { level = &inner; });
    }
    sequence(level->body, true);
  }

  bool fits(const Op& op, bool is_body) const {
    if (is_body && is_split_sum(op, budget_ns_)) {
      const SumDelays delays = *split_sum_ns(op);
      return kRegisterNs + delays.partial_ns <= budget_ns_ && delays.total_ns <= budget_ns_;
    }
    return fits_a_step(process_, op, budget_ns_);
  }

  void operation(ValueId value, bool is_body, Sequence& out) {
    const Op whole = process_.ops[value];
    if (!ir::is_pure(whole.opcode) || fits(whole, is_body) || kept_.contains(value)) return;
    PartBuilder parts(process_, out, whole, budget_ns_);
    const ValueId result = split(parts, whole);
    if (result == kNoValue) return;
    Op same = ir::make_op(Opcode::kSlice, whole.width, {result});
    same.location = whole.location;
    same.name = whole.name;
    process_.ops[value] = std::move(same);
    has_split_ = true;
  }

  ir::Process& process_;
  const double budget_ns_;
  std::set<ValueId> kept_;
  bool has_split_ = false;
};

}  // namespace

void split_operations(ir::Design& design, const Options& options) {
  bool has_split = false;
  for (ir::Process& process : design.processes) {
    if (!Splitter(process, options.period_ns - options.margin_ns).run()) continue;
    passes::eliminate_dead_ops(design, process);
    has_split = true;
  }
  if (has_split) ir::verify(design);
}

}  // namespace vta::hlsc::schedule
