// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/interpreter.h"

#include <llvm/ADT/ArrayRef.h>

#include <deque>
#include <optional>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "hw/hlsc/ir/evaluate.h"
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::ir {
namespace {

using llvm::APInt;

// A step of a process as linear code: an operation, or a jump of a loop.
struct Step {
  enum Kind : uint8_t { kOp, kEnter, kTest, kRepeat, kEnd } kind = kOp;
  ValueId value = kNoValue;    // kOp
  const Loop* loop = nullptr;  // the others
  uint32_t target = 0;         // kEnter, kTest: after the loop; kRepeat: its head
};

void flatten(const Sequence& sequence, std::vector<Step>& code) {
  const auto on_op = [&](ValueId value) { code.push_back({Step::kOp, value}); };
  for_each_item(sequence, on_op, [&](const Loop& loop) {
    const size_t enter = code.size();
    code.push_back({Step::kEnter, kNoValue, &loop});
    flatten(loop.head, code);
    const size_t test = code.size();
    code.push_back({Step::kTest, kNoValue, &loop});
    flatten(loop.body, code);
    code.push_back({Step::kRepeat, kNoValue, &loop, static_cast<uint32_t>(enter + 1)});
    code[enter].target = code[test].target = static_cast<uint32_t>(code.size());
  });
}

struct Burst {
  uint32_t address, beats;
};

struct State {
  std::vector<APInt> words;  // RAM; register and input: one
  std::deque<APInt> items;   // stream; a token is a word of one bit
  std::deque<Burst> bursts;  // ports
  bool bounded = true;       // streams that leave the top are not
};

struct Running {
  const Process* process;
  std::vector<Step> code;
  std::vector<APInt> values;
  uint32_t at = 0;
};

}  // namespace

struct Interpreter::Machine {
  Machine(const Design& of, uint64_t seed) : design(of), random(seed) {
    for (const Object& object : of.objects) states.push_back(fresh(object));
    std::vector<bool> read(of.objects.size(), false);
    for (const Process& process : of.processes) {
      running.push_back(start(process));
      for (const Op& op : process.ops) {
        if (op.opcode == Opcode::kStreamRead) read[op.object] = true;
      }
    }
    for (size_t i = 0; i < states.size(); ++i) states[i].bounded = read[i];
  }

  static State fresh(const Object& object) {
    State state;
    if (object.kind == ObjectKind::kRam) state.words.assign(object.depth, APInt(object.width, 0));
    if (object.kind == ObjectKind::kRegister || object.kind == ObjectKind::kInput) {
      state.words.assign(1, APInt(object.width, 0));
    }
    if (!object.initial.empty()) state.words = object.initial;
    return state;
  }

  Running start(const Process& process) const {
    Running result{&process};
    flatten(process.body, result.code);
    result.code.push_back({Step::kEnd});
    for (const Op& op : process.ops) {
      result.values.push_back(op.opcode == Opcode::kConstant ? op.constant
                                                             : APInt(std::max(op.width, 1u), 0));
    }
    return result;
  }

  // One step; false if the process waits (or has ended).
  bool step(Running& run) {
    const Step& step = run.code[run.at];
    switch (step.kind) {
      case Step::kEnd:
        return false;
      case Step::kOp:
        if (!execute(run, step.value)) return false;
        ++run.at;
        return true;
      case Step::kEnter:
        enter(run, *step.loop, step.target);
        return true;
      case Step::kTest:
        run.at = run.values[step.loop->condition].isOne() ? run.at + 1 : step.target;
        return true;
      case Step::kRepeat:
        assign_phis(run, *step.loop, [](const LoopPhi& phi) { return phi.next; });
        run.at = step.target;
        return true;
    }
    return false;
  }

  void enter(Running& run, const Loop& loop, uint32_t after) {
    if (!run.values[loop.predicate].isOne()) {
      for (const LoopPhi& phi : loop.phis)
        run.values[phi.phi] = noise(run.process->ops[phi.phi].width);
      run.at = after;
      return;
    }
    assign_phis(run, loop, [](const LoopPhi& phi) { return phi.init; });
    ++run.at;
  }

  // All at once, because a next value may be another phi.
  template <class Source>
  void assign_phis(Running& run, const Loop& loop, Source source) {
    std::vector<APInt> values;
    for (const LoopPhi& phi : loop.phis) values.push_back(run.values[source(phi)]);
    for (size_t i = 0; i < values.size(); ++i) run.values[loop.phis[i].phi] = values[i];
  }

  APInt noise(uint32_t width) {
    std::vector<uint64_t> words((width + 63) / 64);
    for (uint64_t& word : words) word = random.next();
    return APInt(width, llvm::ArrayRef<uint64_t>(words));
  }

  bool execute(Running& run, ValueId value) {
    const Op& op = run.process->ops[value];
    if (is_pure(op.opcode)) {
      operands.clear();
      for (ValueId operand : op.operands) operands.push_back(run.values[operand]);
      run.values[value] = evaluate(op, operands);
      return true;
    }
    if (!run.values[op.operands[0]].isOne()) {
      if (op.width != 0) run.values[value] = noise(op.width);
      return true;
    }
    return effect(run, value, op);
  }

  bool effect(Running& run, ValueId value, const Op& op) {
    if (op.opcode == Opcode::kHalt) return false;  // it has no object
    State& state = states[op.object];
    const Object& object = design.objects[op.object];
    switch (op.opcode) {
      case Opcode::kRamRead:
        run.values[value] = word(run, op, state);
        return true;
      case Opcode::kRamWrite:
        write_ram(run, op, state, object);
        return true;
      case Opcode::kRegisterRead:
      case Opcode::kInputRead:
        run.values[value] = state.words[0];
        return true;
      case Opcode::kRegisterWrite:
        state.words[0] = run.values[op.operands[1]];
        return true;
      case Opcode::kStreamRead:
        if (state.items.empty()) return false;
        if (op.width != 0) run.values[value] = state.items.front();
        state.items.pop_front();
        return true;
      case Opcode::kStreamWrite:
        if (state.bounded && state.items.size() >= object.depth) return false;
        state.items.push_back(object.width == 0 ? APInt(1, 1) : run.values[op.operands[1]]);
        return true;
      case Opcode::kReadRequest:
        return state.bursts.size() < object.depth && request(run, op, state);
      case Opcode::kWriteRequest:
        return request(run, op, state);
      case Opcode::kReadBeat:
        return read_beat(run, value, state);
      case Opcode::kWriteBeat:
        return write_beat(run, op, state);
      case Opcode::kWriteWait:
        return true;  // writes are in memory at once
      case Opcode::kHalt:
        return false;
      VTA_HLSC_CASES_OF_PURE:
        break;
    }
    VTA_ASSERT(false, "effect() of a pure operation");
    return false;
  }

  void write_ram(const Running& run, const Op& op, State& state, const Object& object) const {
    APInt& target = word(run, op, state);
    const APInt& part = run.values[op.operands[2]];
    uint64_t offset = op.offset;
    if (op.operands.size() == 4) {
      offset += run.values[op.operands[3]].getLimitedValue(object.width) * part.getBitWidth();
    }
    if (offset + part.getBitWidth() > object.width) {
      outside(run, op, offset + part.getBitWidth(), object.width);
    }
    target.insertBits(part, static_cast<unsigned>(offset));
  }

  APInt& word(const Running& run, const Op& op, State& state) const {
    const uint64_t index = run.values[op.operands[1]].getLimitedValue();
    if (index >= state.words.size()) outside(run, op, index, state.words.size());
    return state.words[index];
  }

  [[noreturn]] void outside(const Running& run, const Op& op, uint64_t value,
                            uint64_t limit) const {
    fail(ErrorCode::kInvalidArgument, "{}:{}: process {}: {} {}: {} is out of range, limit {}",
         op.location.file, op.location.line, run.process->name, mnemonic(op.opcode),
         design.objects[op.object].name, value, limit);
  }

  // The rules of hw/hls/burst.h.
  static bool is_burst(uint64_t address, uint64_t beats) {
    constexpr uint64_t kMaxBeats = 16, kBoundaryBytes = 4096;
    return beats != 0 && beats <= kMaxBeats && address % 8 == 0 &&
           address % kBoundaryBytes + beats * 8 <= kBoundaryBytes;
  }
  [[noreturn]] void refuse_burst(const Running& run, const Op& op, uint64_t address,
                                 uint64_t beats) const {
    fail(ErrorCode::kInvalidArgument,
         "{}:{}: process {}: {} {}: invalid burst of {} beats from byte {}: expected 1 to 16 "
         "aligned beats within 4 KiB",
         op.location.file, op.location.line, run.process->name, mnemonic(op.opcode),
         design.objects[op.object].name, beats, address);
  }

  bool request(const Running& run, const Op& op, State& state) const {
    const uint64_t address = run.values[op.operands[1]].getZExtValue();
    const uint64_t beats = run.values[op.operands[2]].getZExtValue();
    if (address + beats * 8 > dram.size()) outside(run, op, address + beats * 8, dram.size());
    if (!is_burst(address, beats)) refuse_burst(run, op, address, beats);
    state.bursts.push_back({static_cast<uint32_t>(address), static_cast<uint32_t>(beats)});
    return true;
  }

  bool read_beat(Running& run, ValueId value, State& state) const {
    const std::optional<uint32_t> address = next_beat(state);
    if (!address) return false;
    uint64_t beat = 0;
    for (uint32_t i = 0; i < 8; ++i) beat |= uint64_t{dram[*address + i]} << (8 * i);
    run.values[value] = APInt(64, beat);
    return true;
  }

  bool write_beat(const Running& run, const Op& op, State& state) {
    const std::optional<uint32_t> address = next_beat(state);
    if (!address) return false;
    const uint64_t beat = run.values[op.operands[1]].getZExtValue();
    for (uint32_t i = 0; i < 8; ++i) dram[*address + i] = static_cast<uint8_t>(beat >> (8 * i));
    return true;
  }

  // A burst is in flight until its last beat.
  static std::optional<uint32_t> next_beat(State& state) {
    while (!state.bursts.empty() && state.bursts.front().beats == 0) state.bursts.pop_front();
    if (state.bursts.empty()) return std::nullopt;
    Burst& burst = state.bursts.front();
    const uint32_t address = burst.address;
    burst.address += 8;
    if (--burst.beats == 0) state.bursts.pop_front();
    return address;
  }

  ObjectId find(const std::string& name, ObjectKind kind) const {
    for (size_t i = 0; i < design.objects.size(); ++i) {
      if (design.objects[i].name == name && design.objects[i].kind == kind) {
        return static_cast<ObjectId>(i);
      }
    }
    fail(ErrorCode::kNotFound, "design {} has no object {} of this kind", design.name, name);
  }

  const Design& design;
  Random random;
  std::vector<State> states;
  std::vector<Running> running;
  std::vector<uint8_t> dram;
  std::vector<APInt> operands;
};

Interpreter::Interpreter(const Design& design, uint64_t seed)
    : machine_(std::make_unique<Machine>(design, seed)) {}
Interpreter::~Interpreter() = default;

void Interpreter::offer(const std::string& stream, const APInt& item) {
  machine_->states[machine_->find(stream, ObjectKind::kStream)].items.push_back(item);
}

std::vector<APInt> Interpreter::take(const std::string& stream) {
  std::deque<APInt>& items = machine_->states[machine_->find(stream, ObjectKind::kStream)].items;
  std::vector<APInt> all(items.begin(), items.end());
  items.clear();
  return all;
}

void Interpreter::set_input(const std::string& input, const APInt& value) {
  machine_->states[machine_->find(input, ObjectKind::kInput)].words[0] = value;
}

std::vector<uint8_t>& Interpreter::dram() { return machine_->dram; }

APInt Interpreter::read_register(const std::string& name) const {
  return machine_->states[machine_->find(name, ObjectKind::kRegister)].words[0];
}

APInt Interpreter::read_ram(const std::string& name, uint32_t index) const {
  return machine_->states[machine_->find(name, ObjectKind::kRam)].words.at(index);
}

void Interpreter::write_ram(const std::string& name, uint32_t index, const APInt& word) {
  machine_->states[machine_->find(name, ObjectKind::kRam)].words.at(index) = word;
}

// Turns of random length interleave the processes in many ways.
bool Interpreter::run(uint64_t max_ops) {
  constexpr int64_t kLongestTurn = 64;
  std::vector<Running>& running = machine_->running;
  size_t waiting = 0;
  for (size_t turn = 0; waiting < running.size();) {
    const int64_t length = machine_->random.between(1, kLongestTurn);
    Running& run = running[turn];
    turn = (turn + 1) % running.size();
    bool moved = false, stopped = false;
    for (int64_t i = 0; i < length && !stopped; ++i) {
      if (max_ops == 0) return false;
      stopped = !machine_->step(run);
      if (!stopped) --max_ops;
      moved |= !stopped;
    }
    waiting = moved ? 0 : waiting + 1;
  }
  return true;
}

}  // namespace vta::hlsc::ir
