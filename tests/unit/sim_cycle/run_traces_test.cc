// SPDX-License-Identifier: Apache-2.0
//
// The record of a run (sim/timed/run_trace.h) is the same of the Verilated core and of the cycle
// model, event by event: instructions, waits, tokens and beats of DRAM. VTA_TEST_COUNT programs of
// tiny_1x8, 100 if not given, and a twentieth of that of vta_1x16.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "configs/core_config.h"
#include "sim/cycle/cycle_core.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/program_generator.h"

namespace vta::sim {
namespace {

constexpr const char* kProcessNames[] = {
#define VTA_PROCESS(process, stage) #process,
#include "sim/timed/waits.def"
};
constexpr const char* kWaitNames[] = {
#define VTA_END(process) "the end",
#define VTA_WAIT(process, channel, what, for_room) #channel,
#include "sim/timed/waits.def"
};
constexpr const char* kTokenNames[] = {
#define VTA_TOKENS(queue, from, to) #queue,
#include "sim/timed/waits.def"
};

struct Core {
  const char* name;
  const char* memory;
  uint64_t share;  // one of so many programs
};

RunTrace trace_on(TimedCore& core, const support::GeneratedProgram& program) {
  std::vector<uint8_t> arena = program.arena;
  RunTrace trace;
  core.record(&trace);
  const NativeRun run =
      core.run(arena.data(), arena.size(), static_cast<uint32_t>(program.program_offset_bytes),
               program.num_instructions,
               std::chrono::steady_clock::now() + std::chrono::seconds(20), nullptr);
  EXPECT_EQ(run.counters.cycles, trace.cycles);
  return trace;
}

std::string text_of(const RunTrace::Work& work) {
  return fmt::format("[{}, {}) instruction {}", work.begin, work.end, work.index);
}
std::string text_of(const RunTrace::Standstill& wait) {
  return fmt::format("[{}, {}) waits for {}", wait.begin, wait.end, kWaitNames[wait.wait]);
}
std::string text_of(uint64_t number) { return fmt::format("{}", number); }

template <class Entry>
void expect_equal(const std::vector<Entry>& rtl, const std::vector<Entry>& cycle,
                  const std::string& what) {
  const auto [a, b] = std::mismatch(rtl.begin(), rtl.end(), cycle.begin(), cycle.end());
  if (a == rtl.end() && b == cycle.end()) return;
  ADD_FAILURE() << what << " " << a - rtl.begin() << ": in RTL "
                << (a == rtl.end() ? "nothing" : text_of(*a)) << ", in the model "
                << (b == cycle.end() ? "nothing" : text_of(*b));
}

void expect_equal(const RunTrace& rtl, const RunTrace& cycle) {
  for (int i = 0; i < kNumProcesses; ++i) {
    const std::string name = kProcessNames[i];
    expect_equal(rtl.processes[i].work, cycle.processes[i].work, name + ": instruction");
    expect_equal(rtl.processes[i].waits, cycle.processes[i].waits, name + ": wait");
  }
  for (int i = 0; i < kNumTokenQueues; ++i) {
    const std::string name = kTokenNames[i];
    expect_equal(rtl.tokens[i].pushes, cycle.tokens[i].pushes, name + ": cycle of push");
    expect_equal(rtl.tokens[i].pops, cycle.tokens[i].pops, name + ": cycle of pop");
  }
  for (size_t i = 0; i < kNumMemoryMasters; ++i)
    EXPECT_EQ(rtl.beats[i].beats(), cycle.beats[i].beats()) << kMemoryMasterNames[i];
  EXPECT_TRUE(rtl == cycle);
}

class RunTraces : public testing::TestWithParam<Core> {};

TEST_P(RunTraces, AreThoseOfTheVerilatedCoreEventByEvent) {
  const CoreConfig config = load_core_config(GetParam().name);
  const char* count = std::getenv("VTA_TEST_COUNT");
  const char* first = std::getenv("VTA_TEST_SEED");
  const uint64_t start = first != nullptr ? std::stoull(first) : 0;
  const uint64_t programs = (count != nullptr ? std::stoull(count) : 100) / GetParam().share;
  for (uint64_t seed = start; seed < start + programs; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    MemoryConfig memory = load_memory_config(GetParam().memory);
    memory.seed = static_cast<uint32_t>(seed);
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    const RunTrace rtl = trace_on(*make_rtl_core(config, memory), program);
    const RunTrace cycle = trace_on(*make_cycle_core(config, memory, seed % 2 == 0), program);
    expect_equal(rtl, cycle);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cores, RunTraces,
    testing::Values(Core{"tiny_1x8", "ideal64", 1}, Core{"tiny_1x8", "random", 1},
                    Core{"tiny_1x8", "pynq-z1", 1}, Core{"vta_1x16", "ideal64", 20},
                    Core{"vta_1x16", "random", 20}, Core{"vta_1x16", "pynq-z1", 20}),
    [](const auto& given) {
      std::string name = std::string(given.param.name) + "_" + given.param.memory;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace vta::sim
