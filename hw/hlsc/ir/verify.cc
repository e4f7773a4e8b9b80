// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/verify.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/errors/error.h"
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::ir {
namespace {

std::string place_of(const Location& location) {
  return location.line == 0 ? "" : fmt::format("{}:{}: ", location.file, location.line);
}

[[noreturn]] void refuse(const std::string& process, const Location& location,
                         const std::string& what) {
  fail(ErrorCode::kInvalidArgument, "{}process {}: {}", place_of(location), process, what);
}

// How an operation uses its object, if only one process may do so; else null. The requests and the
// beats of a port may belong to different processes.
const char* exclusive_use(Opcode opcode) {
  switch (opcode) {
    case Opcode::kStreamRead:
      return "reads the stream";
    case Opcode::kStreamWrite:
      return "writes the stream";
    case Opcode::kRegisterWrite:
      return "writes the register";
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return "makes requests of the port";
    case Opcode::kReadBeat:
      return "reads from the port";
    case Opcode::kWriteBeat:
      return "writes to the port";
    case Opcode::kWriteWait:
      return "waits for responses of the port";
    case Opcode::kRamRead:
    case Opcode::kRamWrite:
    case Opcode::kRegisterRead:
    case Opcode::kInputRead:
    case Opcode::kHalt:
    VTA_HLSC_CASES_OF_PURE:
      return nullptr;
  }
  return nullptr;
}

// Checks one process, and collects its exclusive uses of objects.
class ProcessVerifier {
 public:
  ProcessVerifier(const Design& design, const Process& process)
      : design_(design),
        process_(process),
        visible_(process.ops.size(), false),
        placed_(process.ops.size(), false) {}

  void run() {
    for (size_t i = 0; i < process_.ops.size(); ++i) {
      if (process_.ops[i].opcode == Opcode::kConstant) constant(static_cast<ValueId>(i));
    }
    sequence(process_.body);
  }

  // Exclusive uses: one operation for each opcode and object.
  std::map<std::pair<Opcode, ObjectId>, const Op*> uses;

 private:
  [[noreturn]] void refuse_op(ValueId value, const std::string& what) const {
    const Op& op = process_.ops[value];
    refuse(process_.name, op.location,
           fmt::format("operation {} '{}' {}: {}", value, mnemonic(op.opcode), op.name, what));
  }
  void constant(ValueId value) {
    const Op& op = process_.ops[value];
    if (op.width == 0 || op.constant.getBitWidth() != op.width) {
      refuse_op(value, fmt::format("its constant has {} bits, expected {}",
                                   op.constant.getBitWidth(), op.width));
    }
    visible_[value] = true;
  }

  void exists(ValueId value) const {
    if (value >= process_.ops.size())
      refuse(process_.name, process_.location, "a value is not an operation");
  }

  void place(ValueId value) {
    exists(value);
    if (placed_[value]) refuse_op(value, "it appears twice");
    placed_[value] = true;
    visible_[value] = true;
  }

  void sequence(const Sequence& sequence) {
    for_each_item(
        sequence, [&](ValueId value) { operation(value); },
        [&](const Loop& inner) { loop(inner); });
  }

  void loop(const Loop& loop) {
    if (pipelined_)
      refuse(process_.name, loop.location,
             fmt::format("loop {} inside a pipelined loop", loop.name));
    condition(loop, loop.predicate, "predicate");
    for (const LoopPhi& phi : loop.phis) phi_entry(loop, phi);
    for (const LoopPhi& phi : loop.phis) place(phi.phi);
    pipelined_ = loop.initiation_interval != 0;
    sequence(loop.head);
    condition(loop, loop.condition, "condition");
    const std::vector<bool> exported = visible_;
    sequence(loop.body);
    for (const LoopPhi& phi : loop.phis)
      value_of(loop, phi.next, process_.ops[phi.phi].width, "next value");
    pipelined_ = false;
    visible_ = exported;
  }

  // Checked before any phi of the loop is visible: no phi starts as another one.
  void phi_entry(const Loop& loop, const LoopPhi& phi) {
    exists(phi.phi);
    const Op& op = process_.ops[phi.phi];
    if (op.opcode != Opcode::kPhi || op.width == 0) refuse_op(phi.phi, "it is not a phi");
    value_of(loop, phi.init, op.width, "initial value");
  }
  void condition(const Loop& loop, ValueId value, const char* what) {
    value_of(loop, value, 1, what);
  }
  void value_of(const Loop& loop, ValueId value, uint32_t width, const char* what) {
    if (value >= process_.ops.size() || !visible_[value]) {
      refuse(process_.name, loop.location,
             fmt::format("loop {}: its {} is not defined there", loop.name, what));
    }
    if (process_.ops[value].width != width) {
      refuse(process_.name, loop.location,
             fmt::format("loop {}: its {} has {} bits, expected {}", loop.name, what,
                         process_.ops[value].width, width));
    }
  }

  void operation(ValueId value) {
    place(value);
    visible_[value] = false;
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kConstant || op.opcode == Opcode::kPhi)
      refuse_op(value, "it is in a sequence");
    for (ValueId operand : op.operands) {
      if (operand >= process_.ops.size() || !visible_[operand])
        refuse_op(value, fmt::format("operand {} is not defined there", operand));
      if (process_.ops[operand].width == 0) refuse_op(value, "an operand has no value");
    }
    if (is_pure(op.opcode)) {
      pure(value);
    } else {
      effect(value);
      if (exclusive_use(op.opcode) != nullptr) uses.try_emplace({op.opcode, op.object}, &op);
    }
    visible_[value] = true;
  }

  uint32_t width(const Op& op, size_t i) const { return process_.ops[op.operands[i]].width; }
  void expect_operands(ValueId value, int count) const {
    const size_t have = process_.ops[value].operands.size();
    if (have != static_cast<size_t>(count)) {
      refuse_op(value, fmt::format("{} operands, expected {}", have, count));
    }
  }
  void expect_operands_of_opcode(ValueId value) const {
    const int count = num_operands(process_.ops[value].opcode);
    if (count >= 0) expect_operands(value, count);
  }
  void expect_width(ValueId value, uint32_t have, uint32_t wanted, const char* what) const {
    if (have != wanted)
      refuse_op(value, fmt::format("{} has {} bits, expected {}", what, have, wanted));
  }
  void same_widths(ValueId value, size_t first, uint32_t wanted) const {
    const Op& op = process_.ops[value];
    for (size_t i = first; i < op.operands.size(); ++i)
      expect_width(value, width(op, i), wanted, "an operand");
  }

  void pure(ValueId value) const {
    const Op& op = process_.ops[value];
    if (op.width == 0) refuse_op(value, "it has no width");
    if (op.operands.empty()) refuse_op(value, "it has no operands");
    expect_operands_of_opcode(value);
    switch (info(op.opcode).widths) {
      case Widths::kSame:
        return same_widths(value, 0, op.width);
      case Widths::kCompare:
        expect_width(value, op.width, 1, "the result");
        return same_widths(value, 0, width(op, 0));
      case Widths::kSelect:
        expect_width(value, width(op, 0), 1, "the condition");
        return same_widths(value, 1, op.width);
      case Widths::kShift:
        return expect_width(value, width(op, 0), op.width, "the shifted operand");
      case Widths::kExtend:
        return no_wider_than_result(value);
      case Widths::kSlice:
        return bits_within(value, op.width, width(op, 0));
      case Widths::kLane:
        if (width(op, 0) % op.width != 0)
          refuse_op(value, "the operand's width is not a multiple of the lane's");
        return;
      case Widths::kConcat:
        return adds_up(value);
      case Widths::kNoRule:
        break;
    }
    VTA_ASSERT(false, "a pure operation without a rule for its widths");
  }

  void no_wider_than_result(ValueId value) const {
    const Op& op = process_.ops[value];
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (width(op, i) > op.width) refuse_op(value, "an operand is wider than the result");
    }
  }
  void bits_within(ValueId value, uint32_t bits, uint32_t limit) const {
    const uint64_t end = uint64_t{process_.ops[value].offset} + bits;
    if (end > limit) refuse_op(value, fmt::format("bits up to {} of {}", end, limit));
  }
  void adds_up(ValueId value) const {
    const Op& op = process_.ops[value];
    uint64_t total = 0;
    for (size_t i = 0; i < op.operands.size(); ++i) total += width(op, i);
    if (total != op.width) refuse_op(value, fmt::format("{} bits of operands", total));
  }

  void expect_result(ValueId value, uint32_t wanted) const {
    expect_width(value, process_.ops[value].width, wanted, "the result");
  }
  void expect_second(ValueId value, uint32_t wanted) const {
    expect_width(value, width(process_.ops[value], 1), wanted, "the value");
  }

  void effect(ValueId value) {
    const Op& op = process_.ops[value];
    if (op.operands.empty()) refuse_op(value, "it has no predicate");
    expect_width(value, width(op, 0), 1, "the predicate");
    expect_operands_of_opcode(value);
    const std::optional<ObjectKind> kind = info(op.opcode).object;
    if (!kind) return expect_result(value, 0);
    if (op.object >= design_.objects.size()) refuse_op(value, "it has no object");
    const Object& object = design_.objects[op.object];
    if (object.kind != *kind) refuse_op(value, "its object is of another kind");
    access(value, object);
  }

  void access(ValueId value, const Object& object) const {
    switch (process_.ops[value].opcode) {
      case Opcode::kRamRead:
      case Opcode::kRegisterRead:
      case Opcode::kInputRead:
      case Opcode::kStreamRead:
        return expect_result(value, object.width);
      case Opcode::kRamWrite:
        return ram_write(value, object);
      case Opcode::kRegisterWrite:
        expect_result(value, 0);
        return expect_second(value, object.width);
      case Opcode::kStreamWrite:
        expect_result(value, 0);
        expect_operands(value, object.width == 0 ? 1 : 2);
        if (object.width != 0) expect_second(value, object.width);
        return;
      case Opcode::kReadRequest:
      case Opcode::kWriteRequest:
        expect_result(value, 0);
        return same_widths(value, 1, kRequestOperandBits);
      case Opcode::kReadBeat:
        return expect_result(value, kBeatBits);
      case Opcode::kWriteBeat:
        expect_result(value, 0);
        return expect_second(value, kBeatBits);
      case Opcode::kWriteWait:
        return expect_result(value, 0);
      case Opcode::kHalt:
      VTA_HLSC_CASES_OF_PURE:
        break;
    }
    VTA_ASSERT(false, "access() of an operation without an object");
  }

  void ram_write(ValueId value, const Object& ram) const {
    const Op& op = process_.ops[value];
    expect_result(value, 0);
    if (op.operands.size() < 3 || op.operands.size() > 4)
      refuse_op(value, fmt::format("{} operands, expected 3 or 4", op.operands.size()));
    const uint32_t bits = width(op, 2);
    bits_within(value, bits, ram.width);
    if (op.offset % ram.lane_width != 0 || bits % ram.lane_width != 0) {
      refuse_op(value, fmt::format("{} bits at {} are not whole lanes of {} bits", bits, op.offset,
                                   ram.lane_width));
    }
  }

  const Design& design_;
  const Process& process_;
  std::vector<bool> visible_, placed_;
  bool pipelined_ = false;
};

template <class Bad>
void initial_rules(const Object& object, const Bad& bad) {
  const size_t words = object.kind == ObjectKind::kRam        ? object.depth
                       : object.kind == ObjectKind::kRegister ? 1
                                                              : 0;
  if (!object.initial.empty() && object.initial.size() != words)
    bad(fmt::format("{} initial words, expected {}", object.initial.size(), words));
  for (const llvm::APInt& word : object.initial) {
    if (word.getBitWidth() != object.width)
      bad(fmt::format("an initial word of {} bits, expected {}", word.getBitWidth(), object.width));
  }
}

void object_rules(const Object& object) {
  const auto bad = [&](const std::string& what) {
    fail(ErrorCode::kInvalidArgument, "{}object {}: {}", place_of(object.location), object.name,
         what);
  };
  const bool stored = object.kind != ObjectKind::kRegister && object.kind != ObjectKind::kInput;
  if (object.width == 0 && object.kind != ObjectKind::kStream) bad("width 0");
  if (stored && object.depth == 0) bad("depth 0");
  initial_rules(object, bad);
  if (object.kind != ObjectKind::kRam) return;
  if (object.lane_width == 0 || object.width % object.lane_width != 0) {
    bad(fmt::format("lanes of {} bits do not divide {}", object.lane_width, object.width));
  }
  // The bank is the top bits of the index.
  const auto power_of_two = [](uint32_t n) { return n != 0 && (n & (n - 1)) == 0; };
  if (!power_of_two(object.banks))
    bad(fmt::format("{} banks: the number must be a power of two", object.banks));
  if (object.banks == 1) return;
  const uint32_t words = object.depth / object.banks;
  if (object.depth % object.banks != 0 || words < 2 || !power_of_two(words)) {
    bad(fmt::format("{} words in {} banks: the words of each must be a power of two, at least 2",
                    object.depth, object.banks));
  }
}

// By exclusive use, the process that has it.
using Users = std::map<std::pair<Opcode, ObjectId>, std::string>;
void add_users(const Design& design, const Process& process, const ProcessVerifier& verified,
               Users& users) {
  for (const auto& [use, op] : verified.uses) {
    const auto [user, fresh] = users.emplace(use, process.name);
    if (fresh) continue;
    refuse(process.name, op->location,
           fmt::format("{} {}, as process {} does", exclusive_use(use.first),
                       design.objects[use.second].name, user->second));
  }
}

// Both ends of the stream would be one signal of the process's module.
void two_ends(const Design& design, const Process& process, const ProcessVerifier& verified) {
  for (const auto& [use, op] : verified.uses) {
    const Object& object = design.objects[use.second];
    if (use.first == Opcode::kStreamRead && object.width != 0 &&
        verified.uses.contains({Opcode::kStreamWrite, use.second})) {
      refuse(process.name, op->location,
             fmt::format("reads the stream {}, and writes it as well: a stream is between two "
                         "processes; use HLS_RAM",
                         object.name));
    }
  }
}

}  // namespace

void verify(const Design& design) {
  std::set<std::string> names;
  for (const Object& object : design.objects) {
    object_rules(object);
    if (!names.insert(object.name).second) {
      fail(ErrorCode::kInvalidArgument, "{}object {}: the name is taken", place_of(object.location),
           object.name);
    }
  }
  Users users;
  for (const Process& process : design.processes) {
    if (!names.insert(process.name).second) {
      refuse(process.name, process.location, "the name is taken by another process or object");
    }
    ProcessVerifier verifier(design, process);
    verifier.run();
    two_ends(design, process, verifier);
    add_users(design, process, verifier, users);
  }
}

}  // namespace vta::hlsc::ir
