// SPDX-License-Identifier: Apache-2.0
//
// Demotes phis of nests to registers until counters alone can compute the phis that are left.
//
// A value that a pipelined loop carries and its body computes becomes the register
// <process>_<phi>. The body reads and writes it. It is set before the nest, or, where an outer
// level gives it a new initial value, by the first iteration; after the nest it is read.
// Operations of a head that depend on such a value, or on a register, are copied into the body if
// the body uses them. Outer loops that carry such values in another way become loops of their own.
// Errors: kInvalidArgument "file:line: ..." for a pipelined loop whose condition depends on its
// body.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/levels_to_split.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::Loop;
using ir::LoopPhi;
using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

using Place = NestValues::Place;

// A value that passes through phis of several levels unchanged, outermost first.
struct Chain {
  size_t first_level;
  std::vector<LoopPhi> phis;
};

// The loops of a nest, outermost first: each is the only loop in the body of the previous one.
std::vector<Loop*> loops_of(const NestLoops& nest, Loop& outermost) {
  std::vector<Loop*> loops{&outermost};
  while (loops.size() < nest.levels.size()) {
    Sequence& body = loops.back()->body;
    const auto inner = std::find_if(body.begin(), body.end(), [](const ir::Item& item) {
      return ir::as_loop(item) != nullptr;
    });
    loops.push_back(ir::as_loop(*inner));
  }
  return loops;
}

class NestDemotion {
 public:
  NestDemotion(ir::Design& design, ir::Process& process, Sequence& parent, size_t at,
               NestLoops nest, Loop& outermost)
      : design_(design),
        process_(process),
        builder_(process),
        parent_(parent),
        at_(at),
        nest_(std::move(nest)),
        loops_(loops_of(nest_, outermost)) {}

  // Returns the number of outer levels that must become loops of their own first, or 0 after the
  // nest was changed.
  size_t run() {
    const NestValues values(process_, nest_);
    const std::set<ValueId> phis = values.dynamic_phis();
    const std::set<ValueId> dynamic = values.dynamic_values(phis);
    const size_t levels = levels_to_split(process_, nest_, values, phis, dynamic);
    if (levels != 0) return levels;
    check_condition(dynamic);
    copy_into_body(values, dynamic);
    for (;;) {  // each demotion changes the phis of the others
      const auto next = std::find_if(inner().phis.begin(), inner().phis.end(),
                                     [&](const LoopPhi& phi) { return phis.contains(phi.phi); });
      if (next == inner().phis.end()) return 0;
      demote(chain_of(*next, phis));
    }
  }

 private:
  Loop& inner() const { return *loops_.back(); }

  void check_condition(const std::set<ValueId>& dynamic) const {
    if (!dynamic.contains(inner().condition)) return;
    fail(ErrorCode::kInvalidArgument,
         "{}:{}: process {}: the condition of the pipelined loop depends on what its body reads; "
         "read it before the loop, or mark a register's value as HLS_LATE",
         inner().location.file, inner().location.line, process_.name);
  }

  // A counter of an outer level is not part of the chain: it is only the initial value.
  Chain chain_of(LoopPhi innermost, const std::set<ValueId>& carried) const {
    Chain chain{loops_.size() - 1, {innermost}};
    while (chain.first_level > 0) {
      const std::vector<LoopPhi>& phis = loops_[chain.first_level - 1]->phis;
      const auto outer = std::find_if(phis.begin(), phis.end(), [&](const LoopPhi& phi) {
        return phi.phi == chain.phis.front().init && carried.contains(phi.phi);
      });
      if (outer == phis.end()) break;
      chain.phis.insert(chain.phis.begin(), *outer);
      --chain.first_level;
    }
    return chain;
  }

  // Copies into the body the operations of heads that it uses and the counters cannot compute.
  void copy_into_body(const NestValues& values, const std::set<ValueId>& dynamic) {
    std::map<ValueId, ValueId> copies;
    Sequence copied;
    const auto needs_copy = [&](ValueId value) {
      return dynamic.contains(value) && values.place(value) == Place::kControl;
    };
    const auto copy = [&](auto&& self, ValueId value) -> ValueId {
      if (!needs_copy(value)) return value;
      if (const auto found = copies.find(value); found != copies.end()) return found->second;
      Op op = process_.ops[value];
      for (ValueId& operand : op.operands) operand = self(self, operand);
      return copies[value] = ir::Builder(process_, &copied).append(std::move(op));
    };
    for (ir::Item& item : inner().body) {
      const ValueId user = std::get<ValueId>(item);
      for (size_t i = 0; i < process_.ops[user].operands.size(); ++i) {
        const ValueId operand = copy(copy, process_.ops[user].operands[i]);
        process_.ops[user].operands[i] = operand;
      }
    }
    for (LoopPhi& phi : inner().phis) {
      if (dynamic.contains(phi.phi)) phi.next = copy(copy, phi.next);
    }
    inner().body.insert(inner().body.begin(), std::make_move_iterator(copied.begin()),
                        std::make_move_iterator(copied.end()));
  }

  ObjectId add_register(const Op& phi) {
    std::string name = process_.name + "_";
    for (char c : phi.name.empty() ? "carried" : phi.name)
      name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    const auto taken = [&](const std::string& wanted) {
      return std::any_of(design_.objects.begin(), design_.objects.end(),
                         [&](const ir::Object& object) { return object.name == wanted; });
    };
    std::string unique = name;
    for (int i = 1; taken(unique); ++i) unique = fmt::format("{}_{}", name, i);
    ir::Object object{ir::ObjectKind::kRegister, unique, phi.width, 0, 0, 1, phi.location};
    design_.objects.push_back(object);
    return static_cast<ObjectId>(design_.objects.size() - 1);
  }

  Op register_op(Opcode opcode, ObjectId object, std::vector<ValueId> operands) const {
    const uint32_t width = opcode == Opcode::kRegisterRead ? design_.objects[object].width : 0;
    Op op = ir::make_op(opcode, width, std::move(operands));
    op.object = object;
    op.location = design_.objects[object].location;
    return op;
  }
  ValueId read_of(ObjectId object) {
    return builder_.add(register_op(Opcode::kRegisterRead, object, {builder_.constant(1, 1)}));
  }
  ValueId write_of(ObjectId object, ValueId predicate, ValueId value) {
    return builder_.add(register_op(Opcode::kRegisterWrite, object, {predicate, value}));
  }

  void demote(const Chain& chain) {
    const ObjectId object = add_register(process_.ops[chain.phis.back().phi]);
    const ValueId read = read_of(object);
    inner().body.insert(inner().body.begin(), read);
    ValueId value = read;
    if (chain.first_level == 0) {
      set_before(object, chain.phis.front().init);
    } else {
      value = first_or(read, chain);
    }
    const ValueId inside = chain.phis.back().phi;
    replace_in(inner().body, inside, value);
    const ValueId next = chain.phis.back().next == inside ? value : chain.phis.back().next;
    inner().body.emplace_back(write_of(object, builder_.constant(1, 1), next));
    replace_outside(object, chain);
    for (size_t i = 0; i < chain.phis.size(); ++i) drop_phi(chain.first_level + i, chain.phis[i]);
  }

  void set_before(ObjectId object, ValueId init) {
    const ValueId write = write_of(object, loops_[0]->predicate, init);
    parent_.insert(parent_.begin() + static_cast<std::ptrdiff_t>(at_), write);
    ++at_;
  }

  // The initial value in the first iteration of the chain's outermost level, else the register.
  ValueId first_or(ValueId read, const Chain& chain) {
    std::vector<ValueId> flags;
    for (size_t level = chain.first_level; level < loops_.size(); ++level) {
      Op flag = ir::make_op(Opcode::kPhi, 1, {});
      flag.name = "first";
      flags.push_back(builder_.add(std::move(flag)));
    }
    for (size_t i = 0; i < flags.size(); ++i) {
      const ValueId init = i == 0 ? builder_.constant(1, 1) : flags[i - 1];
      const ValueId next = i + 1 == flags.size() ? builder_.constant(1, 0) : flags[i + 1];
      loops_[chain.first_level + i]->phis.push_back({flags[i], init, next});
    }
    const ValueId value = builder_.add(ir::make_op(Opcode::kSelect, builder_.width(read),
                                                   {flags.back(), chain.phis.front().init, read}));
    inner().body.insert(inner().body.begin() + 1, value);
    return value;
  }

  void replace_in(const Sequence& items, ValueId old, ValueId now) {
    for (const ir::Item& item : items) {
      const ValueId* user = ir::as_op(item);
      if (user != nullptr && *user != now) replace_operand(*user, old, now);
    }
    for (LoopPhi& phi : inner().phis) {
      if (phi.next == old && phi.phi != old) phi.next = now;
    }
  }
  void replace_operand(ValueId user, ValueId old, ValueId now) {
    for (ValueId& operand : process_.ops[user].operands) {
      if (operand == old) operand = now;
    }
  }

  // After the nest, and under `late` in heads, the register is read instead of a phi.
  void replace_outside(ObjectId object, const Chain& chain) {
    for (size_t i = 0; i < chain.phis.size(); ++i) {
      Loop& loop = *loops_[chain.first_level + i];
      const ValueId sampled = read_of(object);
      loop.head.insert(loop.head.begin(), sampled);
      for (const ir::Item& item : loop.head)
        replace_operand(std::get<ValueId>(item), chain.phis[i].phi, sampled);
    }
    if (chain.first_level != 0) return;
    const ValueId after = read_of(object);
    exports_[chain.phis.front().phi] = after;
    parent_.insert(parent_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, after);
  }

  void drop_phi(size_t level, const LoopPhi& dropped) {
    std::erase_if(loops_[level]->phis, [&](const LoopPhi& phi) { return phi.phi == dropped.phi; });
  }

  ir::Design& design_;
  ir::Process& process_;
  ir::Builder builder_;
  Sequence& parent_;
  size_t at_;  // of the nest in it
  NestLoops nest_;
  std::vector<Loop*> loops_;

 public:
  std::map<ValueId, ValueId> exports_;  // phis that are gone, and the reads that replace them
};

class Demotion {
 public:
  Demotion(ir::Design& design, ir::Process& process) : design_(design), process_(process) {}

  void run() {
    sequence(process_.body);
    ir::visit_uses(process_, [&](ValueId& value) {
      const auto found = exports_.find(value);
      if (found != exports_.end()) value = found->second;
    });
  }

 private:
  void sequence(Sequence& items) {
    for (size_t i = 0; i < items.size(); ++i) {
      Loop* const loop = ir::as_loop(items[i]);
      if (loop == nullptr) continue;
      if (!visit(items, i, *loop)) {
        sequence(loop->head);
        sequence(loop->body);
      }
      while (ir::as_loop(items[i]) != loop) ++i;  // operations were inserted before it
    }
  }

  // False if no nest starts with the loop.
  bool visit(Sequence& items, size_t at, Loop& loop) {
    NestLoops nest = nest_of(process_, loop);
    if (nest.levels.empty()) return false;
    NestDemotion demotion(design_, process_, items, at, std::move(nest), loop);
    if (demotion.run() != 0) return false;
    exports_.insert(demotion.exports_.begin(), demotion.exports_.end());
    return true;
  }

  ir::Design& design_;
  ir::Process& process_;
  std::map<ValueId, ValueId> exports_;
};

}  // namespace

void demote_phis(ir::Design& design, ir::Process& process) { Demotion(design, process).run(); }

}  // namespace vta::hlsc::passes
