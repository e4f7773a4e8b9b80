// SPDX-License-Identifier: Apache-2.0
//
// vta_2p16, a core with pixel pairs: random GEMMs on it leave the bytes of the golden interpreter,
// as it is written and with its cycle model. GEMMs with pairs take half of the cycles.
#include "hw/isa/pixel_pairs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/numbers/random.h"
#include "configs/memory_config.h"
#include "driver/device_allocation.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "tests/support/golden_interpreter.h"

namespace vta::sim {
namespace {

// The operands' elements; all indices of the random GEMMs are below these numbers.
constexpr uint32_t kWgt = 8, kInp = 64, kAcc = 64, kMaxUops = 3;
// Places in the arena.
constexpr uint32_t kArenaBytes = 64 << 10, kWgtAt = 0, kInpAt = 4096, kAccAt = 8192, kUopAt = 12288,
                   kOutAt = 16384, kProgramAt = 32768;

// One GEMM in a program: all of its operands are random, and all of ACC is stored.
struct GemmProgram {
  CoreConfig core = load_core_config("vta_2p16");
  isa::Instruction gemm;
  std::vector<uint8_t> arena = std::vector<uint8_t>(kArenaBytes);
  uint32_t num_instructions = 0;

  GemmProgram(isa::Instruction of, const std::vector<isa::Uop>& uops, Random& random) : gemm(of) {
    gemm.opcode = isa::kGemm;
    gemm.uop_end = static_cast<uint32_t>(uops.size());
    for (uint8_t& byte : arena) byte = static_cast<uint8_t>(random.next());
    for (size_t i = 0; i < uops.size(); ++i) put_uop(i, uops[i]);
    put_uop(uops.size(), {0, 0, 0});  // of the ALU
    const auto stream = isa::assemble(text(), "pairs", core);
    const auto bytes = isa::bytes_of(stream);
    std::ranges::copy(bytes, arena.begin() + kProgramAt);
    num_instructions = static_cast<uint32_t>(stream.size());
  }

  bool has_pairs() const {
    return isa::runs_in_pairs({.split = gemm.split,
                               .reset = gemm.reset != 0,
                               .num_uops = gemm.uop_end,
                               .dst_factor_in = gemm.dst_factor_in,
                               .src_factor_in = gemm.src_factor_in,
                               .wgt_factor_in = gemm.wgt_factor_in});
  }

  std::string text() const {
    const bool split = gemm.split;
    const char* const suffix = split ? ".split" : "";
    std::string text = fmt::format(
        "load.wgt sram=0 dram={} size=[1,{}] stride=1\n"
        "load.inp push_next sram=0 dram={} size=[1,{}] stride=1\n"
        "load.uop{} sram=0 dram={} size=[1,{}] stride=1\n"
        "load.acc{} {} sram=0 dram={} size=[1,{}] stride=1\n",
        kWgtAt / core.wgt_elem_bytes(), kWgt, kInpAt / core.inp_elem_bytes(), kInp, suffix,
        kUopAt / core.uop_elem_bytes(), gemm.uop_end + 1, suffix, split ? "push_prev" : "",
        kAccAt / core.acc_elem_bytes(), kAcc);
    text += fmt::format(
        "gemm{}{} pop_prev {} uop=[0,{}) iter=[{},{}] dst=[{},{}] src=[{},{}] wgt=[{},{}]\n",
        gemm.reset != 0 ? ".reset" : "", suffix, split ? "pop_next push_next" : "", gemm.uop_end,
        gemm.iter_out, gemm.iter_in, gemm.dst_factor_out, gemm.dst_factor_in, gemm.src_factor_out,
        gemm.src_factor_in, gemm.wgt_factor_out, gemm.wgt_factor_in);
    text += fmt::format(
        "alu.shr{} {} push_next uop=[{},{}) iter=[1,{}] dst=[0,1] imm=3\n"
        "store.out pop_prev sram=0 dram={} size=[1,{}] stride=1\nfinish\n",
        suffix, split ? "pop_prev" : "", gemm.uop_end, gemm.uop_end + 1, kAcc,
        kOutAt / core.out_elem_bytes(), kAcc);
    return text;
  }

 private:
  void put_uop(size_t index, const isa::Uop& uop) {
    const uint32_t word = isa::encode(uop, core);
    std::memcpy(&arena[kUopAt + index * sizeof word], &word, sizeof word);
  }
};

std::vector<uint8_t> run_on(driver::Device& device, const GemmProgram& program, uint64_t* cycles) {
  const driver::DeviceAllocation memory(device, kArenaBytes);
  device.copy_in(memory.address(), program.arena);
  driver::RunRequest request;
  request.arena = memory.address();
  request.arena_bytes = kArenaBytes;
  request.program_offset_bytes = kProgramAt;
  request.num_instructions = program.num_instructions;
  const hw::Counters counters = device.run(request);
  if (cycles != nullptr) *cycles = counters.cycles.value();
  std::vector<uint8_t> arena(kArenaBytes);
  device.copy_out(arena, memory.address());
  return arena;
}

// A factor that keeps the largest index below `limit`.
uint32_t factor(Random& random, uint32_t iterations, uint32_t& largest, uint32_t limit) {
  const uint32_t most = iterations > 1 ? (limit - 1 - largest) / (iterations - 1) : limit;
  const auto chosen = static_cast<uint32_t>(random.between(0, std::min(most, 5u)));
  largest += chosen * (iterations - 1);
  return chosen;
}

GemmProgram random_program(Random& random) {
  const auto draw = [&](int64_t low, int64_t high) {
    return static_cast<uint32_t>(random.between(low, high));
  };
  isa::Instruction gemm;
  gemm.split = random.chance(80);
  gemm.reset = random.chance(40);
  gemm.iter_out = draw(1, 3);
  gemm.iter_in = draw(1, 6);
  std::vector<isa::Uop> uops;
  isa::Uop largest{0, 0, 0};
  for (uint32_t left = draw(1, kMaxUops); left != 0; --left) {
    const isa::Uop& uop = uops.emplace_back(isa::Uop{draw(0, 5), draw(0, 9), draw(0, kWgt - 1)});
    largest = {std::max(largest.dst, uop.dst), std::max(largest.src, uop.src),
               std::max(largest.wgt, uop.wgt)};
  }
  gemm.dst_factor_in = factor(random, gemm.iter_in, largest.dst, kAcc);
  gemm.dst_factor_out = factor(random, gemm.iter_out, largest.dst, kAcc);
  gemm.src_factor_in = factor(random, gemm.iter_in, largest.src, kInp);
  gemm.src_factor_out = factor(random, gemm.iter_out, largest.src, kInp);
  if (random.chance(20)) gemm.wgt_factor_in = factor(random, gemm.iter_in, largest.wgt, kWgt);
  gemm.wgt_factor_out = factor(random, gemm.iter_out, largest.wgt, kWgt);
  return GemmProgram(gemm, uops, random);
}

TEST(PixelPairs, LeaveTheBytesOfTheGoldenInterpreter) {
  constexpr int kPrograms = 300;
  const CoreConfig core = load_core_config("vta_2p16");
  const auto native = open_functional_device("native", core);
  const auto cycle = open_cycle_device("cycle", core);
  int with_pairs = 0;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    Random random(seed);
    const GemmProgram program = random_program(random);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, program.text()));
    with_pairs += program.has_pairs() && program.gemm.iter_in > 1;
    std::vector<uint8_t> golden = program.arena;
    const auto result = support::run_golden(core, golden, kProgramAt, program.num_instructions);
    ASSERT_FALSE(result.fault || result.race);
    ASSERT_TRUE(run_on(*native, program, nullptr) == golden);
    ASSERT_TRUE(run_on(*cycle, program, nullptr) == golden);
  }
  EXPECT_GT(with_pairs, kPrograms / 10);
}

// In the first pair of the second row the first micro-op faults in its second iteration, and the
// second micro-op in the first one, which is earlier in the order of iterations.
TEST(PixelPairs, ReportTheFaultThatComesFirstInTheOrderOfIterations) {
  const CoreConfig core = load_core_config("vta_2p16");
  isa::Instruction gemm;
  gemm.split = true;
  gemm.iter_out = 2;
  gemm.iter_in = 4;
  gemm.dst_factor_out = core.acc_depth() - 1;
  gemm.dst_factor_in = gemm.src_factor_in = 1;
  Random random(0);
  const GemmProgram program(gemm, {{0, 0, 0}, {5, 0, 0}}, random);
  ASSERT_TRUE(program.has_pairs());
  for (const auto& device :
       {open_functional_device("native", core), open_cycle_device("cycle", core)}) {
    SCOPED_TRACE(device->describe().uri);
    try {
      run_on(*device, program, nullptr);
      ADD_FAILURE() << "no fault";
    } catch (const driver::DeviceFault& fault) {
      EXPECT_EQ(fault.fault, isa::kDstIndex);
      EXPECT_EQ(fault.value, core.acc_depth() + 4);
    }
  }
}

// Cycles for 8 more iterations of the inner loop; of a GEMM of two rows and one micro-op.
uint64_t cycles_of_8_more(isa::Instruction gemm, const std::vector<isa::Uop>& uops) {
  const auto device =
      make_timing_device(load_core_config("vta_2p16"), load_memory_config("ideal64"));
  gemm.iter_out = 1;
  uint64_t cycles[2];
  for (uint32_t i = 0; i < 2; ++i) {
    Random random(0);
    gemm.iter_in = 4 + 8 * i;
    run_on(*device, GemmProgram(gemm, uops, random), &cycles[i]);
  }
  return cycles[1] - cycles[0];
}

TEST(PixelPairs, TakeHalfOfTheCycles) {
  const isa::Uop first{0, 0, 0}, second{16, 1, 1};
  isa::Instruction gemm;
  gemm.split = true;
  gemm.dst_factor_in = gemm.src_factor_in = 1;
  EXPECT_EQ(cycles_of_8_more(gemm, {first}), 4u);
  EXPECT_EQ(cycles_of_8_more(gemm, {first, second}), 8u);
  const auto with = [&](uint32_t isa::Instruction::* field, uint32_t value) {
    isa::Instruction changed = gemm;
    changed.*field = value;
    return cycles_of_8_more(changed, {first});
  };
  EXPECT_EQ(with(&isa::Instruction::src_factor_in, 2), 4u);
  EXPECT_EQ(with(&isa::Instruction::src_factor_in, 4), 8u) << "INP elements in one RAM";
  EXPECT_EQ(with(&isa::Instruction::dst_factor_in, 3), 4u);
  EXPECT_EQ(with(&isa::Instruction::dst_factor_in, 2), 8u) << "ACC elements in one RAM";
  gemm.reset = 1;
  EXPECT_EQ(cycles_of_8_more(gemm, {first}), 4u);
  EXPECT_EQ(cycles_of_8_more(gemm, {first, second}), 16u) << "micro-ops that overwrite in order";
}

}  // namespace
}  // namespace vta::sim
