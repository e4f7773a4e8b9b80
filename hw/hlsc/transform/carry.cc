// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/carry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "hw/hlsc/transform/levels_to_leave.h"
#include "hw/hlsc/transform/nest.h"
#include "runtime/base/error.h"

namespace vta::hlsc::transform {

using ir::kNoValue;
using ir::Loop;
using ir::LoopPhi;
using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

using Place = NestValues::Place;

// One value that goes through phis of several levels unchanged, outermost first.
struct Chain {
  size_t first_level;
  std::vector<LoopPhi> phis;
};

// Of a nest: each is the only one in the body of the one around it.
std::vector<Loop*> loops_of(const NestLoops& nest, Loop& outermost) {
  std::vector<Loop*> loops{&outermost};
  while (loops.size() < nest.levels.size()) {
    for (ir::Item& item : loops.back()->body) {
      const auto* const held = std::get_if<std::unique_ptr<Loop>>(&item);
      if (held == nullptr) continue;
      loops.push_back(held->get());
      break;
    }
  }
  return loops;
}

class NestCarrier {
 public:
  NestCarrier(ir::Design& design, ir::Process& process, Sequence& parent, size_t at, NestLoops nest,
              Loop& outermost)
      : design_(design),
        process_(process),
        parent_(parent),
        at_(at),
        nest_(std::move(nest)),
        loops_(loops_of(nest_, outermost)) {}

  // The levels that must be loops of their own, or 0 after the nest was changed.
  size_t run() {
    const NestValues values(process_, nest_);
    const std::set<ValueId> phis = values.dynamic_phis();
    const std::set<ValueId> dynamic = values.dynamic_values(phis);
    const size_t levels = levels_to_leave(process_, nest_, values, phis, dynamic);
    if (levels != 0) return levels;
    check_condition(dynamic);
    copy_into_body(values, dynamic);
    for (;;) {  // each turn changes the others' links
      const auto next = std::find_if(inner().phis.begin(), inner().phis.end(),
                                     [&](const LoopPhi& phi) { return phis.contains(phi.phi); });
      if (next == inner().phis.end()) return 0;
      carry(chain_of(*next, phis));
    }
  }

 private:
  Loop& inner() const { return *loops_.back(); }

  void check_condition(const std::set<ValueId>& dynamic) const {
    if (!dynamic.contains(inner().condition)) return;
    fail(ErrorCode::kInvalidArgument,
         "{}:{}: process {}: whether the pipelined loop goes on depends on what its body reads; "
         "read it before the loop, or mark a register's value as HLS_LATE",
         inner().location.file, inner().location.line, process_.name);
  }

  // A counter of an outer level is none of it: it only starts what the level inside carries.
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

  // What the body takes from heads although the counters cannot compute it.
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
      const ValueId made = ir::add_op(process_, std::move(op));
      copied.emplace_back(made);
      return copies[value] = made;
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
    Op op;
    op.opcode = opcode;
    op.object = object;
    op.operands = std::move(operands);
    op.location = design_.objects[object].location;
    if (opcode == Opcode::kRegisterRead) op.width = design_.objects[object].width;
    return op;
  }
  ValueId yes() { return ir::add_constant(process_, 1, 1); }

  void carry(const Chain& chain) {
    const ObjectId object = add_register(process_.ops[chain.phis.back().phi]);
    const ValueId read = ir::add_op(process_, register_op(Opcode::kRegisterRead, object, {yes()}));
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
    inner().body.emplace_back(
        ir::add_op(process_, register_op(Opcode::kRegisterWrite, object, {yes(), next})));
    replace_outside(object, chain);
    for (size_t i = 0; i < chain.phis.size(); ++i) drop_phi(chain.first_level + i, chain.phis[i]);
  }

  void set_before(ObjectId object, ValueId init) {
    const ValueId predicate = loops_[0]->predicate;
    const ValueId write =
        ir::add_op(process_, register_op(Opcode::kRegisterWrite, object, {predicate, init}));
    parent_.insert(parent_.begin() + static_cast<std::ptrdiff_t>(at_), write);
    ++at_;
  }

  // The initial value in the first iteration since the level above the chain's went on.
  ValueId first_or(ValueId read, const Chain& chain) {
    std::vector<ValueId> flags;
    for (size_t level = chain.first_level; level < loops_.size(); ++level) {
      Op flag;
      flag.opcode = Opcode::kPhi;
      flag.width = 1;
      flag.name = "first";
      flags.push_back(ir::add_op(process_, std::move(flag)));
    }
    for (size_t i = 0; i < flags.size(); ++i) {
      LoopPhi phi;
      phi.phi = flags[i];
      phi.init = i == 0 ? yes() : flags[i - 1];
      phi.next = i + 1 == flags.size() ? ir::add_constant(process_, 1, 0) : flags[i + 1];
      loops_[chain.first_level + i]->phis.push_back(phi);
    }
    Op select;
    select.opcode = Opcode::kSelect;
    select.width = process_.ops[read].width;
    select.operands = {flags.back(), chain.phis.front().init, read};
    const ValueId value = ir::add_op(process_, std::move(select));
    inner().body.insert(inner().body.begin() + 1, value);
    return value;
  }

  void replace_in(const Sequence& items, ValueId old, ValueId now) {
    for (const ir::Item& item : items) {
      const ValueId* user = std::get_if<ValueId>(&item);
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
      const ValueId sampled =
          ir::add_op(process_, register_op(Opcode::kRegisterRead, object, {yes()}));
      loop.head.insert(loop.head.begin(), sampled);
      for (const ir::Item& item : loop.head)
        replace_operand(std::get<ValueId>(item), chain.phis[i].phi, sampled);
    }
    if (chain.first_level != 0) return;
    const ValueId after = ir::add_op(process_, register_op(Opcode::kRegisterRead, object, {yes()}));
    exports_[chain.phis.front().phi] = after;
    parent_.insert(parent_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, after);
  }

  void drop_phi(size_t level, const LoopPhi& dropped) {
    std::erase_if(loops_[level]->phis, [&](const LoopPhi& phi) { return phi.phi == dropped.phi; });
  }

  ir::Design& design_;
  ir::Process& process_;
  Sequence& parent_;
  size_t at_;  // of the nest in it
  NestLoops nest_;
  std::vector<Loop*> loops_;

 public:
  std::map<ValueId, ValueId> exports_;  // phis that are gone, and the reads that stand for them
};

class Carrier {
 public:
  Carrier(ir::Design& design, ir::Process& process) : design_(design), process_(process) {}

  void run() {
    sequence(process_.body);
    for (Op& op : process_.ops) {
      for (ValueId& operand : op.operands) exported(operand);
    }
    exported_loops(process_.body);
  }

 private:
  void exported(ValueId& value) const {
    const auto found = exports_.find(value);
    if (found != exports_.end()) value = found->second;
  }
  void exported_loops(Sequence& items) {
    for (ir::Item& item : items) {
      if (std::holds_alternative<ValueId>(item)) continue;
      Loop& loop = *std::get<std::unique_ptr<Loop>>(item);
      exported(loop.predicate);
      exported(loop.condition);
      for (LoopPhi& phi : loop.phis) exported(phi.init), exported(phi.next);
      exported_loops(loop.head);
      exported_loops(loop.body);
    }
  }

  void sequence(Sequence& items) {
    for (size_t i = 0; i < items.size(); ++i) {
      if (std::holds_alternative<ValueId>(items[i])) continue;
      Loop* loop = std::get<std::unique_ptr<Loop>>(items[i]).get();
      if (!visit(items, i, *loop)) {
        sequence(loop->head);
        sequence(loop->body);
      }
      while (std::holds_alternative<ValueId>(items[i]) ||
             std::get<std::unique_ptr<Loop>>(items[i]).get() != loop)
        ++i;
    }
  }

  // False if the loop is none of a nest.
  bool visit(Sequence& items, size_t at, Loop& loop) {
    NestLoops nest = nest_of(process_, loop);
    if (nest.levels.empty()) return false;
    NestCarrier carrier(design_, process_, items, at, std::move(nest), loop);
    if (carrier.run() != 0) return false;
    exports_.insert(carrier.exports_.begin(), carrier.exports_.end());
    return true;
  }

  ir::Design& design_;
  ir::Process& process_;
  std::map<ValueId, ValueId> exports_;
};

}  // namespace

void carry_in_registers(ir::Design& design, ir::Process& process) {
  Carrier(design, process).run();
}

}  // namespace vta::hlsc::transform
