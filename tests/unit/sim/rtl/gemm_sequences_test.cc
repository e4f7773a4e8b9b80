// SPDX-License-Identifier: Apache-2.0
//
// Random sequences of GEMM micro-ops on the Verilated core: in any order, with one destination back
// to back, reset and accumulate mixed. Every accumulator equals the golden interpreter's, and each
// micro-op takes one cycle, independent of the order, in addition to the fixed cycles of an
// instruction.
//
// VTA_TEST_COUNT sequences (default 10,000), many per program. Each sequence of a program has its
// own accumulators; all four bytes of them are stored at the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/numbers/random.h"
#include "hw/isa/program_bytes.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/test_count.h"

namespace vta::sim {
namespace {

constexpr uint32_t kSequences = 250;   // per program
constexpr uint32_t kDestinations = 8;  // per sequence
constexpr uint32_t kMaxUops = 32;      // per sequence; all of a program fit the scratchpad
constexpr uint32_t kAccs = kSequences * kDestinations;
constexpr uint32_t kInps = 256, kWgts = 64;

// Byte offsets in the arena.
constexpr uint32_t kUopsAt = 0, kInpsAt = 0x10000, kWgtsAt = 0x20000, kAccsAt = 0x30000,
                   kOutsAt = 0x40000, kProgramAt = 0x80000, kArenaBytes = 0x90000;
constexpr uint32_t kOutBytes = 16;  // of an element, also of INP and ACC_8BIT

struct Sequences {
  std::vector<uint32_t> uops;
  std::string gemms;
  uint64_t micro_ops = 0, instructions = 0;
  uint64_t counted_micro_ops = 0;  // by gemm_counter
};

// The destination of each micro-op of a sequence.
std::vector<uint32_t> random_destinations(Random& random, size_t count) {
  const int style = static_cast<int>(random.between(0, 3));
  const auto some = static_cast<uint32_t>(random.between(1, kDestinations));
  std::vector<uint32_t> list(count);
  uint32_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto drawn = static_cast<uint32_t>(random.between(0, kDestinations - 1));
    if (style == 0) last = drawn;                             // any order
    if (style == 1) last = random.chance(30) ? drawn : last;  // runs of one
    if (style == 2) last = static_cast<uint32_t>(i) % some;   // in turn
    if (style == 3) last = drawn % some;                      // few
    list[i] = last;
  }
  return list;
}

// One sequence: its micro-ops, and instructions that execute ranges of them.
void add_sequence(Random& random, const CoreConfig& config, uint32_t number, bool split,
                  Sequences& all) {
  const auto first = static_cast<uint32_t>(all.uops.size());
  const auto count = static_cast<uint32_t>(random.between(1, kMaxUops));
  for (const uint32_t destination : random_destinations(random, count)) {
    all.uops.push_back(isa::encode(isa::Uop{number * kDestinations + destination,
                                            static_cast<uint32_t>(random.between(0, kInps / 2)),
                                            static_cast<uint32_t>(random.between(0, kWgts - 4))},
                                   config));
  }
  const auto instructions = random.between(1, 4);
  for (int64_t i = 0; i < instructions; ++i) {
    const auto begin = static_cast<uint32_t>(random.between(0, count - 1));
    const auto end = static_cast<uint32_t>(random.between(begin + 1, count));
    const bool reset = random.chance(30);
    const int64_t turns[] = {random.chance(60) ? 1 : random.between(1, 3),
                             random.chance(60) ? 1 : random.between(1, 4)};
    all.gemms +=
        fmt::format("gemm{}{} uop=[{},{}) iter=[{},{}] dst=[0,0] src=[{},{}] wgt=[1,0]\n",
                    reset ? ".reset" : "", split ? ".split" : "", first + begin, first + end,
                    turns[0], turns[1], random.between(0, 20), random.between(0, 20));
    const uint64_t micro_ops = static_cast<uint64_t>(turns[0] * turns[1]) * (end - begin);
    all.micro_ops += micro_ops;
    all.counted_micro_ops += reset && !split ? 0 : micro_ops;
    ++all.instructions;
  }
}

Sequences random_sequences(Random& random, const CoreConfig& config, bool split) {
  Sequences all;
  for (uint32_t number = 0; number < kSequences; ++number)
    add_sequence(random, config, number, split, all);
  return all;
}

// Loads, then the sequences, then four times: alu shifts all accumulators right by a byte, and
// stores.
std::string program_text(const Sequences& sequences, bool split) {
  const char* dot_split = split ? ".split" : "";
  std::string text = fmt::format(
      "load.inp sram=0 dram={} size=[1,{}] stride={}\n"
      "load.wgt push_next sram=0 dram={} size=[1,{}] stride={}\n"
      "load.acc8{}{} sram=0 dram={} size=[1,{}] stride={}\n"
      "load.uop{}{} sram=0 dram={} size=[1,{}] stride={}\n",
      kInpsAt / kOutBytes, kInps, kInps, kWgtsAt / 256, kWgts, kWgts, dot_split,
      split ? " push_prev" : "", kAccsAt / kOutBytes, kAccs, kAccs, dot_split,
      split ? " pop_prev pop_next" : " pop_prev", kUopsAt / 4, sequences.uops.size() + 1,
      sequences.uops.size() + 1);
  text += sequences.gemms;
  if (split) text += "load.uop.split push_next\n";
  for (uint32_t byte = 0; byte < 4; ++byte) {
    text += fmt::format("alu.shr{}{}{} push_next uop=[{},{}) iter=[{},{}] dst=[{},1] imm={}\n",
                        dot_split, split && byte == 0 ? " pop_prev" : "",
                        byte == 0 ? "" : " pop_next", sequences.uops.size(),
                        sequences.uops.size() + 1, kAccs / 8, 8, 8, byte == 0 ? 0 : 8);
    text += fmt::format("store.out pop_prev push_prev sram=0 dram={} size=[1,{}] stride={}\n",
                        kOutsAt / kOutBytes + byte * kAccs, kAccs, kAccs);
  }
  return text + "finish pop_next\n";
}

struct Program {
  Sequences sequences;
  std::vector<uint8_t> arena;
  uint32_t count = 0;  // of instructions
};

Program random_program(uint64_t seed, const CoreConfig& config) {
  Random random(seed);
  const bool split = random.chance(50);
  Program program;
  program.sequences = random_sequences(random, config, split);
  const std::string text = program_text(program.sequences, split);
  program.arena.resize(kArenaBytes);
  for (uint8_t& byte : program.arena) byte = static_cast<uint8_t>(random.next());
  std::vector<uint32_t> uops = program.sequences.uops;
  uops.push_back(0);  // of the ALU
  std::memcpy(&program.arena[kUopsAt], uops.data(), uops.size() * 4);
  const auto stream = isa::assemble(text, "sequences", config);
  std::ranges::copy(isa::bytes_of(stream), &program.arena[kProgramAt]);
  program.count = static_cast<uint32_t>(stream.size());
  return program;
}

// The same arena, but the micro-ops alternate destinations: none is close to another with the same
// one.
std::vector<uint8_t> in_turn(const Program& program, const CoreConfig& config) {
  std::vector<uint8_t> arena = program.arena;
  for (uint32_t i = 0; i < program.sequences.uops.size(); ++i) {
    isa::Uop uop = isa::decode_uop(program.sequences.uops[i], config);
    uop.dst = i % kAccs;
    const uint32_t bits = isa::encode(uop, config);
    std::memcpy(&arena[kUopsAt + 4 * i], &bits, 4);
  }
  return arena;
}

hw::Counters run(TimedCore& core, std::vector<uint8_t>& arena, const Program& program) {
  const NativeRun run = core.run(arena.data(), kArenaBytes, kProgramAt, program.count,
                                 std::chrono::steady_clock::time_point::max(), nullptr);
  EXPECT_EQ(run.fault, isa::kNoFault) << "at instruction " << run.index;
  return run.counters;
}

TEST(GemmSequences, HaveTheGoldenResultInOneCycleAMicroOp) {
  const CoreConfig config = load_core_config("vta_1x16");
  const uint64_t count = support::test_count(10'000);
  const auto core = make_rtl_core(config, load_memory_config("ideal64"));
  for (uint64_t seed = 0; seed * kSequences < count; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const Program program = random_program(seed, config);
    const Sequences& sequences = program.sequences;
    std::vector<uint8_t> expected = program.arena, arena = program.arena;
    const auto golden = support::run_golden(config, expected, kProgramAt, program.count);
    ASSERT_FALSE(golden.fault || golden.race || golden.unwritten_read);
    const hw::Counters counters = run(*core, arena, program);
    ASSERT_TRUE(arena == expected) << "the arenas differ";
    EXPECT_EQ(counters.gemm_counter, sequences.counted_micro_ops);

    const uint64_t busy = counters.stages.value().of[hw::kStage_gemm][hw::kStageState_busy];
    const uint64_t uop_beats = (sequences.uops.size() + 2) / 2;
    constexpr uint64_t kOverhead =
        20;  // cycles: control steps, and a pipeline that fills and drains
    EXPECT_LE(busy, sequences.micro_ops + kOverhead * sequences.instructions + uop_beats + 100);
    std::vector<uint8_t> other = in_turn(program, config);
    EXPECT_EQ(run(*core, other, program), counters) << "the order costs cycles";
  }
}

}  // namespace
}  // namespace vta::sim
