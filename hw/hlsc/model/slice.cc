// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/slice.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::model {

using ir::ObjectId;
using ir::ObjectKind;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Whether a process uses a register only for the register's own next value, as a statistics
// counter: then the register exists for observers outside the design.
class SelfUseOnly {
 public:
  SelfUseOnly(const ir::Process& process, ObjectId id)
      : process_(process), id_(id), derived_(process.ops.size(), false) {
    visit(process.body);
  }
  bool answer() const { return !used_; }

 private:
  void visit(const ir::Sequence& items) {
    for (const ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) {
        operation(*value);
        continue;
      }
      const ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
      for (const ir::LoopPhi& phi : loop.phis) used_ |= derived_[phi.init];
      used_ |= derived_[loop.predicate];
      visit(loop.head);
      used_ |= derived_[loop.condition];
      visit(loop.body);
      for (const ir::LoopPhi& phi : loop.phis) used_ |= derived_[phi.next];
    }
  }
  void operation(ValueId value) {
    const Op& op = process_.ops[value];
    const bool derived = std::any_of(op.operands.begin(), op.operands.end(),
                                     [&](ValueId operand) { return derived_[operand]; });
    if (op.opcode == Opcode::kRegisterRead && op.object == id_) {
      derived_[value] = true;
    } else if (ir::is_pure(op.opcode)) {
      derived_[value] = derived;
    } else if (op.opcode != Opcode::kRegisterWrite || op.object != id_) {
      used_ |= derived;
    }
  }

  const ir::Process& process_;
  ObjectId id_;
  std::vector<bool> derived_;
  bool used_ = false;
};

class Slicer {
 public:
  Slicer(const ir::Design& design, const schedule::Schedule& schedule,
         const std::map<ObjectId, bind::RamPorts>& rams)
      : design_(design), schedule_(schedule), rams_(rams) {
    for (const ir::Process& process : design.processes)
      result_.values.emplace_back(process.ops.size(), false);
    result_.contents.resize(design.objects.size());
  }

  Slice run() {
    for (ObjectId id = 0; id < design_.objects.size(); ++id) {
      if (design_.objects[id].kind == ObjectKind::kRegister && is_for_observers(id))
        want_content(id);
    }
    for (size_t p = 0; p < design_.processes.size(); ++p) {
      roots(p);
      hazards(p);
    }
    while (!work_.empty()) {
      const auto [process, value] = work_.back();
      work_.pop_back();
      follow(process, value);
    }
    return std::move(result_);
  }

 private:
  bool is_for_observers(ObjectId id) const {
    return std::all_of(
        design_.processes.begin(), design_.processes.end(),
        [&](const ir::Process& process) { return SelfUseOnly(process, id).answer(); });
  }

  void want(size_t process, ValueId value) {
    if (result_.values[process][value]) return;
    result_.values[process][value] = true;
    work_.emplace_back(process, value);
  }
  void want_operands(size_t process, const Op& op) {
    for (ValueId operand : op.operands) want(process, operand);
  }

  void want_content(ObjectId id) {
    if (result_.contents[id]) return;
    result_.contents[id] = true;
    for (size_t p = 0; p < design_.processes.size(); ++p) {
      for (const Op& op : design_.processes[p].ops) {
        if (op.object != id) continue;
        const bool writes = op.opcode == Opcode::kRamWrite || op.opcode == Opcode::kRegisterWrite ||
                            op.opcode == Opcode::kStreamWrite;
        if (writes) want_operands(p, op);
      }
    }
  }

  // Predicates of operations that may wait or halt, of loops, and the operands of bursts.
  void roots(size_t p) {
    const ir::Process& process = design_.processes[p];
    const auto on_op = [&](ValueId value) {
      const Op& op = process.ops[value];
      if (ir::may_wait(op.opcode)) want(p, op.operands[0]);
      if (op.opcode == Opcode::kReadRequest || op.opcode == Opcode::kWriteRequest)
        want_operands(p, op);
      if (op.opcode == Opcode::kRamRead || op.opcode == Opcode::kRamWrite) ram_access(p, op);
    };
    ir::walk(process.body, on_op, [&](const ir::Loop& loop) {
      want(p, loop.predicate);
      want(p, loop.condition);
      for (const ir::LoopPhi& phi : loop.phis) phis_[{p, phi.phi}] = &phi;
    });
  }

  // Accesses of a RAM port that other processes use.
  void ram_access(size_t p, const Op& op) {
    if (!rams_.at(op.object).is_shared(p, op.opcode)) return;
    want(p, op.operands[0]);
    want(p, op.operands[1]);
  }

  // In nests that read a RAM and write it later, or read it twice, the words decide which iteration
  // waits.
  void hazards(size_t p) {
    const ir::Process& process = design_.processes[p];
    for (const auto& [outermost, nest] : schedule_.processes[p].nests) {
      std::map<ObjectId, std::vector<ValueId>> accesses;
      std::map<ObjectId, size_t> reads;
      for (const ir::Item& item : nest.levels.back()->body) {
        const ValueId value = std::get<ValueId>(item);
        const Op& op = process.ops[value];
        if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) continue;
        accesses[op.object].push_back(value);
        if (op.opcode == Opcode::kRamRead) ++reads[op.object];
      }
      for (const auto& [ram, values] : accesses) {
        if (reads[ram] == 0 || values.size() == 1) continue;
        for (ValueId value : values) {
          want(p, process.ops[value].operands[0]);
          want(p, process.ops[value].operands[1]);
        }
      }
    }
  }

  void follow(size_t p, ValueId value) {
    const Op& op = design_.processes[p].ops[value];
    if (op.opcode == Opcode::kPhi) {
      const ir::LoopPhi& phi = *phis_.at({p, value});
      want(p, phi.init);
      want(p, phi.next);
      return;
    }
    if (op.opcode == Opcode::kRamRead || op.opcode == Opcode::kRegisterRead ||
        op.opcode == Opcode::kStreamRead || op.opcode == Opcode::kReadBeat)
      want_content(op.object);
    want_operands(p, op);
  }

  const ir::Design& design_;
  const schedule::Schedule& schedule_;
  const std::map<ObjectId, bind::RamPorts>& rams_;
  Slice result_;
  std::map<std::pair<size_t, ValueId>, const ir::LoopPhi*> phis_;
  std::vector<std::pair<size_t, ValueId>> work_;
};

}  // namespace

Slice slice_of(const ir::Design& design, const schedule::Schedule& schedule,
               const std::map<ObjectId, bind::RamPorts>& rams) {
  return Slicer(design, schedule, rams).run();
}

}  // namespace vta::hlsc::model
