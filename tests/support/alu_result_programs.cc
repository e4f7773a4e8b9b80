// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/numbers/random.h"
#include "tests/support/golden_instruction.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr uint32_t kElements = 4;  // of each operand
constexpr uint32_t kByteShifts[] = {0, 8, 16, 24};
constexpr int32_t kMaxDistance = 34;  // of a shift; 31 is the largest with an effect

// Writes one case after the other: accumulators are loaded, changed by one ALU instruction, and
// each of their four bytes is stored, at the end of the arena.
class AluResults {
 public:
  explicit AluResults(const CoreConfig& config) : config_(config), random_(config.acc_depth()) {
    arena_.resize(2 * kElements * config.acc_elem_bytes());
    // Micro-op 0 of one operand, 1 of two.
    const uint32_t bits = isa::encode(isa::Uop{0, kElements, 0}, config);
    std::memcpy(arena_.data() + 4, &bits, 4);
    isa::Instruction uops = load(isa::kUop, 2);
    uops.dram_base = 0;
    program_.push_back(uops);
  }

  void add_case(uint32_t opcode, bool use_imm, int32_t imm) {
    const bool small = opcode == isa::kShr && !use_imm;
    const uint32_t accumulators = add_data(small);
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.alu_opcode = opcode;
    alu.use_imm = use_imm;
    alu.imm = imm;
    alu.uop_bgn = use_imm ? 0 : 1;
    alu.uop_end = alu.uop_bgn + 1;
    alu.iter_out = 1;
    alu.iter_in = kElements;
    alu.dst_factor_in = alu.src_factor_in = 1;
    for (const uint32_t shift : kByteShifts) {
      isa::Instruction in = load(isa::kAcc, 2 * kElements);
      in.dram_base = accumulators;
      append(in);
      append(alu);
      isa::Instruction shifted = alu;
      shifted.alu_opcode = isa::kShr;
      shifted.use_imm = 1;
      shifted.imm = static_cast<int32_t>(shift);
      shifted.uop_bgn = 0;
      shifted.uop_end = 1;
      append(shifted);
      add_store();
    }
  }

  GeneratedProgram finish() {
    isa::Instruction end;
    end.pop_next = 1;
    append(end);
    return program_after_data(std::move(arena_), program_, config_);
  }

 private:
  isa::Instruction load(uint32_t memory, uint32_t elements) const {
    isa::Instruction in;
    in.opcode = isa::kLoad;
    in.memory = memory;
    in.y_size = 1;
    in.x_size = in.x_stride = elements;
    return in;
  }

  void append(isa::Instruction in) {
    in.pop_next = std::exchange(is_storing_, false);
    program_.push_back(in);
  }

  // The next compute instruction waits for the store.
  void add_store() {
    isa::Instruction in = load(isa::kOut, kElements);
    in.opcode = isa::kStore;
    program_.back().push_next = in.pop_prev = in.push_prev = 1;
    align(config_.out_elem_bytes());
    in.dram_base = static_cast<uint32_t>(arena_.size() / config_.out_elem_bytes());
    arena_.resize(arena_.size() + kElements * config_.out_elem_bytes());
    program_.push_back(in);
    is_storing_ = true;
  }

  // Random accumulators; returns where they are, as an element of ACC. `small`: the second operand
  // is a distance of shifts.
  uint32_t add_data(bool small) {
    align(config_.acc_elem_bytes());
    const uint64_t begin = arena_.size(), words = config_.acc_elem_bytes() / 4;
    for (uint64_t i = 0; i < 2 * kElements * words; ++i) {
      const bool distance = small && i >= kElements * words;
      const auto value =
          static_cast<int32_t>(distance ? random_.between(-kMaxDistance, kMaxDistance)
                                        : random_.between(INT32_MIN, INT32_MAX));
      const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
      arena_.insert(arena_.end(), bytes, bytes + sizeof value);
    }
    return static_cast<uint32_t>(begin / config_.acc_elem_bytes());
  }

  void align(uint64_t bytes) { arena_.resize((arena_.size() + bytes - 1) / bytes * bytes); }

  const CoreConfig& config_;
  Random random_;
  std::vector<uint8_t> arena_;
  std::vector<isa::Instruction> program_;
  bool is_storing_ = false;
};

}  // namespace

std::vector<GeneratedProgram> alu_result_programs(const CoreConfig& config) {
  constexpr int32_t kImmediates[] = {0, 1, -1, 127, -128, 32767, -32768};
  AluResults shifts(config), others(config);
  for (int32_t distance = -kMaxDistance; distance <= kMaxDistance; ++distance)
    shifts.add_case(isa::kShr, true, distance);
  for (const uint32_t opcode : alu_opcodes(true, config.extension)) {
    if (opcode == isa::kReq) continue;  // its immediate is a control word
    others.add_case(opcode, false, 0);
    for (const int32_t imm : kImmediates) others.add_case(opcode, true, imm);
  }
  // Shifts without a limit, with and without rounding.
  for (int32_t control = 0; config.extension && control < 64; ++control)
    others.add_case(isa::kReq, false, static_cast<int16_t>(0xffc0 | control));
  return {shifts.finish(), others.finish()};
}

}  // namespace vta::support
