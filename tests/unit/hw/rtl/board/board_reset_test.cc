// SPDX-License-Identifier: Apache-2.0
//
// A soft reset at any time, also with bursts in flight: the bursts complete on the bus, and the
// next run is not affected.
#include <gtest/gtest.h>

#include <cstring>

#include "base/numbers/random.h"
#include "configs/core_config.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/unit/hw/rtl/board/board.h"

namespace vta::driver {
namespace {

TEST(BoardReset, AtAnyTimeDoesNotAffectTheNextRun) {
  const CoreConfig config = load_core_config("tiny_1x8");
  MemoryConfig memory = load_memory_config("random");
  memory.max_request_gap_cycles = 12;
  uint64_t amid_bursts = 0, empty_beats = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    Random random(seed);
    memory.seed = static_cast<uint32_t>(seed);
    const auto program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> expected = program.arena, dram = program.arena;
    support::run_golden(config, expected, program.program_offset_bytes, program.num_instructions);
    const Board::Arena arena = {0, static_cast<uint32_t>(dram.size()),
                                static_cast<uint32_t>(program.program_offset_bytes),
                                program.num_instructions};
    Board board(memory, dram);
    for (int stop = 0; stop < 6; ++stop) {
      board.start(arena);
      board.step(static_cast<int>(random.between(1, 1500)));
      amid_bursts += board.is_bus_quiet() ? 0 : 1;
      board.write(hw::kRegister_control, hw::kBits_control_soft_reset);
      if (random.chance(50)) board.step(static_cast<int>(random.between(1, 300)));
    }
    // Bursts in flight may write until the board is idle.
    board.write(hw::kRegister_control, hw::kBits_control_soft_reset);
    for (int polls = 0; polls < 2000 && board.read(hw::kRegister_status) == 0; ++polls)
      board.step();
    ASSERT_EQ(board.read(hw::kRegister_status), hw::kBits_status_idle);
    EXPECT_TRUE(board.is_bus_quiet());
    std::memcpy(dram.data(), program.arena.data(), dram.size());
    board.start(arena);
    EXPECT_EQ(board.wait(), hw::kBits_status_done);
    EXPECT_TRUE(dram == expected) << "the arenas differ";
    empty_beats += board.empty_beats();
  }
  EXPECT_GT(amid_bursts, 100u);
  EXPECT_GT(empty_beats, 0u) << "no write burst was cut off";
}

}  // namespace
}  // namespace vta::driver
