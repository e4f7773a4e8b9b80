// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/race_checker.h"

#include <algorithm>
#include <deque>

#include "hw/hls/fiber.h"
#include "runtime/base/error.h"

namespace vta::sim {
namespace {

constexpr size_t kLoad = static_cast<size_t>(isa::Stage::kLoad);
constexpr size_t kGemm = static_cast<size_t>(isa::Stage::kGemm);
constexpr size_t kAlu = static_cast<size_t>(isa::Stage::kAlu);
constexpr size_t kStore = static_cast<size_t>(isa::Stage::kStore);
constexpr size_t kNone = 4;

bool is_compute(isa::Stage stage) {
  return stage == isa::Stage::kGemm || stage == isa::Stage::kAlu;
}

// The stages that an instruction's prev and next flags mean.
struct Neighbours {
  size_t prev, next;
};
Neighbours neighbours_of(const isa::Instruction& instruction, isa::Stage stage) {
  if (stage == isa::Stage::kLoad) return {kNone, kGemm};
  if (stage == isa::Stage::kStore) return {kAlu, kNone};
  if (!instruction.split) return {kLoad, kStore};  // VTA's compute stage
  return stage == isa::Stage::kGemm ? Neighbours{kLoad, kAlu} : Neighbours{kGemm, kStore};
}

}  // namespace

std::unique_ptr<RaceChecker> RaceChecker::create(std::span<const isa::InstructionBits> stream,
                                                 const CoreConfig& config) {
  const bool any_split = std::any_of(
      stream.begin(), stream.end(),
      [&](const isa::InstructionBits& bits) { return isa::decode(bits, config).split; });
  if (!any_split) return nullptr;
  return std::unique_ptr<RaceChecker>(new RaceChecker(stream, config));
}

RaceChecker::RaceChecker(std::span<const isa::InstructionBits> stream, const CoreConfig& config)
    : config_(config), acc_(config.acc_depth()), uop_(config.uop_depth()) {
  std::array<uint32_t, kStages> count{};
  for (const isa::InstructionBits& bits : stream) {
    const isa::Instruction instruction = isa::decode(bits, config);
    const isa::Stage stage = isa::stage_of(instruction);
    entries_.push_back({bits, instruction, stage, ++count[static_cast<size_t>(stage)], {}});
  }
  compute_clocks();
}

// Runs queues and tokens alone, in any order that they allow; what a deadlock keeps from starting
// gets no clock and never asks for one.
void RaceChecker::compute_clocks() {
  std::array<std::array<std::deque<Clock>, kStages>, kStages> tokens;  // [from][to]
  std::array<Clock, kStages> clocks{};
  const auto join = [](Clock& into, const Clock& from) {
    for (size_t s = 0; s < kStages; ++s) into[s] = std::max(into[s], from[s]);
  };
  const auto run = [&](Entry& entry) {
    const isa::Instruction& instruction = entry.instruction;
    const size_t stage = static_cast<size_t>(entry.stage);
    // VTA's compute instructions wait for tokens of load with gemm's clock, of store with alu's;
    // both are joined.
    const bool plain = is_compute(entry.stage) && !instruction.split;
    const auto [prev, next] = neighbours_of(instruction, entry.stage);
    const size_t prev_self = plain ? kGemm : stage, next_self = plain ? kAlu : stage;
    std::deque<Clock>* pops[2] = {nullptr, nullptr};
    if (instruction.pop_prev && prev != kNone) pops[0] = &tokens[prev][prev_self];
    if (instruction.pop_next && next != kNone) pops[1] = &tokens[next][next_self];
    for (auto* queue : pops) {
      if (queue != nullptr && queue->empty()) return false;
    }
    Clock clock = clocks[stage];
    if (plain) join(clock, clocks[stage == kGemm ? kAlu : kGemm]);
    for (auto* queue : pops) {
      if (queue == nullptr) continue;
      join(clock, queue->front());
      queue->pop_front();
    }
    entry.known = clock;
    clock[stage] = entry.sequence;
    clocks[stage] = clock;
    if (plain) clocks[kGemm] = clocks[kAlu] = clock;
    if (instruction.push_prev && prev != kNone) tokens[prev_self][prev].push_back(clock);
    if (instruction.push_next && next != kNone) tokens[next_self][next].push_back(clock);
    return true;
  };

  // Per stage the instructions in order; a plain compute instruction also waits for all compute
  // before it, and compute after it waits for it.
  std::array<std::vector<uint32_t>, kStages> queues;
  std::vector<uint32_t> compute_rank(entries_.size()), last_plain_rank(entries_.size());
  uint32_t compute_count = 0, last_plain = 0;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    queues[static_cast<size_t>(entries_[i].stage)].push_back(i);
    if (!is_compute(entries_[i].stage)) continue;
    last_plain_rank[i] = entries_[i].instruction.split ? last_plain : compute_count;
    compute_rank[i] = ++compute_count;
    if (!entries_[i].instruction.split) last_plain = compute_count;
  }
  std::array<size_t, kStages> position{};
  uint32_t compute_done = 0, plain_done = 0;  // how many; rank of the last plain one
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t stage = 0; stage < kStages; ++stage) {
      while (position[stage] < queues[stage].size()) {
        const uint32_t i = queues[stage][position[stage]];
        Entry& entry = entries_[i];
        if (is_compute(entry.stage)) {
          const bool may_start = entry.instruction.split ? plain_done >= last_plain_rank[i]
                                                         : compute_done >= last_plain_rank[i];
          if (!may_start) break;
        }
        if (!run(entry)) break;
        if (is_compute(entry.stage)) {
          ++compute_done;
          if (!entry.instruction.split) plain_done = compute_rank[i];
        }
        ++position[stage];
        moved = true;
      }
    }
  }
}

bool RaceChecker::ordered(uint32_t earlier_index, const Entry& later) const {
  const Entry& earlier = entries_[earlier_index];
  return later.known[static_cast<size_t>(earlier.stage)] >= earlier.sequence;
}

void RaceChecker::touch(std::vector<Accesses>& memory, const char* name, uint32_t element,
                        uint32_t index, bool writes) {
  const Entry& entry = entries_[index];
  const size_t self = entry.stage == isa::Stage::kGemm ? 0 : 1, other = 1 - self;
  Accesses& accesses = memory[element];
  uint32_t conflict = accesses.written[other];
  if (conflict == 0 || ordered(conflict - 1, entry)) conflict = writes ? accesses.read[other] : 0;
  if (conflict != 0 && race_.empty() && !ordered(conflict - 1, entry)) {
    race_ = fmt::format(
        "race: instructions {} ({}) and {} ({}) touch element {} of {} and no token orders them",
        conflict - 1, isa::disassemble(entries_[conflict - 1].instruction), index,
        isa::disassemble(entry.instruction), element, name);
  }
  (writes ? accesses.written : accesses.read)[self] = index + 1;
}

void RaceChecker::compute_starts(const core::Command& command, const uint32_t* uop_memory) {
  const Entry& entry = entries_[command.index];
  const isa::Instruction& instruction = entry.instruction;
  // Fetch's own carriers bear the index of the instruction that they serve; the stages' token flags
  // are fetch's.
  constexpr uint64_t kTokenFlags = 0x78;
  const bool is_carrier =
      ((command.lo ^ entry.bits.lo) & ~kTokenFlags) != 0 || command.hi != entry.bits.hi;
  if (is_carrier || !race_.empty()) return;
  if (instruction.opcode == isa::kLoad) {
    touch_load(instruction, command.index);
  } else if (instruction.opcode == isa::kGemm || instruction.opcode == isa::kAlu) {
    touch_nest(instruction, command.index, uop_memory);
  }
}

void RaceChecker::touch_load(const isa::Instruction& load, uint32_t index) {
  if (load.x_size == 0 || load.y_size == 0) return;
  const bool uop = load.memory == isa::kUop;
  std::vector<Accesses>& memory = uop ? uop_ : acc_;
  const uint64_t elems = uint64_t{load.y_pad_0 + load.y_size + load.y_pad_1} *
                         (load.x_pad_0 + load.x_size + load.x_pad_1);
  if (load.sram_base + elems > memory.size()) return;  // a fault, with no effect
  for (uint64_t i = 0; i < elems; ++i)
    touch(memory, uop ? "UOP" : "ACC", load.sram_base + i, index, true);
}

void RaceChecker::touch_nest(const isa::Instruction& nest, uint32_t index,
                             const uint32_t* uop_memory) {
  if (nest.uop_bgn > nest.uop_end || nest.uop_end > config_.uop_depth()) return;
  if (nest.iter_out == 0 || nest.iter_in == 0) return;
  const bool reads_source = nest.opcode == isa::kAlu && nest.use_imm == 0;
  // Destinations and sources repeat in the micro-ops (a reduction has many on one), so each is
  // taken once.
  std::vector<uint32_t>& offsets = offsets_;
  for (const bool source : {false, true}) {
    if (source && !reads_source) break;
    offsets.clear();
    for (uint32_t u = nest.uop_bgn; u < nest.uop_end; ++u) {
      if (!source) touch(uop_, "UOP", u, index, false);
      const isa::Uop uop = isa::decode_uop(uop_memory[u], config_);
      const uint32_t offset = source ? uop.src : uop.dst;
      if (offsets.empty() || offsets.back() != offset) offsets.push_back(offset);
    }
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    for (uint32_t i = 0; i < nest.iter_out; ++i) {
      for (uint32_t j = 0; j < nest.iter_in; ++j) {
        const uint32_t base = source ? i * nest.src_factor_out + j * nest.src_factor_in
                                     : i * nest.dst_factor_out + j * nest.dst_factor_in;
        hls::heartbeat();  // for long nests the run's time counts here too
        for (const uint32_t offset : offsets) {
          if (base + offset >= config_.acc_depth()) return;  // a fault
          touch(acc_, "ACC", base + offset, index, !source);
        }
      }
    }
  }
}

void RaceChecker::throw_if_found() const {
  if (!race_.empty()) throw Error(ErrorCode::kDevice, race_);
}

}  // namespace vta::sim
