// SPDX-License-Identifier: Apache-2.0
//
// Random programs on the cores of tests/cores_of_any_shape/cores: the golden interpreter, the
// functional core, the cycle model and the Verilated core leave the same bytes, counters and
// faults. The cycle model and the Verilated core take the same cycles. Devices with these cores
// report the races that the golden interpreter finds.
//
//   VTA_TEST_COUNT   legal programs of each core (default 400); a tenth as many illegal ones, and
//                    as many of which a token is missing. With VTA_TEST_SEED: the seeds of each
//                    test
//   VTA_TEST_SEED    the first seed; without VTA_TEST_COUNT the only one
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/errors/error.h"
#include "driver/device.h"
#include "sim/functional/core_device.h"
#include "sim/timed/timed_device.h"
#include "tests/cores_of_any_shape/core.h"
#include "tests/support/dropped_token.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/support/random_memory.h"
#include "tests/support/test_count.h"
#include "tests/support/timed_run.h"

namespace vta::odd_cores {
namespace {

constexpr uint64_t kDefaultCount = 400;
constexpr uint64_t kIllegalShare = 10;
constexpr uint64_t kDroppedTokens = 3;         // the first ones of a path
constexpr uint64_t kIllegalSeedStride = 1000;  // find_illegal_program() tries a few hundred seeds

struct Outcome {
  sim::NativeRun run;
  std::vector<uint8_t> arena;
};

class OddCores : public testing::TestWithParam<OddCore> {
 protected:
  Outcome run_native(const support::GeneratedProgram& program, sim::NativeLoops loops) const {
    Outcome outcome{{}, program.arena};
    outcome.run =
        GetParam()
            .make_native(config_, loops)
            ->run(outcome.arena.data(), outcome.arena.size(),
                  static_cast<uint32_t>(program.program_offset_bytes), program.num_instructions,
                  std::chrono::steady_clock::now() + std::chrono::seconds(20), nullptr);
    return outcome;
  }

  static Outcome run_timed(sim::TimedCore& core, const support::GeneratedProgram& program) {
    Outcome outcome;
    outcome.run = support::run_on(core, program, outcome.arena);
    return outcome;
  }

  Outcome run_golden(const support::GeneratedProgram& program) const {
    Outcome outcome{{}, program.arena};
    const support::GoldenResult result = support::run_golden(
        config_, outcome.arena, program.program_offset_bytes, program.num_instructions);
    EXPECT_FALSE(result.race);
    const support::GoldenFault fault = result.fault.value_or(support::GoldenFault{});
    outcome.run.fault = fault.code;
    outcome.run.index = fault.index;
    outcome.run.value = fault.value;
    outcome.run.counters = result.counters;
    return outcome;
  }

  // Counters of a run with a fault depend on how far the other stages are.
  static void expect_same_results(const Outcome& golden, const Outcome& outcome) {
    EXPECT_FALSE(outcome.run.timed_out);
    EXPECT_TRUE(outcome.arena == golden.arena) << "the bytes differ";
    EXPECT_EQ(outcome.run.fault, golden.run.fault);
    if (golden.run.fault != isa::kNoFault) {
      EXPECT_EQ(outcome.run.index, golden.run.index);
      EXPECT_EQ(outcome.run.value, golden.run.value);
      return;
    }
    hw::Counters counters = outcome.run.counters;
    counters.cycles.reset(), counters.stages.reset();
    EXPECT_TRUE(counters == golden.run.counters) << "the counters differ";
  }

  void expect_same_on_all(const support::GeneratedProgram& program, uint64_t seed) const {
    const MemoryConfig memory = support::random_memory(static_cast<uint32_t>(seed));
    const Outcome golden = run_golden(program);
    const Outcome cycle = run_timed(*GetParam().make_cycle(config_, memory), program);
    const Outcome rtl = run_timed(*GetParam().make_rtl(config_, memory), program);
    {
      SCOPED_TRACE("functional");
      expect_same_results(golden, run_native(program, sim::NativeLoops::kVectors));
    }
    {
      SCOPED_TRACE("native");
      expect_same_results(golden, run_native(program, sim::NativeLoops::kAsWritten));
    }
    {
      SCOPED_TRACE("cycle");
      expect_same_results(golden, cycle);
    }
    {
      SCOPED_TRACE("rtl");
      expect_same_results(golden, rtl);
    }
    EXPECT_EQ(cycle.run.counters.cycles, rtl.run.counters.cycles);
    EXPECT_TRUE(cycle.run.counters.stages == rtl.run.counters.stages) << "the stage states differ";
  }

  std::unique_ptr<driver::Device> functional_device() const {
    const std::shared_ptr<sim::NativeCore> core =
        GetParam().make_native(config_, sim::NativeLoops::kVectors);
    return sim::make_core_device("functional", config_, false,
                                 [core](uint8_t* arena, uint64_t bytes, uint32_t offset,
                                        uint32_t count, const Deadline& deadline) {
                                   return core->run(arena, bytes, offset, count, deadline, nullptr);
                                 });
  }
  std::unique_ptr<driver::Device> timed_device(const char* uri, uint64_t seed) const {
    const auto make = std::string(uri) == "rtl" ? GetParam().make_rtl : GetParam().make_cycle;
    return sim::open_timed_device(
        uri, config_,
        [=](const CoreConfig& config, const MemoryConfig&, const sim::WaveformRequest*) {
          return make(config, support::random_memory(static_cast<uint32_t>(seed)));
        });
  }

  // From "race: " on; empty if the run reports none.
  static std::string race_of(driver::Device& device, const support::GeneratedProgram& program) {
    driver::RunRequest request;
    request.arena = device.allocate(program.arena.size());
    request.arena_bytes = program.arena.size();
    request.program_offset_bytes = program.program_offset_bytes;
    request.num_instructions = program.num_instructions;
    device.copy_in(request.arena, program.arena);
    try {
      device.run(request);
    } catch (const Error& error) {
      const std::string message = error.what();
      const size_t at = message.find("race: ");
      return at == std::string::npos ? "" : message.substr(at);
    }
    return "";
  }

  // Whether the program has a race.
  bool expect_same_race_on_all(const support::GeneratedProgram& program, uint64_t seed) const {
    std::vector<uint8_t> arena = program.arena;
    const bool races =
        support::run_golden(config_, arena, program.program_offset_bytes, program.num_instructions)
            .race.has_value();
    const std::string functional = race_of(*functional_device(), program);
    EXPECT_EQ(!functional.empty(), races) << functional;
    EXPECT_EQ(race_of(*timed_device("cycle", seed), program), functional);
    EXPECT_EQ(race_of(*timed_device("rtl", seed), program), functional);
    return races;
  }

  void run_legal_programs(uint64_t count) const {
    const support::Seeds range = support::test_seeds(0, count);
    for (uint64_t seed = range.begin; seed < range.end && !HasFailure(); ++seed) {
      SCOPED_TRACE("legal program of seed " + std::to_string(seed));
      expect_same_on_all(support::generate_legal_program(config_, seed), seed);
    }
  }

  CoreConfig config_ = load_core_config(std::string(VTA_ODD_CORES "/") + GetParam().name + ".json");
};

TEST_P(OddCores, RunLegalProgramsAsTheGoldenInterpreterDoes) {
  run_legal_programs(support::test_count(kDefaultCount));
}

TEST_P(OddCores, RunLegalProgramsWithoutTheExtensionAsTheGoldenInterpreterDoes) {
  config_.extension = false;
  run_legal_programs(support::test_count(kDefaultCount) / kIllegalShare + 1);
}

TEST_P(OddCores, StopIllegalProgramsAsTheGoldenInterpreterDoes) {
  const uint64_t count = support::test_count(kDefaultCount) / kIllegalShare + 1;
  const support::Seeds range = support::test_seeds(0, count);
  uint64_t num_found = 0;
  for (uint64_t seed = range.begin; seed < range.end && !HasFailure(); ++seed) {
    const auto fault = static_cast<isa::FaultCode>(seed % (isa::kDeadlock + 1));  // kNoFault: any
    const auto program = support::find_illegal_program(config_, fault, seed * kIllegalSeedStride);
    if (!program) continue;
    ++num_found;
    SCOPED_TRACE("illegal program of seed " + std::to_string(seed));
    expect_same_on_all(*program, seed);
  }
  EXPECT_GT(num_found, (range.end - range.begin) / 2);
}

TEST_P(OddCores, ReportTheRacesThatTheGoldenInterpreterFinds) {
  const uint64_t count = support::test_count(kDefaultCount) / kIllegalShare + 1;
  const support::Seeds range = support::test_seeds(0, count);
  uint64_t num_races = 0, num_ordered = 0;
  for (uint64_t seed = range.begin; seed < range.end && !HasFailure(); ++seed) {
    support::GeneratedProgram program = support::generate_legal_program(config_, seed);
    const support::TokenPath path = support::kTokenPaths[seed % support::kTokenPaths.size()];
    if (!support::drop_token(program, config_, path, static_cast<uint32_t>(seed % kDroppedTokens)))
      continue;
    SCOPED_TRACE("program of seed " + std::to_string(seed) + " without a token");
    (expect_same_race_on_all(program, seed) ? num_races : num_ordered) += 1;
  }
  std::printf("%lu programs with a race, %lu without\n", num_races, num_ordered);
  EXPECT_GT(num_races, (range.end - range.begin) / 8);
}

INSTANTIATE_TEST_SUITE_P(Cores, OddCores, testing::ValuesIn(odd_cores()),
                         [](const auto& core) { return core.param.name; });

}  // namespace
}  // namespace vta::odd_cores
