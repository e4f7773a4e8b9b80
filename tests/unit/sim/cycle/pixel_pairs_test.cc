// SPDX-License-Identifier: Apache-2.0
//
// vta_2p16, a core with pixel pairs: random GEMMs on it leave the bytes of the golden interpreter,
// as it is written and with its cycle model. GEMMs with pairs take half of the cycles.
#include "hw/isa/pixel_pairs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/numbers/random.h"
#include "configs/memory_config.h"
#include "driver/device_allocation.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "sim/cycle/cycle_core.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/functional/native_core.h"
#include "tests/support/golden_interpreter.h"

namespace vta::sim {
namespace {

// The operands' elements; all indices of the random GEMMs are below these numbers.
constexpr uint32_t kWgt = 8, kInp = 64, kAcc = 64, kMaxUops = 3;
// Places in the arena.
constexpr uint32_t kArenaBytes = 64 << 10, kWgtAt = 0, kInpAt = 4096, kAccAt = 8192, kUopAt = 12288,
                   kOutAt = 16384, kProgramAt = 32768;

struct Kernel {
  isa::Instruction gemm;
  std::vector<isa::Uop> uops;

  bool has_pairs() const {
    return isa::runs_in_pairs({.split = gemm.split,
                               .reset = gemm.reset != 0,
                               .num_uops = static_cast<uint32_t>(uops.size()),
                               .dst_factor_in = gemm.dst_factor_in,
                               .src_factor_in = gemm.src_factor_in,
                               .wgt_factor_in = gemm.wgt_factor_in});
  }
};

// GEMMs in a row, all split or all plain: all of their operands are random, and all of ACC that
// they may change is stored. If there are several, the ALU works in the other half of ACC
// meanwhile.
struct GemmProgram {
  CoreConfig core = load_core_config("vta_2p16");
  std::vector<Kernel> kernels;
  std::vector<uint8_t> arena = std::vector<uint8_t>(kArenaBytes);
  uint32_t num_instructions = 0;

  GemmProgram(std::vector<Kernel> of, Random& random) : kernels(std::move(of)) {
    for (uint8_t& byte : arena) byte = static_cast<uint8_t>(random.next());
    for (Kernel& kernel : kernels) {
      kernel.gemm.uop_bgn = num_uops_;
      for (const isa::Uop& uop : kernel.uops) add_uop(uop);
      kernel.gemm.uop_end = num_uops_;
    }
    add_uop({0, 0, 0});  // of the ALU
    add_uop({other_half(), 0, 0});
    const auto stream = isa::assemble(text(), "pairs", core);
    const auto bytes = isa::bytes_of(stream);
    std::ranges::copy(bytes, arena.begin() + kProgramAt);
    num_instructions = static_cast<uint32_t>(stream.size());
  }

  std::string text() const {
    const bool split = kernels[0].gemm.split, has_others = kernels.size() > 1;
    const char* const suffix = split ? ".split" : "";
    const uint32_t acc = kAccAt / core.acc_elem_bytes(), out = kOutAt / core.out_elem_bytes();
    std::string text = fmt::format(
        "load.wgt sram=0 dram={} size=[1,{}] stride=1\n"
        "load.inp push_next sram=0 dram={} size=[1,{}] stride=1\n"
        "load.uop{} {} sram=0 dram={} size=[1,{}] stride=1\n",
        kWgtAt / core.wgt_elem_bytes(), kWgt, kInpAt / core.inp_elem_bytes(), kInp, suffix,
        split && has_others ? "push_next" : "", kUopAt / core.uop_elem_bytes(), num_uops_);
    const std::string load =
        fmt::format("load.acc{} sram={{}} dram={} size=[1,{}] stride=1 {{}}\n", suffix, acc, kAcc);
    if (has_others) text += fmt::format(fmt::runtime(load), other_half(), "");
    text += fmt::format(fmt::runtime(load), 0, split ? "push_prev" : "");
    for (size_t i = 0; i < kernels.size(); ++i) text += gemm_text(i);
    const std::string alu =
        fmt::format("alu.shr{} uop=[{{}},{{}}) iter=[1,{}] dst=[0,1] imm=3 {{}}\n", suffix, kAcc);
    if (has_others)
      text += fmt::format(fmt::runtime(alu), num_uops_ - 1, num_uops_, split ? "pop_prev" : "");
    text += fmt::format(fmt::runtime(alu), num_uops_ - 2, num_uops_ - 1,
                        split ? "pop_prev push_next" : "push_next");
    const std::string store =
        fmt::format("store.out {{}} sram={{}} dram={{}} size=[1,{}] stride=1\n", kAcc);
    text += fmt::format(fmt::runtime(store), "pop_prev", 0, out);
    if (has_others) text += fmt::format(fmt::runtime(store), "", other_half(), out + kAcc);
    return text + "finish\n";
  }

 private:
  uint32_t other_half() const { return core.acc_depth() / 2; }

  std::string gemm_text(size_t index) const {
    const isa::Instruction& gemm = kernels[index].gemm;
    std::string text = fmt::format(
        "gemm{}{} uop=[{},{}) iter=[{},{}] dst=[{},{}] src=[{},{}] wgt=[{},{}]",
        gemm.reset != 0 ? ".reset" : "", gemm.split ? ".split" : "", gemm.uop_bgn, gemm.uop_end,
        gemm.iter_out, gemm.iter_in, gemm.dst_factor_out, gemm.dst_factor_in, gemm.src_factor_out,
        gemm.src_factor_in, gemm.wgt_factor_out, gemm.wgt_factor_in);
    if (index == 0) text += gemm.split ? " pop_prev pop_next" : " pop_prev";
    if (gemm.split && index + 1 == kernels.size()) text += " push_next";
    return text + "\n";
  }

  void add_uop(const isa::Uop& uop) {
    const uint32_t word = isa::encode(uop, core);
    std::memcpy(&arena[kUopAt + num_uops_++ * sizeof word], &word, sizeof word);
  }

  uint32_t num_uops_ = 0;
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

Kernel random_kernel(Random& random, bool split) {
  const auto draw = [&](int64_t low, int64_t high) {
    return static_cast<uint32_t>(random.between(low, high));
  };
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.split = split;
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
  return {gemm, uops};
}

// Runs `num_programs` programs of `num_gemms` GEMMs.
void expect_the_bytes_of_the_golden_interpreter(uint64_t num_programs, int num_gemms) {
  const CoreConfig core = load_core_config("vta_2p16");
  const auto native = open_functional_device("native", core);
  const auto cycle = open_cycle_device("cycle", core);
  uint64_t with_pairs = 0;
  for (uint64_t seed = 0; seed < num_programs; ++seed) {
    Random random(seed);
    const bool split = random.chance(80);
    std::vector<Kernel> kernels;
    for (int i = 0; i < num_gemms; ++i) kernels.push_back(random_kernel(random, split));
    const GemmProgram program(kernels, random);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, program.text()));
    with_pairs += std::ranges::all_of(kernels, [](const Kernel& kernel) {
      return kernel.has_pairs() && kernel.gemm.iter_in > 1;
    });
    std::vector<uint8_t> golden = program.arena;
    const auto result = support::run_golden(core, golden, kProgramAt, program.num_instructions);
    ASSERT_FALSE(result.fault) << result.fault->code << " at " << result.fault->index;
    ASSERT_FALSE(result.race) << result.race->first_index << " and " << result.race->second_index;
    ASSERT_TRUE(run_on(*native, program, nullptr) == golden);
    ASSERT_TRUE(run_on(*cycle, program, nullptr) == golden);
  }
  EXPECT_GT(with_pairs, num_programs / 40);
}

TEST(PixelPairs, LeaveTheBytesOfTheGoldenInterpreter) {
  expect_the_bytes_of_the_golden_interpreter(300, 1);
}

TEST(PixelPairs, LeaveThemNextToOthersAndToTheAlu) {
  expect_the_bytes_of_the_golden_interpreter(100, 2);
}

// In the first pair of the second row the first micro-op faults in its second iteration, and the
// second micro-op in the first one, which is earlier in the order of iterations.
TEST(PixelPairs, ReportTheFaultAndTheCounterOfTheOrderOfIterations) {
  const CoreConfig core = load_core_config("vta_2p16");
  isa::Instruction gemm;
  gemm.split = true;
  gemm.iter_out = 2;
  gemm.iter_in = 4;
  gemm.dst_factor_out = core.acc_depth() - 1;
  gemm.dst_factor_in = gemm.src_factor_in = 1;
  Random random(0);
  const GemmProgram program({{gemm, {{0, 0, 0}, {5, 0, 0}}}}, random);
  ASSERT_TRUE(program.kernels[0].has_pairs());
  const auto expect = [&](auto& core_of_pairs) {
    std::vector<uint8_t> arena = program.arena;
    const NativeRun run =
        core_of_pairs.run(arena.data(), kArenaBytes, kProgramAt, program.num_instructions,
                          std::chrono::steady_clock::now() + std::chrono::seconds(20), nullptr);
    ASSERT_FALSE(run.timed_out);
    EXPECT_EQ(run.fault, isa::kDstIndex);
    EXPECT_EQ(run.value, core.acc_depth() + 4);
    EXPECT_EQ(run.counters.gemm_counter, 9u) << "8 of the first row, and the first micro-op";
  };
  expect(*make_native_core(core));
  expect(*make_cycle_core(core, load_memory_config("ideal64"), true));
}

// Cycles for 8 more iterations of the inner loop, of a GEMM of one row.
uint64_t cycles_of_8_more(isa::Instruction gemm, const std::vector<isa::Uop>& uops) {
  const auto device =
      make_timing_device(load_core_config("vta_2p16"), load_memory_config("ideal64"));
  gemm.iter_out = 1;
  uint64_t cycles[2];
  for (uint32_t i = 0; i < 2; ++i) {
    Random random(0);
    gemm.iter_in = 4 + 8 * i;
    run_on(*device, GemmProgram({{gemm, uops}}, random), &cycles[i]);
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
