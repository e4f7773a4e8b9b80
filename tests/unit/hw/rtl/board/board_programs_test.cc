// SPDX-License-Identifier: Apache-2.0
//
// Programs on the board's top, through its registers alone: memory, counters and faults equal the
// golden interpreter's. VTA_TEST_COUNT: number of programs, default 60.
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <numeric>

#include "configs/core_config.h"
#include "tests/support/axi_responses.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"
#include "tests/unit/hw/rtl/board/board.h"

namespace vta::driver {
namespace {

constexpr uint32_t kBase = 0x30000;  // bus address of the arena

struct Ended {
  uint32_t status;
  std::vector<uint8_t> arena;
  hw::Counters counters;
  uint32_t fault_code, fault_index;
  uint64_t fault_value;
};

Ended run(Board& board, std::vector<uint8_t>& dram, const support::GeneratedProgram& program) {
  std::memcpy(&dram[kBase], program.arena.data(), program.arena.size());
  board.start({kBase, static_cast<uint32_t>(program.arena.size()),
               static_cast<uint32_t>(program.program_offset_bytes), program.num_instructions});
  Ended ended;
  ended.status = board.wait();
  EXPECT_TRUE(board.is_bus_quiet());
  ended.arena.assign(dram.begin() + kBase, dram.begin() + kBase + program.arena.size());
  ended.counters = hw::read_counters(board);
  ended.fault_code = board.read(hw::kRegister_fault_code);
  ended.fault_index = board.read(hw::kRegister_fault_index);
  ended.fault_value = hw::read_register64(board, hw::kRegister_fault_value);
  return ended;
}

MemoryConfig memory_of(uint64_t seed) {
  MemoryConfig memory = load_memory_config(seed % 3 == 0 ? "pynq-z1" : "random");
  memory.seed = static_cast<uint32_t>(seed);
  if (memory.name == "random") memory.max_request_gap_cycles = 12;
  return memory;
}

TEST(BoardTop, ReportsItsCoreConfiguration) {
  std::vector<uint8_t> dram(4096);
  Board board(load_memory_config("ideal64"), dram);
  CoreConfig found = hw::read_core_config(board, "board");
  const CoreConfig expected = load_core_config("tiny_1x8");
  EXPECT_TRUE(expected.same_hardware(found));
  EXPECT_EQ(board.read(hw::kRegister_clock_hz), 142857142u);
}

TEST(BoardTop, RunsProgramsLikeTheGoldenInterpreter) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const uint64_t count = support::test_count(60);
  for (uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const auto program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> expected = program.arena, dram(kBase + program.arena.size() + 4096, 0xA5);
    const auto golden = support::run_golden(config, expected, program.program_offset_bytes,
                                            program.num_instructions);
    Board board(memory_of(seed), dram);
    for (int again = 0; again < 2; ++again) {
      const Ended ended = run(board, dram, program);
      ASSERT_EQ(ended.status, hw::kBits_status_done);
      ASSERT_TRUE(ended.arena == expected) << "the arenas differ";
      hw::Counters counters = ended.counters;
      for (const auto& states : counters.stages.value().of) {
        EXPECT_EQ(std::accumulate(states.begin(), states.end(), uint64_t{0}),
                  counters.cycles.value());
      }
      counters.cycles.reset();
      counters.stages.reset();
      EXPECT_TRUE(counters == golden.counters);
    }
    EXPECT_EQ(std::count(dram.begin(), dram.begin() + kBase, 0xA5), kBase) << "outside the arena";
    EXPECT_EQ(board.empty_beats(), 0u);
  }
}

TEST(BoardTop, ReportsFaultsLikeTheGoldenInterpreter) {
  const CoreConfig config = load_core_config("tiny_1x8");
  int found = 0;
  for (int code = 1; code <= isa::kDeadlock; ++code) {
    SCOPED_TRACE("fault " + std::to_string(code));
    const auto program =
        support::find_illegal_program(config, static_cast<isa::FaultCode>(code), 0);
    if (!program.has_value()) continue;
    ++found;
    std::vector<uint8_t> expected = program->arena, dram(kBase + program->arena.size());
    const auto golden = support::run_golden(config, expected, program->program_offset_bytes,
                                            program->num_instructions);
    Board board(memory_of(static_cast<uint64_t>(code)), dram);
    const Ended ended = run(board, dram, *program);
    EXPECT_EQ(ended.status & 0xF, hw::kBits_status_fault);
    EXPECT_EQ(ended.fault_code, golden.fault->code);
    EXPECT_EQ(ended.fault_index, golden.fault->index);
    EXPECT_EQ(ended.fault_value, golden.fault->value);
    EXPECT_TRUE(ended.arena == expected) << "the arenas differ";
  }
  EXPECT_GT(found, 10);
}

// The memory answers with an error to accesses after the arena, which the core believes to be
// larger.
class BoardTopErrors : public testing::TestWithParam<uint8_t> {};

TEST_P(BoardTopErrors, AreReportedForEachPort) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const auto programs = support::bus_error_programs(config);
  constexpr uint32_t kErrors[] = {hw::kBits_bus_error_fetch_port, hw::kBits_bus_error_load_port,
                                  hw::kBits_bus_error_uop_port, hw::kBits_bus_error_acc_port,
                                  hw::kBits_bus_error_store_port};
  ASSERT_EQ(programs.size(), std::size(kErrors));
  for (size_t port = 0; port < programs.size(); ++port) {
    SCOPED_TRACE(kMemoryMasterNames[port]);
    const support::GeneratedProgram& program = programs[port];
    std::vector<uint8_t> dram(kBase);
    dram.insert(dram.end(), program.arena.begin(), program.arena.end());
    Board board(load_memory_config("ideal64"), dram);
    board.answer_errors_with(GetParam());
    board.start({kBase, static_cast<uint32_t>(2 * program.arena.size()),
                 static_cast<uint32_t>(program.program_offset_bytes), program.num_instructions});
    EXPECT_EQ(board.wait() & 0xF, hw::kBits_status_fault);
    EXPECT_EQ(board.read(hw::kRegister_bus_error), kErrors[port]);
  }
}

INSTANTIATE_TEST_SUITE_P(Responses, BoardTopErrors,
                         testing::Values(sim::kAxiSlaveError, support::kAxiDecodeError),
                         [](const auto& response) {
                           return response.param == sim::kAxiSlaveError ? "Slave" : "Decode";
                         });

}  // namespace
}  // namespace vta::driver
