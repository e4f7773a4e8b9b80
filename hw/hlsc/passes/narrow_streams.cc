// SPDX-License-Identifier: Apache-2.0
//
// Removes bits from the items of streams between processes: those that the reader does not use, and
// those that are the same in every item. Streams from or to the outside stay as they are. The
// processes must be simplified; simplify them again.
#include <map>
#include <optional>
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/known_bits.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;
using llvm::APInt;

namespace {

// The uses and the constant bits of all items of a stream.
struct Items {
  APInt used;                         // by the reader
  std::optional<KnownBits> constant;  // nullopt: no item is ever written
  bool read = false;
};
using AllItems = std::map<ObjectId, Items>;

class ItemScanner {
 public:
  ItemScanner(const ir::Process& process, AllItems& items) : process_(process), items_(items) {}

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
      if (op.opcode == Opcode::kStreamWrite && items_.contains(op.object)) add_write(op);
    }
    ir::for_each_loop(process_.body, [&](const ir::Loop& loop) {
      ir::for_each_loop_use(loop, [&](ValueId value) { use_all(value); });
    });
  }

 private:
  void use(ValueId value, uint32_t offset, uint32_t width) {
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kStreamRead && items_.contains(op.object))
      items_.at(op.object).used.setBits(offset, offset + width);
  }
  void use_all(ValueId value) { use(value, 0, process_.ops[value].width); }

  void add_write(const Op& op) {
    const KnownBits bits = known_bits(process_, op.operands[1]);
    std::optional<KnownBits>& so_far = items_.at(op.object).constant;
    so_far = so_far ? common(*so_far, bits) : bits;
  }

  const ir::Process& process_;
  AllItems& items_;
};

// Adjacent bits of an item that are all carried, or all constant.
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
      if (ir::Loop* loop = ir::as_loop(item)) {
        sequence(loop->head);
        sequence(loop->body);
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
  // New operations have the location of the operation `like`.
  ir::Builder builder(ValueId like, Sequence& out) {
    ir::Builder result(process_, &out);
    result.set_origin(process_.ops[like].location, "");
    return result;
  }

  void write(ValueId value, const std::vector<Run>& runs, Sequence& out) {
    const ValueId wide = process_.ops[value].operands[1];
    ir::Builder slices = builder(wide, out);
    Op item = ir::make_op(Opcode::kConcat, 0, {});
    for (const Run& run : runs) {
      if (!run.carried) continue;
      item.operands.push_back(slices.append(Opcode::kSlice, run.width, {wide}, run.offset));
      item.width += run.width;
    }
    const ValueId narrow = builder(value, out).append(std::move(item));
    process_.ops[value].operands[1] = narrow;
  }

  // The wide value keeps its ValueId, and with it its uses.
  void read(ValueId value, const std::vector<Run>& runs, Sequence& out) {
    ir::Builder build = builder(value, out);
    Op item = process_.ops[value];
    item.width = 0;
    for (const Run& run : runs) item.width += run.carried ? run.width : 0;
    const ValueId narrow = build.append(std::move(item));
    std::vector<ValueId> parts;
    uint32_t at = 0;
    for (const Run& run : runs) {
      parts.push_back(run.carried ? build.append(Opcode::kSlice, run.width, {narrow}, at)
                                  : build.constant(run.value));
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

// The runs of the streams that become narrower.
std::map<ObjectId, std::vector<Run>> runs_to_carry(ir::Design& design, const AllItems& items) {
  std::map<ObjectId, std::vector<Run>> runs;
  for (const auto& [id, item] : items) {
    if (!item.read || !item.constant) continue;
    APInt carried = item.used & ~item.constant->mask;
    if (carried.isZero()) carried.setBit(0);  // a stream without bits would be one of tokens
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
  for (const ir::Process& process : design.processes) ItemScanner(process, items).run();
  const std::map<ObjectId, std::vector<Run>> runs = runs_to_carry(design, items);
  if (runs.empty()) return;
  for (ir::Process& process : design.processes) Narrower(process, runs).sequence(process.body);
}

}  // namespace vta::hlsc::passes
