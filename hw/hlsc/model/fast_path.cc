// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/fast_path.h"

#include <algorithm>

#include "hw/hlsc/ir/evaluate.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class Search {
 public:
  Search(const ir::Process& process, const std::vector<ValueId>& body,
         const std::set<ir::ObjectId>& registers)
      : process_(process), body_(body), registers_(registers) {}

  std::optional<FastPath> run() {
    FastPath path;
    path.before = forward({});
    assume(path.before);
    if (contradiction_) return std::nullopt;
    path.after = forward(assumed_, &path.checks);
    for (ValueId guard : guards()) {
      const auto found = path.after.find(guard);
      if (found == path.after.end() || !found->second.isZero()) return std::nullopt;
    }
    if (path.checks.empty()) return std::nullopt;
    return path;
  }

 private:
  std::vector<ValueId> guards() const {
    std::vector<ValueId> result;
    for (ValueId value : body_) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRegisterWrite && registers_.contains(op.object))
        result.push_back(op.operands[0]);
    }
    return result;
  }

  const llvm::APInt* known(const KnownValues& values, ValueId value) const {
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kConstant) return &op.constant;
    const auto found = values.find(value);
    return found == values.end() ? nullptr : &found->second;
  }

  // Propagates known values in program order. Values of `assumed` that do not follow from earlier
  // ones become checks.
  KnownValues forward(const KnownValues& assumed, std::vector<ValueId>* checks = nullptr) const {
    KnownValues values;
    for (ValueId value : body_) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRegisterRead && registers_.contains(op.object)) {
        values.emplace(value, llvm::APInt(op.width, 0));
      } else if (ir::is_pure(op.opcode)) {
        if (const auto folded = fold(op, values)) values.emplace(value, *folded);
      }
      const auto found = assumed.find(value);
      if (found == assumed.end() || values.contains(value)) continue;
      values.insert(*found);
      if (checks != nullptr) checks->push_back(value);
    }
    return values;
  }

  std::optional<llvm::APInt> fold(const Op& op, const KnownValues& values) const {
    std::vector<llvm::APInt> operands;
    for (ValueId operand : op.operands) {
      const llvm::APInt* value = known(values, operand);
      if (op.opcode == Opcode::kAnd && value != nullptr && value->isZero()) return *value;
      if (op.opcode == Opcode::kOr && value != nullptr && value->isAllOnes()) return *value;
      if (value != nullptr) operands.push_back(*value);
    }
    if (op.opcode == Opcode::kSelect) {
      const llvm::APInt* condition = known(values, op.operands[0]);
      if (condition == nullptr) return std::nullopt;
      const llvm::APInt* chosen = known(values, op.operands[condition->isZero() ? 2 : 1]);
      return chosen == nullptr ? std::nullopt : std::optional(*chosen);
    }
    if (operands.size() != op.operands.size() || operands.empty()) return std::nullopt;
    return ir::evaluate(op, operands);
  }

  // From guards that are 0 back to the 1-bit values that imply it.
  void assume(const KnownValues& before) {
    assumed_ = before;
    for (ValueId guard : guards()) set(guard, false);
    for (bool grows = true; grows && !contradiction_;) {
      const size_t size = assumed_.size();
      for (ValueId value : body_) {
        if (const auto folded = fold_pure(value)) set(value, !folded->isZero());
        if (assumed_.contains(value)) explain(value);
      }
      grows = assumed_.size() != size;
    }
  }
  std::optional<llvm::APInt> fold_pure(ValueId value) const {
    const Op& op = process_.ops[value];
    if (op.width != 1 || !ir::is_pure(op.opcode)) return std::nullopt;
    return fold(op, assumed_);
  }
  void set(ValueId value, bool bit) {
    const Op& op = process_.ops[value];
    if (op.width != 1 || op.opcode == Opcode::kConstant) return;
    if (std::find(body_.begin(), body_.end(), value) == body_.end()) return;
    const auto [found, fresh] = assumed_.emplace(value, llvm::APInt(1, bit));
    contradiction_ |= !fresh && found->second.isZero() == bit;
  }
  void explain(ValueId value) {
    const Op& op = process_.ops[value];
    if (op.width != 1) return;
    const bool bit = !assumed_.at(value).isZero();
    const auto other = [&](size_t i) { return known(assumed_, op.operands[1 - i]); };
    if (op.opcode == Opcode::kAnd || op.opcode == Opcode::kOr) {
      const bool both = bit == (op.opcode == Opcode::kAnd);  // then each operand is `bit`
      for (size_t i = 0; i < 2; ++i) {
        const bool decided = other(i) != nullptr && other(i)->isZero() == bit;
        if (both || decided) set(op.operands[i], bit);
      }
    } else if (op.opcode == Opcode::kXor) {
      for (size_t i = 0; i < 2; ++i) {
        if (other(i) != nullptr) set(op.operands[i], bit != !other(i)->isZero());
      }
    }
  }

  const ir::Process& process_;
  const std::vector<ValueId>& body_;
  const std::set<ir::ObjectId>& registers_;
  KnownValues assumed_;
  bool contradiction_ = false;
};

}  // namespace

std::optional<FastPath> fast_path(const ir::Process& process, const std::vector<ValueId>& body,
                                  const std::set<ir::ObjectId>& registers) {
  return Search(process, body, registers).run();
}

}  // namespace vta::hlsc::model
