// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/passes/random_expressions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hw/hlsc/ir/builder.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint32_t kWidest = 128;

// A design of one process that reads inputs, computes and writes the results.
class RandomExpressions {
 public:
  explicit RandomExpressions(uint64_t seed) : random_(seed) {}

  ir::Design design() {
    design_.name = "expressions";
    design_.processes.emplace_back().name = "run";
    for (int64_t i = random_.between(1, 4); i > 0; --i) read_input();
    for (int64_t i = random_.between(4, 24); i > 0; --i) values_.push_back(pure());
    for (int64_t i = random_.between(1, 3); i > 0; --i) write(values_[values_.size() - i]);
    return std::move(design_);
  }

 private:
  ir::Process& process() { return design_.processes[0]; }
  uint32_t width(ValueId value) { return process().ops[value].width; }
  uint32_t draw(uint32_t low, uint32_t high) {
    return static_cast<uint32_t>(random_.between(low, high));
  }
  // The widths of C++ types and widths next to them, or any width.
  uint32_t any_width() {
    constexpr uint32_t kUsual[] = {1, 1, 1, 2, 7, 8, 9, 16, 31, 32, 33, 64, 65};
    return random_.chance(60) ? kUsual[draw(0, std::size(kUsual) - 1)] : draw(1, kWidest);
  }

  ir::ObjectId object(ir::ObjectKind kind, uint32_t width) {
    const std::string name = "o" + std::to_string(design_.objects.size());
    design_.objects.push_back(
        {kind, name, width, kind == ir::ObjectKind::kStream ? 1u : 0u, 0, 1, {}});
    return static_cast<ir::ObjectId>(design_.objects.size() - 1);
  }
  ir::Builder builder() { return ir::Builder(process(), &process().body); }
  ValueId one() { return builder().constant(1, 1); }
  void read_input() {
    Op op = ir::make_op(Opcode::kInputRead, any_width(), {one()});
    op.object = object(ir::ObjectKind::kInput, op.width);
    values_.push_back(builder().append(std::move(op)));
  }
  void write(ValueId value) {
    Op op = ir::make_op(Opcode::kStreamWrite, 0, {one(), value});
    op.object = object(ir::ObjectKind::kStream, width(value));
    builder().append(std::move(op));
  }

  ValueId constant(uint32_t width) {
    return builder().constant(random_.chance(25)
                                  ? llvm::APInt::getOneBitSet(width, draw(0, width - 1))
                                  : random_value(random_, width));
  }
  ValueId any() { return values_[draw(0, static_cast<uint32_t>(values_.size()) - 1)]; }
  // An existing value of this width, or one converted to it.
  ValueId of_width(uint32_t wanted) {
    if (random_.chance(20)) return constant(wanted);
    for (int tries = 0; tries < 3; ++tries) {
      const ValueId value = any();
      if (width(value) == wanted) return value;
    }
    const ValueId value = any();
    if (width(value) >= wanted)
      return builder().append(Opcode::kSlice, wanted, {value}, draw(0, width(value) - wanted));
    return builder().append(random_.chance(60) ? Opcode::kZext : Opcode::kSext, wanted, {value});
  }

  ValueId pure() {
    const auto opcode = static_cast<Opcode>(draw(1, static_cast<uint32_t>(Opcode::kLate)));
    Op op = ir::make_op(opcode, any_width(), {});
    operands_of(op);
    return builder().append(std::move(op));
  }
  void operands_of(Op& op) {
    switch (op.opcode) {
      case Opcode::kMul:
        op.is_signed = random_.chance(50);
        op.operands = {of_width(draw(1, op.width)), of_width(random_.chance(50) ? op.width : 1)};
        return;
      case Opcode::kShl:
      case Opcode::kLshr:
      case Opcode::kAshr:
        op.operands = {of_width(op.width), of_width(draw(1, 8))};
        return;
      case Opcode::kEq:
      case Opcode::kNe:
      case Opcode::kUlt:
      case Opcode::kUle:
      case Opcode::kSlt:
      case Opcode::kSle: {
        const uint32_t compared = op.width;
        op.width = 1;
        op.operands = {of_width(compared), of_width(compared)};
        return;
      }
      case Opcode::kSelect:
        op.operands = {of_width(1), of_width(op.width), of_width(op.width)};
        return;
      default:
        return operands_of_parts(op);
    }
  }
  void operands_of_parts(Op& op) {
    switch (op.opcode) {
      case Opcode::kZext:
      case Opcode::kSext:
        op.operands = {of_width(draw(1, op.width))};
        return;
      case Opcode::kSlice:
        op.operands = {of_width(draw(op.width, kWidest))};
        op.offset = draw(0, width(op.operands[0]) - op.width);
        return;
      case Opcode::kLane:
        op.width = std::min(op.width, kWidest / 2);
        op.operands = {of_width(op.width * draw(1, kWidest / op.width)), of_width(draw(1, 9))};
        return;
      case Opcode::kConcat:
        op.width = 0;
        for (uint32_t i = draw(1, 4); i > 0; --i) {
          op.operands.push_back(of_width(draw(1, kWidest / 4)));
          op.width += width(op.operands.back());
        }
        return;
      case Opcode::kReverse:
      case Opcode::kStage:
      case Opcode::kLate:
        op.operands = {of_width(op.width)};
        return;
      default: {
        const uint32_t count = op.opcode == Opcode::kSum ? draw(1, 5) : 2;
        for (uint32_t i = 0; i < count; ++i) op.operands.push_back(of_width(op.width));
        return;
      }
    }
  }

  Random random_;
  ir::Design design_;
  std::vector<ValueId> values_;
};

}  // namespace

ir::Design random_expressions(uint64_t seed) { return RandomExpressions(seed).design(); }

}  // namespace vta::hlsc
