// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/race_checker.h"

#include <algorithm>

#include "hw/hls/fiber.h"
#include "runtime/base/error.h"

namespace vta::sim {

std::unique_ptr<RaceChecker> RaceChecker::create(std::span<const isa::InstructionBits> stream,
                                                 const CoreConfig& config,
                                                 const TokenOrder::CheckTime& check_time) {
  size_t count = 0;
  bool any_split = false, ends = false;
  for (; count < stream.size() && !ends; ++count) {
    if (count % TokenOrder::kCheckInterval == 0) check_time();
    const isa::Instruction instruction = isa::decode(stream[count], config);
    any_split |= instruction.split;
    ends = instruction.opcode == isa::kFinish;
  }
  if (!any_split) return nullptr;
  if (count > kMaxInstructions) {
    fail(ErrorCode::kUnsupported,
         "a program of {} instructions, some of them split: the limit for race checking is {}",
         count, kMaxInstructions);
  }
  return std::unique_ptr<RaceChecker>(new RaceChecker(stream.first(count), config, check_time));
}

RaceChecker::RaceChecker(std::span<const isa::InstructionBits> program, const CoreConfig& config,
                         const TokenOrder::CheckTime& check_time)
    : config_(config),
      program_(program),
      order_(program, config, check_time),
      acc_(config.acc_depth()),
      uop_(config.uop_depth()) {}

std::string RaceChecker::text_of(uint32_t index) const {
  return isa::disassemble(isa::decode(program_[index], config_));
}

void RaceChecker::touch(std::vector<Accesses>& memory, const char* name, uint32_t element,
                        uint32_t index, bool writes) {
  const size_t self = order_.stage_of(index) == isa::Stage::kGemm ? 0 : 1, other = 1 - self;
  Accesses& accesses = memory[element];
  uint32_t conflict = accesses.written[other];
  if (conflict == 0 || order_.is_ordered(conflict - 1, index))
    conflict = writes ? accesses.read[other] : 0;
  if (conflict != 0 && race_.empty() && !order_.is_ordered(conflict - 1, index)) {
    race_ = fmt::format(
        "race: instructions {} ({}) and {} ({}) access element {} of {} without a token between "
        "them",
        conflict - 1, text_of(conflict - 1), index, text_of(index), element, name);
  }
  (writes ? accesses.written : accesses.read)[self] = index + 1;
}

void RaceChecker::compute_starts(const core::Command& command, const uint32_t* uop_memory) {
  const isa::InstructionBits& bits = program_[command.index];
  // The carriers of fetch have the index of the instruction that they serve; the token flags of the
  // stages belong to fetch.
  constexpr uint64_t kTokenFlags = 0x78;
  const bool is_carrier = ((command.lo ^ bits.lo) & ~kTokenFlags) != 0 || command.hi != bits.hi;
  if (is_carrier || !race_.empty()) return;
  const isa::Instruction instruction = isa::decode(bits, config_);
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
  if (load.sram_base + elems > memory.size()) return;  // a fault, without effect
  for (uint64_t i = 0; i < elems; ++i)
    touch(memory, uop ? "UOP" : "ACC", load.sram_base + i, index, true);
}

void RaceChecker::touch_nest(const isa::Instruction& nest, uint32_t index,
                             const uint32_t* uop_memory) {
  if (nest.uop_bgn > nest.uop_end || nest.uop_end > config_.uop_depth()) return;
  if (nest.iter_out == 0 || nest.iter_in == 0) return;
  const bool reads_source = nest.opcode == isa::kAlu && nest.use_imm == 0;
  // Micro-ops repeat destinations and sources (a reduction has many with one destination), so each
  // offset is checked once.
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
        hls::heartbeat();  // checks the deadline in long loop nests
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
