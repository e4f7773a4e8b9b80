// SPDX-License-Identifier: Apache-2.0
#include "tests/mutations/core_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cycle/cycle_core.h"
#include "tests/support/random_memory.h"
#include "tests/support/timed_run.h"

namespace vta::mutations {
namespace {

constexpr uint64_t kIllegalPerFault = 4;
constexpr size_t kSettingOfFaultValues = 0;
constexpr uint32_t kRandomMemories = 4;                   // memories with other delays
constexpr size_t kSettingOfFullQueues = kRandomMemories;  // ideal64
constexpr size_t kSettingOfAluResults = kSettingOfFullQueues;

std::vector<CoreSetting> make_settings() {
  const CoreConfig config = load_core_config(kCoreName);
  std::vector<CoreSetting> settings;
  for (uint32_t seed = 0; seed < kRandomMemories; ++seed) {
    settings.push_back({config, support::random_memory(seed)});
  }
  settings.push_back({config, load_memory_config("ideal64")});
  settings.push_back({config, load_memory_config("pynq-z1")});
  CoreConfig plain = config;  // without the extension
  plain.extension = false;
  settings.push_back({plain, load_memory_config("ideal64")});
  return settings;
}

void add_programs(CoreRuns& all, uint64_t seed, uint64_t programs) {
  for (uint64_t i = seed; i < seed + programs; ++i) {
    const size_t setting = i % all.settings.size();
    all.runs.push_back({setting,
                        fmt::format("legal program of seed {}", i),
                        support::generate_legal_program(all.settings[setting].config, i),
                        {},
                        {},
                        {}});
  }
}

// Among the legal programs, so that those run on a core that a fault has stopped.
void add_illegal_programs(CoreRuns& all, uint64_t seed) {
  size_t at = 0;
  for (const size_t setting : {size_t{0}, all.settings.size() - 1}) {
    for (const auto& illegal :
         support::illegal_programs(all.settings[setting].config, kIllegalPerFault)) {
      CoreRun run{setting,
                  fmt::format("illegal program of fault {}, seed {}",
                              static_cast<int>(illegal.fault), illegal.seed),
                  illegal.program,
                  {},
                  {},
                  {}};
      at = std::min(at + 1 + seed % 2, all.runs.size());
      all.runs.insert(all.runs.begin() + static_cast<std::ptrdiff_t>(at++), std::move(run));
    }
  }
}

void add_directed(CoreRuns& all, size_t setting, const char* name,
                  std::vector<support::GeneratedProgram> (*programs)(const CoreConfig&)) {
  for (support::GeneratedProgram& program : programs(all.settings[setting].config))
    all.runs.push_back({setting, name, std::move(program), {}, {}, {}});
}

std::vector<std::unique_ptr<sim::TimedCore>> make_cores(const CoreRuns& all, const MakeCore& make) {
  std::vector<std::unique_ptr<sim::TimedCore>> cores;
  for (const CoreSetting& setting : all.settings) cores.push_back(make(setting));
  return cores;
}

bool same_wait(const driver::WaitingStage& a, const driver::WaitingStage& b) {
  return a.stage == b.stage && a.index == b.index && a.channel == b.channel &&
         a.for_space == b.for_space;
}

bool same_fault(const sim::NativeRun& a, const sim::NativeRun& b) {
  return a.fault == b.fault && a.index == b.index && a.value == b.value &&
         std::ranges::equal(a.waiting, b.waiting, same_wait);
}

bool same_counters(hw::Counters a, hw::Counters b) {
  a.cycles.reset(), b.cycles.reset();
  a.stages.reset(), b.stages.reset();
  return a == b;
}

sim::NativeRun recorded_run(sim::TimedCore& core, const CoreRun& run, std::vector<uint8_t>& arena,
                            sim::RunTrace& trace) {
  core.record(&trace);
  sim::NativeRun result = support::run_on(core, run.program, arena);
  core.record(nullptr);
  return result;
}

// `arena`: null if the core computes no data.
std::string difference(const CoreRun& run, const sim::NativeRun& result,
                       const std::vector<uint8_t>* arena, const sim::RunTrace& trace) {
  if (result.timed_out) return "endless";
  if (!same_fault(result, run.expected)) return "fault";
  if (arena != nullptr && *arena != run.expected_arena) return "arena";
  if (!same_counters(result.counters, run.expected.counters)) return "counters";
  if (result.counters.cycles != run.expected.counters.cycles) return "cycles";
  if (result.counters.stages != run.expected.counters.stages) return "stages";
  return run.expected_trace != trace ? "trace" : "";
}

}  // namespace

CoreRuns make_core_runs(uint64_t seed, uint64_t programs) {
  CoreRuns all;
  all.settings = make_settings();
  add_programs(all, seed, programs);
  add_illegal_programs(all, seed);
  add_directed(all, kSettingOfFaultValues, "a reserved bit", support::reserved_bit_programs);
  add_directed(all, kSettingOfFaultValues, "a changed bit", support::fault_value_programs);
  add_directed(all, kSettingOfAluResults, "results of the ALU", support::alu_result_programs);
  add_directed(all, kSettingOfFullQueues, "a blocked queue", support::blocked_queue_programs);
  add_directed(all, kSettingOfFullQueues, "a full queue", support::full_queue_programs);
  add_directed(all, kSettingOfFullQueues, "shared ports", support::shared_port_programs);
  const auto cores = make_cores(all, [](const CoreSetting& setting) {
    return sim::make_cycle_core(setting.config, setting.memory, true);
  });
  for (size_t i = 0; i < all.runs.size(); ++i) {
    CoreRun& run = all.runs[i];
    run.expected = recorded_run(*cores[run.setting], run, run.expected_arena, run.expected_trace);
  }
  return all;
}

Difference first_difference(const CoreRuns& all, const MakeCore& make, bool compute,
                            const BeforeRun& before) {
  const auto cores = make_cores(all, make);
  for (size_t i = 0; i < all.runs.size(); ++i) {
    const CoreRun& run = all.runs[i];
    std::vector<uint8_t> arena;
    sim::TimedCore& core = *cores[run.setting];
    before(core, i);
    sim::RunTrace trace;
    const sim::NativeRun result = recorded_run(core, run, arena, trace);
    if (std::string in = difference(run, result, compute ? &arena : nullptr, trace); !in.empty())
      return {std::move(in), i};
  }
  return {};
}

}  // namespace vta::mutations
