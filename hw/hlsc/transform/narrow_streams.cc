// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/narrow_streams.h"

#include <map>
#include <optional>
#include <utility>

#include "hw/hlsc/transform/constant_bits.h"

namespace vta::hlsc::transform {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;
using llvm::APInt;

namespace {

// What is known of a stream's items.
struct Items {
  APInt used;                            // bits that are looked at
  std::optional<ConstantBits> constant;  // nothing: no item is ever written
  bool read = false;
};
using AllItems = std::map<ObjectId, Items>;

class Looker {
 public:
  Looker(const ir::Process& process, AllItems& items) : process_(process), items_(items) {}

  void run() {
    for (const Op& op : process_.ops) {
      const bool slices = op.opcode == Opcode::kSlice;
      for (ValueId operand : op.operands) {
        if (slices)
          use(operand, op.offset, op.width);
        else
          use_all(operand);
      }
      if (op.opcode == Opcode::kStreamRead && items_.contains(op.object))
        items_.at(op.object).read = true;
      if (op.opcode == Opcode::kStreamWrite && items_.contains(op.object)) note_write(op);
    }
    use_in(process_.body);
  }

 private:
  void use(ValueId value, uint32_t offset, uint32_t width) {
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kStreamRead && items_.contains(op.object))
      items_.at(op.object).used.setBits(offset, offset + width);
  }
  void use_all(ValueId value) { use(value, 0, process_.ops[value].width); }

  void use_in(const Sequence& sequence) {
    for (const ir::Item& item : sequence) {
      if (std::holds_alternative<ValueId>(item)) continue;
      const ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
      use_all(loop.predicate);
      use_all(loop.condition);
      for (const ir::LoopPhi& phi : loop.phis) use_all(phi.init), use_all(phi.next);
      use_in(loop.head);
      use_in(loop.body);
    }
  }

  void note_write(const Op& op) {
    const ConstantBits bits = constant_bits(process_, op.operands[1]);
    std::optional<ConstantBits>& so_far = items_.at(op.object).constant;
    so_far = so_far ? common(*so_far, bits) : bits;
  }

  const ir::Process& process_;
  AllItems& items_;
};

// Bits of a word in order: runs that are carried, and runs that are constant.
struct Run {
  bool carried;
  uint32_t offset, width;
  APInt value;  // if constant
};

std::vector<Run> runs_of(const APInt& carried, const APInt& value) {
  std::vector<Run> runs;
  for (uint32_t at = 0; at < carried.getBitWidth();) {
    uint32_t end = at + 1;
    while (end < carried.getBitWidth() && carried[end] == carried[at]) ++end;
    runs.push_back({carried[at], at, end - at, value.extractBits(end - at, at)});
    at = end;
  }
  return runs;
}

class Narrower {
 public:
  Narrower(ir::Process& process, const std::map<ObjectId, std::vector<Run>>& runs)
      : process_(process), runs_(runs) {}

  void sequence(Sequence& items) {
    Sequence out;
    for (ir::Item& item : items) {
      if (auto* loop = std::get_if<std::unique_ptr<ir::Loop>>(&item)) {
        sequence((*loop)->head);
        sequence((*loop)->body);
        out.push_back(std::move(item));
        continue;
      }
      const ValueId value = std::get<ValueId>(item);
      const auto runs = runs_.find(process_.ops[value].object);
      const Opcode opcode = process_.ops[value].opcode;
      if (runs != runs_.end() && opcode == Opcode::kStreamWrite) write(value, runs->second, out);
      if (runs != runs_.end() && opcode == Opcode::kStreamRead) {
        read(value, runs->second, out);
      } else {
        out.emplace_back(value);
      }
    }
    items = std::move(out);
  }

 private:
  ValueId emit(Op op, ValueId like, Sequence& out) {
    op.location = process_.ops[like].location;
    const ValueId made = ir::add_op(process_, std::move(op));
    out.emplace_back(made);
    return made;
  }
  ValueId slice(ValueId value, uint32_t offset, uint32_t width, Sequence& out) {
    Op op;
    op.opcode = Opcode::kSlice;
    op.width = width;
    op.offset = offset;
    op.operands = {value};
    return emit(std::move(op), value, out);
  }
  ValueId constant(const APInt& value) {
    Op op;
    op.opcode = Opcode::kConstant;
    op.width = value.getBitWidth();
    op.constant = value;
    return ir::add_op(process_, std::move(op));
  }

  void write(ValueId value, const std::vector<Run>& runs, Sequence& out) {
    Op item;
    item.opcode = Opcode::kConcat;
    for (const Run& run : runs) {
      if (!run.carried) continue;
      item.operands.push_back(slice(process_.ops[value].operands[1], run.offset, run.width, out));
      item.width += run.width;
    }
    process_.ops[value].operands[1] = emit(std::move(item), value, out);
  }

  // The wide value keeps its number, and so its uses.
  void read(ValueId value, const std::vector<Run>& runs, Sequence& out) {
    Op item = process_.ops[value];
    item.width = 0;
    for (const Run& run : runs) item.width += run.carried ? run.width : 0;
    const ValueId narrow = emit(std::move(item), value, out);
    std::vector<ValueId> parts;
    uint32_t at = 0;
    for (const Run& run : runs) {
      parts.push_back(run.carried ? slice(narrow, at, run.width, out) : constant(run.value));
      at += run.carried ? run.width : 0;
    }
    Op& wide = process_.ops[value];
    wide.opcode = Opcode::kConcat;
    wide.object = ir::kNoObject;
    wide.operands = std::move(parts);
    out.emplace_back(value);
  }

  ir::Process& process_;
  const std::map<ObjectId, std::vector<Run>>& runs_;
};

// Of streams that are worth it.
std::map<ObjectId, std::vector<Run>> runs_to_carry(ir::Design& design, const AllItems& items) {
  std::map<ObjectId, std::vector<Run>> runs;
  for (const auto& [id, item] : items) {
    if (!item.read || !item.constant) continue;
    APInt carried = item.used & ~item.constant->mask;
    if (carried.isZero()) carried.setBit(0);  // a stream of no bits is one of tokens
    if (carried.isAllOnes()) continue;
    runs[id] = runs_of(carried, item.constant->value);
    design.objects[id].width = carried.popcount();
  }
  return runs;
}

}  // namespace

void narrow_streams(ir::Design& design) {
  AllItems items;
  for (ObjectId id = 0; id < design.objects.size(); ++id) {
    const ir::Object& object = design.objects[id];
    if (object.kind == ir::ObjectKind::kStream && object.width != 0)
      items[id] = {APInt(object.width, 0), std::nullopt, false};
  }
  for (const ir::Process& process : design.processes) Looker(process, items).run();
  const std::map<ObjectId, std::vector<Run>> runs = runs_to_carry(design, items);
  if (runs.empty()) return;
  for (ir::Process& process : design.processes) Narrower(process, runs).sequence(process.body);
}

}  // namespace vta::hlsc::transform
