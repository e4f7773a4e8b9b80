// SPDX-License-Identifier: Apache-2.0
//
// RegisterDevice on the Verilated board top, through AXI4-Lite and AXI masters only: results and
// messages equal the RTL simulator's. VTA_BOARD_CORE: the board's core, default tiny_1x8.
#include "driver/register_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/numbers/random.h"
#include "configs/core_config.h"
#include "driver/region_allocator.h"
#include "sim/rtl/rtl_device.h"
#include "tests/recorded_runs/network_run.h"
#include "tests/support/board/ram_buffer.h"
#include "tests/support/program_generator.h"
#include "tests/unit/driver/device_programs.h"
#include "tests/unit/hw/rtl/board/board.h"

namespace vta::driver {
namespace {

constexpr uint64_t kBase = 0x40000, kDramBytes = 8 << 20;

std::string core_of_board() {
  const char* core = std::getenv("VTA_BOARD_CORE");
  return core == nullptr ? "tiny_1x8" : core;
}

// Time passes on the board while software polls the status.
class SteppedBoard : public hw::RegisterBus {
 public:
  explicit SteppedBoard(std::shared_ptr<Board> board) : board_(std::move(board)) {}
  uint32_t read(uint32_t offset) override {
    if (offset == hw::kRegister_status) board_->step(200);
    return board_->read(offset);
  }
  void write(uint32_t offset, uint32_t value) override { board_->write(offset, value); }

 private:
  std::shared_ptr<Board> board_;
};

struct RegisterDeviceOnTop : testing::Test {
  RegisterDeviceOnTop() : dram(kDramBytes) {
    // The gates of the top add a cycle in each direction.
    MemoryConfig memory = load_memory_config("ideal64");
    --memory.read_latency_cycles;
    --memory.write_latency_cycles;
    board = std::make_shared<Board>(memory, dram);
    CoreAccess access;
    access.registers = std::make_unique<SteppedBoard>(board);
    access.buffers = make_region_allocator(
        std::make_unique<support::RamBuffer>(std::span(dram).subspan(kBase), kBase, true), "RAM");
    device = make_register_device("top", config, std::move(access));
  }

  const CoreConfig config = load_core_config(core_of_board());
  std::vector<uint8_t> dram;
  std::shared_ptr<Board> board;
  std::unique_ptr<Device> device;
  std::unique_ptr<Device> rtl = sim::open_rtl_device("rtl", config);
};

// Random programs of a test; nightly tests run more.
uint64_t num_programs() {
  const char* text = std::getenv("VTA_BOARD_PROGRAMS");
  return text ? std::stoull(text) : 30;
}

TEST_F(RegisterDeviceOnTop, RunsProgramsLikeTheRtlSimulatorAndCountsItsCycles) {
  for (uint64_t seed = 0; seed < num_programs(); ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const auto program = support::generate_legal_program(config, seed);
    const Outcome expected = run_program(*rtl, program), got = run_program(*device, program);
    ASSERT_EQ(got.error, "");
    EXPECT_TRUE(got.arena == expected.arena) << "the arenas differ";
    EXPECT_EQ(got.counters.cycles, expected.counters.cycles);
    EXPECT_TRUE(got.counters == expected.counters);
  }
}

// Four parts of random sizes, some without instructions of some stages.
std::vector<RunPart> random_parts(uint64_t seed, uint32_t num_instructions) {
  Random random(seed);
  std::vector<RunPart> parts(4);
  for (RunPart& part : parts) part.end = static_cast<uint32_t>(random.between(1, num_instructions));
  parts.back().end = num_instructions;
  std::ranges::sort(parts, {}, &RunPart::end);
  return parts;
}

TEST_F(RegisterDeviceOnTop, ReadsTheEndsOfPartsThatTheRtlSimulatorHas) {
  for (uint64_t seed = 0; seed < num_programs(); ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const auto program = support::generate_legal_program(config, seed);
    const auto parts = random_parts(seed, program.num_instructions);
    std::vector<PartEnd> expected, got;
    run_program(*rtl, program, parts, expected);
    EXPECT_EQ(run_program(*device, program, parts, got).error, "");
    ASSERT_EQ(got.size(), parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(got[i].cycles, expected[i].cycles) << "part to " << parts[i].end;
      EXPECT_FALSE(got[i].stages.has_value());
    }
  }
}

TEST_F(RegisterDeviceOnTop, RecordsNoEndsUnlessAsked) {
  const auto program = support::generate_legal_program(config, 1);
  std::vector<PartEnd> ends;
  const auto parts = random_parts(1, program.num_instructions);
  const Outcome recorded = run_program(*device, program, parts, ends);
  EXPECT_EQ(ends.size(), parts.size());
  EXPECT_EQ(board->read(hw::kRegister_snapshot_parts), parts.size());
  const Outcome plain = run_program(*device, program);
  EXPECT_EQ(board->read(hw::kRegister_snapshot_parts), 0u);
  EXPECT_TRUE(plain.counters == recorded.counters) << "recording costs no cycle";
  const std::vector<RunPart> many(board->read(hw::kRegister_snapshot_depth) + 1,
                                  {"", program.num_instructions});
  EXPECT_EQ(run_program(*device, program, many, ends).error, "");
  EXPECT_TRUE(ends.empty()) << "more parts than the table holds";
}

// The layers of networks, in merged streams.
TEST_F(RegisterDeviceOnTop, GivesLayersTheCyclesOfTheRtlSimulator) {
  for (const char* network : {"digits.json", "mlp.json"}) {
    SCOPED_TRACE(network);
    const auto expected = test::run_network(network, *rtl, lower::Mode::kFused).report.layers;
    const auto got = test::run_network(network, *device, lower::Mode::kFused).report.layers;
    ASSERT_EQ(got.size(), expected.size());
    int on_core = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].counters.cycles, expected[i].counters.cycles) << got[i].name;
      on_core += expected[i].counters.cycles.value_or(0) != 0;
    }
    EXPECT_GT(on_core, 1);
  }
}

TEST_F(RegisterDeviceOnTop, ReportsFaultsWithTheMessagesOfTheRtlSimulator) {
  int found = 0;
  for (int code = 1; code < isa::kDeadlock; ++code) {
    const auto program =
        support::find_illegal_program(config, static_cast<isa::FaultCode>(code), 0);
    if (!program.has_value()) continue;
    ++found;
    const Outcome expected = run_program(*rtl, *program);
    EXPECT_NE(expected.error, "");
    EXPECT_EQ(run_program(*device, *program).error, expected.error);
  }
  EXPECT_GT(found, 10);
}

TEST_F(RegisterDeviceOnTop, NamesTheWaitingStagesOfADeadlockAndRunsAgain) {
  const auto program = support::find_illegal_program(config, isa::kDeadlock, 0);
  ASSERT_TRUE(program.has_value());
  const std::string expected = run_program(*rtl, *program).error,
                    got = run_program(*device, *program).error;
  // Up to the first stage's instruction the messages are equal.
  EXPECT_EQ(got.substr(0, got.find("deadlock: ")), expected.substr(0, expected.find("deadlock: ")));
  EXPECT_NE(got.find(" waits at instruction "), std::string::npos) << got;
  EXPECT_EQ(run_program(*device, support::generate_legal_program(config, 1)).error, "");
}

}  // namespace
}  // namespace vta::driver
