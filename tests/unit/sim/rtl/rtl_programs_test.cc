// SPDX-License-Identifier: Apache-2.0
//
// The Verilated core equals the golden interpreter: every byte of the arena and every counter, with
// a memory that responds at random times. VTA_TEST_COUNT programs of tiny_1x8 (default 200), and a
// share of that of other cores.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "configs/core_config.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"
#include "tests/support/timed_run.h"

namespace vta::sim {
namespace {

struct Core {
  const char* name;
  const char* memory;
  uint64_t share;  // 1 / share of the programs
};

class RtlPrograms : public testing::TestWithParam<Core> {};

TEST_P(RtlPrograms, RunAsTheInstructionSetSays) {
  const CoreConfig config = load_core_config(GetParam().name);
  const uint64_t programs = support::share_of(support::test_count(200), GetParam().share);
  for (uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    MemoryConfig memory = load_memory_config(GetParam().memory);
    memory.seed = static_cast<uint32_t>(seed);
    if (memory.name == "random") memory.max_request_gap_cycles = 12;
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> expected = program.arena, arena;
    const support::GoldenResult golden = support::run_golden(
        config, expected, program.program_offset_bytes, program.num_instructions);
    const NativeRun run = support::run_on(*make_rtl_core(config, memory), program, arena);
    ASSERT_FALSE(run.timed_out);
    ASSERT_EQ(run.fault, isa::kNoFault) << "at instruction " << run.index;
    ASSERT_TRUE(arena == expected) << "the arenas differ";
    hw::Counters counters = run.counters;
    EXPECT_GT(counters.cycles.value_or(0), 0u);
    counters.cycles.reset();
    counters.stages.reset();
    const auto& g = golden.counters;
    ASSERT_TRUE(counters == g) << "inp " << counters.inp_load_nbytes << " " << g.inp_load_nbytes
                               << ", wgt " << counters.wgt_load_nbytes << " " << g.wgt_load_nbytes
                               << ", acc " << counters.acc_load_nbytes << " " << g.acc_load_nbytes
                               << ", uop " << counters.uop_load_nbytes << " " << g.uop_load_nbytes
                               << ", out " << counters.out_store_nbytes << " " << g.out_store_nbytes
                               << ", gemm " << counters.gemm_counter << " " << g.gemm_counter
                               << ", alu " << counters.alu_counter << " " << g.alu_counter;
  }
}

// A program with a fault stops with the fault, instruction and value of the interpreter; earlier
// stores are complete.
TEST(RtlFaults, AreThoseOfTheInstructionSet) {
  const CoreConfig config = load_core_config("tiny_1x8");
  MemoryConfig memory = load_memory_config("random");
  const std::vector<support::IllegalProgram> programs = support::illegal_programs(config, 4);
  for (const auto& [fault, seed, program] : programs) {
    SCOPED_TRACE("fault " + std::to_string(fault) + ", seed " + std::to_string(seed));
    memory.seed = static_cast<uint32_t>(seed);
    std::vector<uint8_t> expected = program.arena, arena;
    const support::GoldenResult golden = support::run_golden(
        config, expected, program.program_offset_bytes, program.num_instructions);
    const NativeRun run = support::run_on(*make_rtl_core(config, memory), program, arena);
    ASSERT_FALSE(run.timed_out);
    EXPECT_EQ(run.fault, golden.fault->code);
    EXPECT_EQ(run.index, golden.fault->index);
    EXPECT_EQ(run.value, golden.fault->value);
    EXPECT_TRUE(arena == expected) << "the arenas differ";
  }
  EXPECT_GT(programs.size(), 40u);
}

TEST(RtlFaults, NameEachReservedBit) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const auto core = make_rtl_core(config, load_memory_config("ideal64"));
  const std::vector<support::GeneratedProgram> programs = support::reserved_bit_programs(config);
  for (const support::GeneratedProgram& program : programs) {
    std::vector<uint8_t> expected = program.arena, arena;
    const support::GoldenResult golden = support::run_golden(
        config, expected, program.program_offset_bytes, program.num_instructions);
    const NativeRun run = support::run_on(*core, program, arena);
    ASSERT_EQ(golden.fault->code, isa::kReservedBits);
    EXPECT_EQ(run.fault, golden.fault->code);
    EXPECT_EQ(run.value, golden.fault->value);
    EXPECT_TRUE(arena == expected) << "the arenas differ";
  }
  EXPECT_GT(programs.size(), 60u);
}

TEST(RtlFaults, HaveTheValuesOfTheGoldenInterpreter) {
  const CoreConfig config = load_core_config("tiny_1x8");
  std::array<int, isa::kDeadlock + 1> found{};
  for (const support::GeneratedProgram& program : support::fault_value_programs(config)) {
    SCOPED_TRACE(isa::disassemble(program.instructions(), config));
    std::vector<uint8_t> expected = program.arena, arena;
    const support::GoldenResult golden = support::run_golden(
        config, expected, program.program_offset_bytes, program.num_instructions);
    const support::GoldenFault fault = golden.fault.value_or(support::GoldenFault{});
    const NativeRun run =
        support::run_on(*make_rtl_core(config, load_memory_config("ideal64")), program, arena);
    ASSERT_EQ(run.fault, fault.code);
    ASSERT_EQ(run.index, fault.index);
    ASSERT_EQ(run.value, fault.value);
    ASSERT_TRUE(arena == expected) << "the arenas differ";
    ++found[fault.code];
  }
  for (const auto code :
       {isa::kIllegalOpcode, isa::kReservedBits, isa::kIllegalMemory, isa::kIllegalPadding,
        isa::kScratchpadRange, isa::kDramRange, isa::kUopRange, isa::kTokensAtChange})
    EXPECT_GT(found[code], 1) << isa::to_string(code);
  EXPECT_EQ(found[isa::kIllegalReq], 1);
}

INSTANTIATE_TEST_SUITE_P(
    Cores, RtlPrograms,
    testing::Values(Core{"tiny_1x8", "ideal64", 2}, Core{"tiny_1x8", "random", 1},
                    Core{"tiny_1x8", "pynq-z1", 10}, Core{"tiny_1x8_folded", "random", 2},
                    Core{"vta_1x16", "random", 20}),
    [](const auto& given) {
      std::string name = std::string(given.param.name) + "_" + given.param.memory;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace vta::sim
