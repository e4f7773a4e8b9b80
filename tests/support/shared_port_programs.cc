// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr uint32_t kPrograms = 12;
constexpr uint32_t kInstructions = 48;  // of gemm and alu, at the same time
constexpr uint32_t kUops = 24;          // of each, and as many more for loads of micro-ops

// Split instructions of gemm and alu at the same time. ACC has four quarters: gemm writes the first
// and the third, alu the second and the fourth, so that they share the banks and no element.
class SharedPorts {
 public:
  SharedPorts(const CoreConfig& config, uint64_t seed) : config_(config), random_(seed) {
    VTA_ASSERT(quarter() >= 2 && config.uop_depth() >= 3 * kUops,
               "space for operands and micro-ops");
  }

  GeneratedProgram generate() {
    add_uops();
    fill_scratchpads();
    for (uint32_t i = 0; i < kInstructions; ++i)
      program_.push_back(random_.chance(50) ? random_gemm() : random_alu());
    store_results();
    program_.emplace_back();  // FINISH
    return program_after_data(std::move(arena_), program_, config_);
  }

 private:
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_.between(0, end - 1)); }

  uint32_t quarter() const { return config_.acc_depth() / 4; }
  // The first element of a quarter of gemm, or of alu.
  uint32_t random_quarter(bool of_alu) { return (2 * below(2) + (of_alu ? 1 : 0)) * quarter(); }
  uint32_t random_element(bool of_alu) { return random_quarter(of_alu) + below(quarter()); }

  // Runs of one destination, as in convolutions, and destinations that change with every micro-op.
  void add_uops() {
    for (const bool of_alu : {false, true}) {
      uint32_t dst = random_element(of_alu);
      for (uint32_t i = 0; i < kUops; ++i) {
        if (random_.chance(60)) dst = random_element(of_alu);
        const uint32_t src = of_alu ? random_element(true) : below(config_.inp_depth());
        append(isa::encode(isa::Uop{dst, src, of_alu ? 0 : below(config_.wgt_depth())}, config_));
      }
    }
    for (uint32_t i = 0; i < kUops; ++i) append(0);
  }

  void append(uint32_t word) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&word);
    arena_.insert(arena_.end(), bytes, bytes + sizeof word);
  }

  // Random data from the next multiple of the element's size on; returns it in elements.
  uint32_t add_data(uint64_t elem_bytes, uint32_t elements) {
    align(elem_bytes);
    const uint64_t begin = arena_.size() / elem_bytes;
    for (uint64_t i = 0; i < elements * elem_bytes; ++i)
      arena_.push_back(static_cast<uint8_t>(random_.between(0, 255)));
    return static_cast<uint32_t>(begin);
  }
  void align(uint64_t bytes) { arena_.resize((arena_.size() + bytes - 1) / bytes * bytes); }

  isa::Instruction load(uint32_t memory, uint32_t elements, uint32_t dram_base) const {
    isa::Instruction in;
    in.opcode = isa::kLoad;
    in.memory = memory;
    in.split = memory == isa::kUop || memory == isa::kAcc;
    in.dram_base = dram_base;
    in.y_size = 1;
    in.x_size = in.x_stride = elements;
    return in;
  }

  // gemm waits for load, alu for the micro-ops, gemm for the accumulators.
  void fill_scratchpads() {
    acc_data_ = add_data(config_.acc_elem_bytes(), config_.acc_depth());
    isa::Instruction inp = load(isa::kInp, config_.inp_depth(),
                                add_data(config_.inp_elem_bytes(), config_.inp_depth()));
    isa::Instruction wgt = load(isa::kWgt, config_.wgt_depth(),
                                add_data(config_.wgt_elem_bytes(), config_.wgt_depth()));
    isa::Instruction uop = load(isa::kUop, 3 * kUops, 0);
    isa::Instruction acc = load(isa::kAcc, config_.acc_depth(), acc_data_);
    isa::Instruction wait = load(isa::kUop, 0, 0);
    wgt.push_next = uop.pop_prev = 1;
    uop.push_next = acc.pop_prev = 1;
    acc.push_prev = wait.pop_next = 1;
    program_ = {inp, wgt, uop, acc, wait};
  }

  void set_loop(isa::Instruction& in, uint32_t first_uop) {
    in.split = true;
    in.uop_bgn = first_uop + below(kUops - 1);
    in.uop_end = in.uop_bgn + 1 + below(first_uop + kUops - in.uop_bgn);
    in.iter_out = 1 + below(3);
    in.iter_in = 1 + below(4);
  }

  isa::Instruction random_gemm() {
    if (random_.chance(20)) {  // micro-ops that nothing reads meanwhile
      isa::Instruction in = load(isa::kUop, 1 + below(kUops - 1), 2 * kUops);
      in.sram_base = 2 * kUops;
      return in;
    }
    isa::Instruction in;
    in.opcode = isa::kGemm;
    in.reset = random_.chance(20) ? 1 : 0;
    set_loop(in, 0);
    return in;
  }

  isa::Instruction random_alu() {
    if (random_.chance(25)) {
      isa::Instruction in = load(isa::kAcc, 1 + below(quarter() / 2), acc_data_);
      in.sram_base = random_quarter(true) + below(quarter() / 2);
      in.x_pad_0 = random_.chance(30) ? 1 : 0;  // still within the quarter
      return in;
    }
    constexpr uint32_t kOpcodes[] = {isa::kAdd, isa::kMax, isa::kMin};
    isa::Instruction in;
    in.opcode = isa::kAlu;
    in.alu_opcode = kOpcodes[below(3)];
    in.use_imm = random_.chance(50) ? 1 : 0;
    in.imm = static_cast<int32_t>(random_.between(-100, 100));
    set_loop(in, kUops);
    return in;
  }

  // All 32 bits of the accumulators: OUT gets the low bytes of what the ALU writes, and a shift by
  // 8 bits is between two stores.
  void store_results() {
    isa::Instruction gemm = load(isa::kUop, 0, 0), alu = load(isa::kAcc, 0, 0);
    gemm.push_next = alu.pop_prev = 1;
    program_.insert(program_.end(), {gemm, alu});
    align(config_.acc_elem_bytes());
    uint64_t at = arena_.size() / config_.out_elem_bytes();
    for (uint32_t byte = 0; byte < 4; ++byte) {
      isa::Instruction shift;  // by micro-op 0 of the zeros after the others
      shift.opcode = isa::kAlu;
      shift.split = true;
      shift.alu_opcode = isa::kShr;
      shift.use_imm = 1;
      shift.imm = byte == 0 ? 0 : 8;
      shift.uop_bgn = 2 * kUops;
      shift.uop_end = shift.uop_bgn + 1;
      shift.iter_out = 1;
      shift.iter_in = config_.acc_depth();
      shift.dst_factor_in = shift.src_factor_in = 1;
      shift.pop_next = byte == 0 ? 0 : 1;
      isa::Instruction store = load(isa::kOut, config_.acc_depth(), static_cast<uint32_t>(at));
      store.opcode = isa::kStore;
      shift.push_next = store.pop_prev = 1;
      store.push_prev = byte == 3 ? 0 : 1;
      program_.insert(program_.end(), {shift, store});
      at += config_.acc_depth();
    }
    arena_.resize(at * config_.out_elem_bytes());
  }

  const CoreConfig& config_;
  Random random_;
  std::vector<uint8_t> arena_;
  std::vector<isa::Instruction> program_;
  uint32_t acc_data_ = 0;
};

}  // namespace

std::vector<GeneratedProgram> shared_port_programs(const CoreConfig& config) {
  std::vector<GeneratedProgram> programs;
  for (uint64_t seed = 0; seed < kPrograms; ++seed)
    programs.push_back(SharedPorts(config, seed).generate());
  return programs;
}

}  // namespace vta::support
