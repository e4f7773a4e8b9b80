// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/passes/meaning.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>

#include "hw/hlsc/ir/interpreter.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc {

using ir::Object;
using ir::ObjectKind;
using llvm::APInt;

namespace {

constexpr int kItems = 40;

std::string hex(const APInt& value) { return "0x" + llvm::toString(value, 16, false); }

bool has(const ir::Design& design, ir::ObjectId object, ir::Opcode opcode) {
  for (const ir::Process& process : design.processes) {
    for (const ir::Op& op : process.ops) {
      if (op.opcode == opcode && op.object == object) return true;
    }
  }
  return false;
}

void fill(ir::Interpreter& interpreter, const ir::Design& shown, Random& random) {
  for (size_t id = 0; id < shown.objects.size(); ++id) {
    const Object& object = shown.objects[id];
    if (object.kind == ObjectKind::kInput)
      interpreter.set_input(object.name, random_value(random, object.width));
    if (object.kind == ObjectKind::kRam) {
      for (uint32_t i = 0; i < object.depth; ++i)
        interpreter.write_ram(object.name, i, random_value(random, object.width));
    }
    const auto object_id = static_cast<ir::ObjectId>(id);
    if (object.kind == ObjectKind::kStream && !has(shown, object_id, ir::Opcode::kStreamWrite)) {
      for (int i = 0; i < kItems; ++i)
        interpreter.offer(object.name, random_value(random, std::max(object.width, 1u)));
    }
  }
}

std::string contents(ir::Interpreter& interpreter, const Object& object) {
  std::string text;
  if (object.kind == ObjectKind::kStream) {
    for (const APInt& item : interpreter.take(object.name)) text += " " + hex(item);
  } else if (object.kind == ObjectKind::kRegister) {
    text += " " + hex(interpreter.read_register(object.name));
  } else if (object.kind == ObjectKind::kRam) {
    for (uint32_t i = 0; i < object.depth; ++i)
      text += " " + hex(interpreter.read_ram(object.name, i));
  }
  return text;
}

}  // namespace

ir::Design design_of(const std::string& text) {
  ir::Design design = ir::parse(text, "test");
  ir::verify(design);
  return design;
}

APInt random_value(Random& random, uint32_t width) {
  std::vector<uint64_t> words((width + 63) / 64);
  for (uint64_t& word : words) word = random.next();
  const APInt any(width, llvm::ArrayRef<uint64_t>(words));
  const auto few = static_cast<uint32_t>(random.between(0, std::min(width, 5u)));
  switch (random.between(0, 3)) {
    case 0:
      return any & APInt::getLowBitsSet(width, few);
    case 1:
      return any | APInt::getHighBitsSet(width, width - few);
    default:
      return any;
  }
}

std::string outcome(const ir::Design& design, const ir::Design& shown, uint64_t seed,
                    uint64_t noise, uint64_t max_ops) {
  Random random(seed);
  ir::Interpreter interpreter(design, noise);
  fill(interpreter, shown, random);
  if (!interpreter.run(max_ops)) return kRunsOn;
  std::string text;
  for (const Object& object : shown.objects)
    text += object.name + ":" + contents(interpreter, object) + "\n";
  return text;
}

uint64_t expect_same_meaning(const ir::Design& before, const ir::Design& after, uint64_t seeds) {
  uint64_t ended = 0;
  for (uint64_t seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed) {
    const std::string wanted = outcome(before, before, seed, seed, kMaxOps);
    if (wanted == kRunsOn) continue;
    ++ended;
    EXPECT_EQ(outcome(after, before, seed, ~seed, 10 * kMaxOps), wanted)
        << "seed " << seed << "\n"
        << ir::print(before) << ir::print(after);
  }
  return ended;
}

std::string expression(const ir::Design& design, const ir::Process& process, ir::ValueId value) {
  const ir::Op& op = process.ops[value];
  if (op.opcode == ir::Opcode::kConstant) return fmt::format("{}:{}", hex(op.constant), op.width);
  if (!ir::is_pure(op.opcode)) return design.objects[op.object].name;
  std::string text = fmt::format("{}:{}", ir::mnemonic(op.opcode), op.width);
  if (op.is_signed) text += " signed";
  if (op.opcode == ir::Opcode::kSlice) text += fmt::format("[{}]", op.offset);
  std::string operands;
  for (ir::ValueId operand : op.operands)
    operands += (operands.empty() ? "" : ", ") + expression(design, process, operand);
  return text + "(" + operands + ")";
}

std::vector<const ir::Loop*> loops_of(const ir::Process& process) {
  std::vector<const ir::Loop*> loops;
  ir::for_each_loop(process.body, [&](const ir::Loop& loop) { loops.push_back(&loop); });
  return loops;
}

size_t count(const ir::Process& process, const ir::Sequence& items, ir::Opcode opcode) {
  size_t found = 0;
  const auto note = [&](ir::ValueId value) {
    found += process.ops[value].opcode == opcode ? 1 : 0;
  };
  ir::for_each_item(items, note, [](const ir::Loop&) {});
  return found;
}

std::string phi_widths(const ir::Process& process) {
  std::string text;
  for (const ir::Loop* loop : loops_of(process)) {
    for (const ir::LoopPhi& phi : loop->phis) {
      text += (text.empty() ? "" : " ") + std::to_string(process.ops[phi.phi].width);
    }
  }
  return text;
}

}  // namespace vta::hlsc
