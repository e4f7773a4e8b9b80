// SPDX-License-Identifier: Apache-2.0
//
// Store-to-load forwarding within a process.
//
// Registers: a read takes the value that is known to be in the register. Writes are merged into
// one: in pipelined loops at the end of the body, elsewhere before the next operation that may wait
// (other processes see a process's registers while it waits). In pipelined loops, a register that
// another process reads is written before any operation by which that process may learn of the
// write.
// RAMs, in pipelined loops: a read after a write takes the written value where predicate, index and
// lane say so; therefore it may come before or after the iteration's earlier writes. A RAM that
// other processes use (shared_memory.h) is read again after an operation that takes something.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/literals.h"
#include "hw/hlsc/passes/passes.h"
#include "hw/hlsc/passes/shared_memory.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

struct Write {
  ValueId predicate, value;
  ValueId op;  // the merged write takes its location and name
};

// The state of a register at one place of the program.
struct Register {
  ValueId known = kNoValue;
  std::vector<Write> pending;  // not yet written back, in program order
};

class Forwarder {
 public:
  Forwarder(const ir::Design& design, ir::Process& process)
      : process_(process), builder_(process), shared_(used_by_others(design, process)) {}

  void run() {
    replacement_.resize(process_.ops.size());
    for (size_t i = 0; i < replacement_.size(); ++i) replacement_[i] = static_cast<ValueId>(i);
    collect_written(process_.body, owned_);
    process_.body = rebuilt(std::move(process_.body), false);
  }

 private:
  ValueId resolve(ValueId value) const {
    return value < replacement_.size() ? replacement_[value] : value;
  }
  uint32_t width(ValueId value) const { return process_.ops[value].width; }
  ValueId constant(uint32_t width, uint64_t value) { return builder_.constant(width, value); }
  ValueId emit(Opcode opcode, uint32_t width, std::vector<ValueId> operands, uint32_t offset = 0) {
    return builder_.append(opcode, width, std::move(operands), offset);
  }

  Sequence rebuilt(Sequence items, bool pipelined) {
    Sequence out;
    Sequence* const outer = builder_.set_sequence(&out);
    for (ir::Item& item : items) {
      if (const ValueId* value = ir::as_op(item)) {
        operation(*value, pipelined);
      } else {
        loop(std::move(std::get<std::unique_ptr<ir::Loop>>(item)));
      }
    }
    write_back();
    builder_.set_sequence(outer);
    return out;
  }

  void operation(ValueId value, bool pipelined) {
    for (ValueId& operand : process_.ops[value].operands) operand = resolve(operand);
    const Opcode opcode = process_.ops[value].opcode;
    if (opcode == Opcode::kRegisterRead) return read_register(value);
    if (opcode == Opcode::kRegisterWrite) return write_register(value);
    if (ir::may_wait(opcode)) pipelined ? synchronize(opcode) : write_back();
    if (pipelined && opcode == Opcode::kRamRead) return read_ram(value);
    builder_.place(value);
    if (pipelined && opcode == Opcode::kRamWrite)
      ram_writes_[process_.ops[value].object].push_back(value);
  }

  // Synchronizes a pipelined body with other processes at an operation that may wait. After one
  // that takes something, they may have written what the body reads.
  void synchronize(Opcode opcode) {
    if (!ir::takes(opcode)) {
      read_before_writing();
      return write_back(&shared_);
    }
    for (ObjectId object : shared_) {
      ram_reads_.erase(object);
      ram_writes_.erase(object);
    }
  }

  // Reads the registers that will be written back, so that their values stay known.
  void read_before_writing() {
    for (auto& [object, state] : registers_) {
      if (state.pending.empty() || state.known != kNoValue || !shared_.contains(object)) continue;
      Op read = process_.ops[state.pending[0].op];
      read.opcode = Opcode::kRegisterRead;
      read.width = width(state.pending[0].value);
      read.operands = {constant(1, 1)};
      state.known = builder_.append(std::move(read));
      for (const Write& write : state.pending) apply(state, write);
    }
  }

  void read_register(ValueId value) {
    const ObjectId object = process_.ops[value].object;
    // Another process may write it at any time.
    if (!owned_.contains(object)) return builder_.place(value);
    Register& state = registers_[object];
    if (state.known == kNoValue) {
      process_.ops[value].operands[0] = constant(1, 1);
      builder_.place(value);
      state.known = value;
      for (const Write& write : state.pending) apply(state, write);
    }
    replacement_[value] = state.known;
  }
  void apply(Register& state, const Write& write) {
    state.known =
        emit(Opcode::kSelect, width(write.value), {write.predicate, write.value, state.known});
  }
  void write_register(ValueId value) {
    const Op op = process_.ops[value];
    Register& state = registers_[op.object];
    const Write write{op.operands[0], op.operands[1], value};
    if (ir::is_constant(process_, write.predicate, 1)) {
      state.pending = {write};
      state.known = write.value;
      return;
    }
    state.pending.push_back(write);
    if (state.known != kNoValue) apply(state, write);
  }

  // Emits the pending writes, one for each register (in `only`, if given).
  void write_back(const std::set<ObjectId>* only = nullptr) {
    for (auto& [object, state] : registers_) {
      if (state.pending.empty() || (only != nullptr && !only->contains(object))) continue;
      ValueId predicate = state.pending[0].predicate, value = state.pending[0].value;
      for (size_t i = 1; i < state.pending.size(); ++i) {
        const Write& write = state.pending[i];
        predicate = emit(Opcode::kOr, 1, {predicate, write.predicate});
        value = emit(Opcode::kSelect, width(value), {write.predicate, write.value, value});
      }
      Op op = process_.ops[state.pending.back().op];
      op.operands = {predicate, value};
      builder_.append(std::move(op));
      state.pending.clear();
    }
  }

  // The word that a read gets after the writes of its iteration.
  void read_ram(ValueId value) {
    const Op op = process_.ops[value];
    ValueId word = same_read(op);
    if (word == kNoValue) {
      builder_.place(value);
      ram_reads_[op.object].push_back(value);
      word = value;
    }
    const Literals wanted = conjunction(process_, op.operands[0]);
    for (ValueId write : ram_writes_[op.object]) {
      if (!are_disjoint(process_, wanted, conjunction(process_, process_.ops[write].operands[0])))
        word = after_write(word, op.operands[1], write);
    }
    replacement_[value] = word;
  }

  // An earlier read of the same word whose predicate this one's implies.
  ValueId same_read(const Op& op) {
    const Literals wanted = conjunction(process_, op.operands[0]);
    for (ValueId read : ram_reads_[op.object]) {
      const Op& other = process_.ops[read];
      if (other.operands[1] == op.operands[1] &&
          includes(wanted, conjunction(process_, other.operands[0])))
        return read;
    }
    return kNoValue;
  }

  ValueId after_write(ValueId word, ValueId index, ValueId write_id) {
    const Op write = process_.ops[write_id];
    const ValueId hit =
        emit(Opcode::kAnd, 1, {write.operands[0], same_index(index, write.operands[1])});
    const ValueId value = write.operands[2];
    if (write.operands.size() == 3) return with_part(word, write.offset, value, hit);
    const uint32_t lanes = (width(word) - write.offset) / width(value);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const ValueId wanted = lane_number(write.operands[3], lane);
      if (wanted == kNoValue) break;
      const ValueId here =
          emit(Opcode::kAnd, 1, {hit, emit(Opcode::kEq, 1, {write.operands[3], wanted})});
      word = with_part(word, write.offset + lane * width(value), value, here);
    }
    return word;
  }
  ValueId lane_number(ValueId lane, uint32_t number) {
    const uint32_t bits = width(lane);
    return bits < 32 && number >> bits != 0 ? kNoValue : constant(bits, number);
  }

  ValueId same_index(ValueId a, ValueId b) {
    const uint32_t bits = std::max(width(a), width(b));
    a = builder_.zext(a, bits);
    b = builder_.zext(b, bits);
    return emit(Opcode::kEq, 1, {a, b});
  }

  // `word`, with `value` at bit `offset` if `hit`.
  ValueId with_part(ValueId word, uint32_t offset, ValueId value, ValueId hit) {
    const uint32_t end = offset + width(value), whole = width(word);
    const ValueId old = emit(Opcode::kSlice, width(value), {word}, offset);
    const ValueId part = emit(Opcode::kSelect, width(value), {hit, value, old});
    std::vector<ValueId> parts;
    if (offset != 0) parts.push_back(emit(Opcode::kSlice, offset, {word}, 0));
    parts.push_back(part);
    if (end != whole) parts.push_back(emit(Opcode::kSlice, whole - end, {word}, end));
    return parts.size() == 1 ? part : emit(Opcode::kConcat, whole, parts);
  }

  void loop(std::unique_ptr<ir::Loop> loop) {
    write_back();
    loop->predicate = resolve(loop->predicate);
    for (ir::LoopPhi& phi : loop->phis) phi.init = resolve(phi.init);
    forget_written(*loop);
    const std::map<ObjectId, Register> outside = registers_;
    const bool pipelined = loop->initiation_interval != 0;
    ram_writes_.clear();
    ram_reads_.clear();
    loop->head = rebuilt(std::move(loop->head), pipelined);
    loop->condition = resolve(loop->condition);
    // The head of a pipelined loop reads registers before earlier iterations have written them.
    if (pipelined) registers_ = outside;
    loop->body = rebuilt(std::move(loop->body), pipelined);
    for (ir::LoopPhi& phi : loop->phis) phi.next = resolve(phi.next);
    registers_ = outside;
    builder_.append(std::move(loop));
  }

  void forget_written(const ir::Loop& loop) {
    std::set<ObjectId> written;
    collect_written(loop.head, written);
    collect_written(loop.body, written);
    for (ObjectId object : written) registers_.erase(object);
  }
  void collect_written(const Sequence& items, std::set<ObjectId>& written) const {
    ir::for_each_op(items, [&](ValueId value) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRegisterWrite) written.insert(op.object);
    });
  }

  ir::Process& process_;
  ir::Builder builder_;
  std::vector<ValueId> replacement_;
  const std::set<ObjectId> shared_;  // RAMs and registers that other processes use
  std::set<ObjectId> owned_;         // registers that this process writes
  std::map<ObjectId, Register> registers_;
  std::map<ObjectId, std::vector<ValueId>> ram_writes_, ram_reads_;  // of this iteration
};

}  // namespace

void forward_stores(ir::Design& design, ir::Process& process) { Forwarder(design, process).run(); }

}  // namespace vta::hlsc::passes
