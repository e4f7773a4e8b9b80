// SPDX-License-Identifier: Apache-2.0
//
// FastCore against core::Core: random GEMM and ALU instructions in the patterns of compilers leave
// the same bytes, counters and faults. The random programs of core_vs_golden_test have short loops
// in small windows; here loops are long, rows are of one weight, and factors are often 0.
//
//   VTA_TEST_COUNT   programs of each core (default 150)
//   VTA_TEST_SEED    the first seed; without VTA_TEST_COUNT the only one
#include <gtest/gtest.h>

#include <cstring>

#include "base/numbers/random.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "sim/functional/native_core.h"
#include "tests/support/test_count.h"

namespace vta::sim {
namespace {

constexpr uint64_t kDefaultCount = 150;
constexpr uint64_t kUopOffsetBytes = 4096;  // after the instructions
constexpr uint32_t kMaxUops = 40;

// An arena with micro-ops, data, and space for OUT, twice.
class Program {
 public:
  Program(const CoreConfig& core, uint64_t seed) : core_(core), random_(seed) {
    out_bytes_ = uint64_t{core.acc_depth()} * core.out_elem_bytes();
    const uint64_t data_bytes = std::max<uint64_t>(
        {core.inp_buffer_bytes, core.wgt_buffer_bytes, core.acc_buffer_bytes, 65536});
    data_offset_bytes_ = 65536;
    out_offset_bytes_ = data_offset_bytes_ + data_bytes;
    arena.resize(out_offset_bytes_ + 2 * out_bytes_);
    fill();
    load(isa::kInp, core.inp_depth(), core.inp_elem_bytes());
    load(isa::kWgt, core.wgt_depth(), core.wgt_elem_bytes()).push_next = 1;
    load(isa::kAcc, core.acc_depth(), core.acc_elem_bytes()).pop_prev = 1;
    const uint32_t uops = std::min(kMaxUops, core.uop_depth());
    load_of(isa::kUop, uops, kUopOffsetBytes / core.uop_elem_bytes());
    for (int i = 0; i < 3; ++i) compute(uops);
    store(0);
    isa::Instruction shift;  // the second byte of each lane, with the carries of the first
    shift.opcode = isa::kAlu;
    shift.alu_opcode = isa::kShr;
    shift.use_imm = 1;
    shift.imm = static_cast<int32_t>(8 * random_.between(1, 3));
    shift.iter_out = 1, shift.iter_in = core.acc_depth();
    shift.dst_factor_in = 1;
    shift.uop_end = 1;
    shift.pop_next = 1;
    instructions_.push_back(zero_uop());
    instructions_.push_back(shift);
    store(1);
    instructions_.push_back({});
    instructions_.back().pop_next = 1;
    write();
  }

  std::vector<uint8_t> arena;
  uint32_t num_instructions() const { return static_cast<uint32_t>(instructions_.size()); }
  std::string text() const { return isa::disassemble(encoded(), core_); }

 private:
  uint32_t draw(int64_t low, int64_t high) {
    return static_cast<uint32_t>(random_.between(low, high));
  }

  // Micro-op 0 of the arena is that of a loop over all of ACC.
  void fill() {
    const bool extreme = random_.chance(20);
    for (uint8_t& byte : arena) {
      byte = static_cast<uint8_t>(extreme ? (random_.chance(50) ? 0x80 : 0x7f) : random_.next());
    }
    std::memset(&arena[kUopOffsetBytes], 0, 4);
    constexpr uint32_t kShare = 4;  // of a scratchpad: the loops have the rest
    isa::Uop uop;
    for (uint32_t i = 1; i < kMaxUops; ++i) {
      if (random_.chance(30)) uop.dst = draw(0, core_.acc_depth() / kShare - 1);
      if (random_.chance(70))
        uop.src = draw(0, std::min(core_.inp_depth(), core_.acc_depth()) / kShare - 1);
      if (random_.chance(70)) uop.wgt = draw(0, core_.wgt_depth() / kShare - 1);
      const uint32_t bits = isa::encode(uop, core_);
      std::memcpy(&arena[kUopOffsetBytes + 4 * i], &bits, 4);
    }
  }

  isa::Instruction& load(uint32_t memory, uint32_t elems, uint32_t elem_bytes) {
    return load_of(memory, elems, data_offset_bytes_ / elem_bytes);
  }
  isa::Instruction& load_of(uint32_t memory, uint32_t elems, uint64_t dram_base) {
    isa::Instruction& in = instructions_.emplace_back();
    in.opcode = isa::kLoad;
    in.memory = memory;
    in.dram_base = static_cast<uint32_t>(dram_base);
    in.y_size = 1;
    in.x_size = in.x_stride = elems;
    return in;
  }
  isa::Instruction zero_uop() const {
    isa::Instruction in;
    in.opcode = isa::kLoad;
    in.memory = isa::kUop;
    in.dram_base = static_cast<uint32_t>(kUopOffsetBytes / core_.uop_elem_bytes());
    in.y_size = in.x_size = in.x_stride = 1;
    return in;
  }

  // GEMM or ALU; a plain carrier after a split instruction waits for it.
  void compute(uint32_t uops) {
    isa::Instruction in;
    in.opcode = random_.chance(60) ? isa::kGemm : isa::kAlu;
    in.split = core_.extension && random_.chance(50);
    in.reset = random_.chance(25);
    in.uop_bgn = draw(0, uops - 1);
    in.uop_end = draw(in.uop_bgn, std::min<int64_t>(uops, in.uop_bgn + 12));
    in.iter_out = loop(), in.iter_in = loop();
    const bool is_gemm = in.opcode == isa::kGemm;
    const uint32_t src_depth = is_gemm ? core_.inp_depth() : core_.acc_depth();
    in.dst_factor_out = factor(in.iter_out, core_.acc_depth());
    in.dst_factor_in = factor(in.iter_in, core_.acc_depth());
    in.src_factor_out = factor(in.iter_out, src_depth);
    in.src_factor_in = factor(in.iter_in, src_depth);
    if (is_gemm) {
      if (random_.chance(40)) in.wgt_factor_out = factor(in.iter_out, core_.wgt_depth());
      if (random_.chance(40)) in.wgt_factor_in = factor(in.iter_in, core_.wgt_depth());
    } else {
      in.reset = 0;
      in.alu_opcode = draw(0, core_.extension ? isa::kMaxAluOpcode : isa::kMaxAluOpcode - 1);
      in.use_imm = random_.chance(50);
      in.imm = static_cast<int32_t>(random_.between(-128, 127));
      if (in.alu_opcode == isa::kReq) in.imm &= 0x7f00 | 0xff;
    }
    instructions_.push_back(in);
    isa::Instruction carrier;
    carrier.opcode = isa::kLoad;
    carrier.memory = isa::kUop;
    if (in.split) instructions_.push_back(carrier);
  }
  uint32_t loop() {
    constexpr uint32_t kIterations[] = {1, 1, 2, 3, 7, 8, 9, 14, 33};
    return random_.chance(2) ? 0 : kIterations[draw(0, std::size(kIterations) - 1)];
  }
  // Small, and such that the indices stay inside; rarely any.
  uint32_t factor(uint32_t iterations, uint32_t depth) {
    if (random_.chance(1)) return draw(0, depth - 1);
    const uint32_t most = depth / 3 / std::max(iterations, 1u);
    return std::min(most, random_.chance(35) ? 0 : random_.chance(50) ? 1 : draw(2, 5));
  }

  void store(uint32_t place) {
    instructions_.back().push_next = 1;
    isa::Instruction in;
    in.opcode = isa::kStore;
    in.memory = isa::kOut;
    in.dram_base =
        static_cast<uint32_t>((out_offset_bytes_ + place * out_bytes_) / core_.out_elem_bytes());
    in.y_size = 1;
    in.x_size = in.x_stride = core_.acc_depth();
    in.pop_prev = in.push_prev = 1;
    instructions_.push_back(in);
  }

  std::vector<isa::InstructionBits> encoded() const {
    std::vector<isa::InstructionBits> stream;
    for (const isa::Instruction& in : instructions_) stream.push_back(isa::encode(in, core_));
    return stream;
  }
  void write() {
    const std::vector<isa::InstructionBits> stream = encoded();
    std::ranges::copy(isa::bytes_of(stream), arena.begin());
  }

  const CoreConfig core_;
  Random random_;
  uint64_t out_bytes_ = 0, data_offset_bytes_ = 0, out_offset_bytes_ = 0;
  std::vector<isa::Instruction> instructions_;
};

class FastCore : public testing::TestWithParam<std::string> {
 protected:
  static NativeRun run(NativeCore& core, Program& program) {
    return core.run(program.arena.data(), program.arena.size(), 0, program.num_instructions(),
                    std::chrono::steady_clock::now() + std::chrono::seconds(60), nullptr);
  }
};

TEST_P(FastCore, LeavesTheBytesCountersAndFaultsOfTheCoreAsItIsWritten) {
  const CoreConfig config = load_core_config(GetParam());
  const auto reference = make_native_core(config, NativeLoops::kAsWritten),
             fast = make_native_core(config, NativeLoops::kVectors);
  uint64_t num_faults = 0;
  const support::Seeds seeds = support::test_seeds(0, support::test_count(kDefaultCount));
  for (uint64_t seed = seeds.begin; seed < seeds.end && !HasFailure(); ++seed) {
    Program expected(config, seed), program(config, seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, program.text()));
    const NativeRun expected_run = run(*reference, expected), own_run = run(*fast, program);
    EXPECT_EQ(own_run.fault, expected_run.fault);
    EXPECT_EQ(own_run.index, expected_run.index);
    EXPECT_EQ(own_run.value, expected_run.value);
    EXPECT_TRUE(own_run.counters == expected_run.counters);
    EXPECT_TRUE(program.arena == expected.arena) << "the bytes differ";
    num_faults += expected_run.fault != isa::kNoFault;
  }
  if (seeds.end - seeds.begin < kDefaultCount) return;
  EXPECT_GT(num_faults, (seeds.end - seeds.begin) / 50);
  EXPECT_LT(num_faults, (seeds.end - seeds.begin) * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Cores, FastCore, testing::ValuesIn(installed_core_names()),
                         [](const auto& core) { return core.param; });

}  // namespace
}  // namespace vta::sim
