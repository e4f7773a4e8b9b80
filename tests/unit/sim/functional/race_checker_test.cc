// SPDX-License-Identifier: Apache-2.0
//
// The checker before a run; functional_device_test.cc tests the races that it finds.
#include "sim/functional/race_checker.h"

#include <gtest/gtest.h>

#include "hw/isa/program_bytes.h"
#include "runtime/base/error.h"
#include "sim/functional/functional_device.h"

namespace vta::sim {
namespace {

const CoreConfig kCore = load_core_config("tiny_1x8");

// `count` instructions, the first one split.
std::vector<isa::InstructionBits> split_program(size_t count) {
  const auto lines = isa::assemble(
      "load.uop.split sram=0 dram=0 size=[1,1] stride=1\n"
      "load.inp sram=0 dram=0 size=[1,1] stride=1\n",
      "test", kCore);
  std::vector<isa::InstructionBits> program(count, lines[1]);
  program[0] = lines[0];
  return program;
}

TEST(RaceChecker, LooksAtTheTimeAllTheWay) {
  const auto program = split_program(3 * TokenOrder::kCheckInterval);
  int calls = 0;
  EXPECT_NE(RaceChecker::create(program, kCore, [&] { ++calls; }), nullptr);
  EXPECT_EQ(calls, 3 * 3) << "once an interval: looking for a split one, decoding, clocks";
  for (int last = 1; last <= calls; ++last) {
    int left = last;
    const auto check = [&] {
      if (--left == 0) fail(ErrorCode::kTimeout, "over");
    };
    EXPECT_THROW(RaceChecker::create(program, kCore, check), Error) << last;
    EXPECT_EQ(left, 0) << "nothing goes on afterwards";
  }
}

TEST(RaceChecker, LooksAtTheTimeInProgramsWithoutSplitInstructions) {
  auto program = split_program(2 * TokenOrder::kCheckInterval);
  program[0] = program[1];
  int calls = 0;
  EXPECT_EQ(RaceChecker::create(program, kCore, [&] { ++calls; }), nullptr);
  EXPECT_EQ(calls, 2);
}

TEST(RaceChecker, RefusesMoreInstructionsThanItsLimit) {
  const auto program = split_program(RaceChecker::kMaxInstructions + 1);
  try {
    RaceChecker::create(program, kCore, [] {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_STREQ(error.what(),
                 "a program of 4194305 instructions, some of them split: the limit for race "
                 "checking is 4194304");
  }
}

TEST(RaceChecker, TakesItsTimeFromTheRuns) {
  const auto device = open_functional_device("functional", kCore);
  const auto program = split_program(RaceChecker::kMaxInstructions + 1);
  const std::span<const uint8_t> bytes = isa::bytes_of(program);
  driver::RunRequest request;
  request.arena_bytes = bytes.size();
  request.arena = device->allocate(request.arena_bytes);
  request.num_instructions = static_cast<uint32_t>(program.size());
  request.timeout = std::chrono::milliseconds(0);
  device->copy_in(request.arena, bytes);
  try {
    device->run(request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the program did not end within 0 ms") << "before it is too long";
  }
}

TEST(RaceChecker, IgnoresInstructionsAfterFinish) {
  auto program = split_program(RaceChecker::kMaxInstructions + 1);
  program[10] = isa::assemble("finish\n", "test", kCore)[0];
  int calls = 0;
  EXPECT_NE(RaceChecker::create(program, kCore, [&] { ++calls; }), nullptr);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace vta::sim
