// SPDX-License-Identifier: Apache-2.0
//
// Devices against the golden interpreter: the same bytes and counters for random legal programs,
// the same fault and bytes for random illegal ones.
//
//   VTA_TEST_DEVICE  URI of the device; by default "functional" and "native"
//
//   VTA_TEST_COUNT   legal programs over all cores; a tenth as many illegal ones. With
//                    VTA_TEST_SEED: the seeds of each test
//
//   VTA_TEST_SEED    the first seed; without VTA_TEST_COUNT the only one
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>

#include "driver/device.h"
#include "sim/functional/functional_device.h"
#include "tests/support/dropped_token.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"

namespace vta {
namespace {

using support::GeneratedProgram;
using support::GoldenFault;

const std::vector<std::string> kCores = installed_core_names();
constexpr uint64_t kDefaultCount = 20'000;
constexpr uint64_t kIllegalSeedStride = 1000;  // find_illegal_program() tries a few hundred seeds
constexpr int kMaxFailures = 3;

std::vector<std::string> device_uris() {
  const char* given = std::getenv("VTA_TEST_DEVICE");
  if (given != nullptr) return {given};
  return {"functional", "native"};
}

uint64_t programs_per_core() {
  return support::share_of(support::test_count(kDefaultCount), kCores.size());
}

// The state after a run.
struct Outcome {
  std::optional<GoldenFault> fault;
  hw::Counters counters;
  std::string message;
  std::vector<uint8_t> arena;
};

std::string to_string(const std::optional<GoldenFault>& fault) {
  if (!fault) return "no fault";
  return fmt::format("fault {} ({}) at instruction {}, value {}", static_cast<int>(fault->code),
                     isa::to_string(fault->code), fault->index, fault->value);
}

class CoreVsGolden : public ::testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() { sim::register_functional_device(); }
  void SetUp() override { open_devices(); }

  void open_devices() {
    devices_.clear();
    for (const std::string& uri : device_uris()) devices_.push_back(driver::open(uri, config_));
  }

  static Outcome run_on(driver::Device& device, const GeneratedProgram& program) {
    Outcome outcome;
    const driver::DeviceAddress arena = device.allocate(program.arena.size());
    device.copy_in(arena, program.arena);
    driver::RunRequest request;
    request.arena = arena;
    request.arena_bytes = program.arena.size();
    request.program_offset_bytes = program.program_offset_bytes;
    request.num_instructions = program.num_instructions;
    try {
      outcome.counters = device.run(request);
      outcome.counters.cycles.reset();
    } catch (const driver::DeviceFault& fault) {
      outcome.fault = GoldenFault{fault.fault, fault.instruction_index, fault.value};
      outcome.message = fault.what();
    }
    outcome.arena.resize(program.arena.size());
    device.copy_out(outcome.arena, arena);
    device.free(arena);
    return outcome;
  }

  Outcome run_on_golden(const GeneratedProgram& program) {
    Outcome outcome{{}, {}, {}, program.arena};
    const support::GoldenResult result = support::run_golden(
        config_, outcome.arena, program.program_offset_bytes, program.num_instructions);
    EXPECT_FALSE(result.race) << "the generator made a racy program";
    outcome.fault = result.fault;
    outcome.counters = result.counters;
    for (const std::string& wait : result.waits) outcome.message += wait + "; ";
    return outcome;
  }

  // Whether all devices are equal to it; the failure message has everything needed to reproduce it.
  bool compare(const GeneratedProgram& program, uint64_t seed) {
    const Outcome golden = run_on_golden(program);
    return std::ranges::all_of(
        devices_, [&](const auto& device) { return compare(golden, *device, program, seed); });
  }

  bool compare(const Outcome& golden, driver::Device& tested, const GeneratedProgram& program,
               uint64_t seed) const {
    const std::string uri = tested.describe().uri;
    Outcome device;
    try {
      device = run_on(tested, program);
    } catch (const Error& error) {
      ADD_FAILURE() << describe(uri, program, seed) << "golden: " << to_string(golden.fault)
                    << "\ndevice: error without a fault: " << error.what();
      return false;
    }
    std::string differences;
    if (golden.fault != device.fault) {
      differences += fmt::format("golden: {} {}\ndevice: {} {}\n", to_string(golden.fault),
                                 golden.message, to_string(device.fault), device.message);
    }
    if (golden.arena != device.arena) {
      const auto at = std::mismatch(golden.arena.begin(), golden.arena.end(), device.arena.begin());
      differences += fmt::format("first differing byte: {:#x}, golden {:#04x}, device {:#04x}\n",
                                 at.first - golden.arena.begin(), *at.first, *at.second);
    }
    if (!golden.fault && !(golden.counters == device.counters)) {
      differences += "counters: " + counters_text(golden.counters) + " on golden, " +
                     counters_text(device.counters) + " on the device\n";
    }
    if (differences.empty()) return true;
    ADD_FAILURE() << describe(uri, program, seed) << differences;
    return false;
  }

  std::string describe(const std::string& uri, const GeneratedProgram& program,
                       uint64_t seed) const {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    return fmt::format(
        "core {}, device {}, seed {}, arena {} bytes, program at {:#x}\n{}\n"
        "again: VTA_TEST_DEVICE={} VTA_TEST_SEED={} core_vs_golden_test --gtest_filter='{}.{}'\n",
        config_.name, uri, seed, program.arena.size(), program.program_offset_bytes,
        isa::disassemble(program.instructions(), config_), uri, seed, test->test_suite_name(),
        test->name());
  }

  static std::string counters_text(const hw::Counters& c) {
    return fmt::format("inp {} wgt {} acc {} uop {} out {} gemm {} alu {}", c.inp_load_nbytes,
                       c.wgt_load_nbytes, c.acc_load_nbytes, c.uop_load_nbytes, c.out_store_nbytes,
                       c.gemm_counter, c.alu_counter);
  }

  CoreConfig config_ = load_core_config(GetParam());
  std::vector<std::unique_ptr<driver::Device>> devices_;
};

TEST_P(CoreVsGolden, LegalProgramsLeaveTheSameBytesAndCounters) {
  int failures = 0;
  const support::Seeds range = support::test_seeds(0, programs_per_core());
  for (uint64_t seed = range.begin; seed < range.end && failures < kMaxFailures; ++seed) {
    failures += !compare(support::generate_legal_program(config_, seed), seed);
  }
}

// Bits outside their instructions' fields are arbitrary, as in streams of VTA's runtime.
TEST_P(CoreVsGolden, LegalProgramsOfACoreWithoutTheExtensionGiveTheSameBytesAndCounters) {
  config_.extension = false;
  open_devices();
  int failures = 0;
  const support::Seeds range = support::test_seeds(0, support::share_of(programs_per_core(), 5));
  for (uint64_t seed = range.begin; seed < range.end && failures < kMaxFailures; ++seed)
    failures += !compare(support::generate_legal_program(config_, seed), seed);
}

TEST_P(CoreVsGolden, ProgramsOfSharedPortsHaveNoFaultAndGiveTheSameBytes) {
  if (!config_.extension) GTEST_SKIP() << "[SKIP] no split instructions";
  int number = 0;
  for (const GeneratedProgram& program : support::shared_port_programs(config_)) {
    SCOPED_TRACE(fmt::format("program {}", number++));
    const Outcome golden = run_on_golden(program);
    EXPECT_EQ(to_string(golden.fault), "no fault");
    for (const auto& device : devices_) compare(golden, *device, program, 0);
  }
}

TEST_P(CoreVsGolden, IllegalProgramsStopWithTheSameFaultAndBytes) {
  int failures = 0;
  uint64_t num_found = 0;
  const support::Seeds range = support::test_seeds(0, support::share_of(programs_per_core(), 10));
  for (uint64_t seed = range.begin; seed < range.end && failures < kMaxFailures; ++seed) {
    // kNoFault stands for any fault.
    const auto fault = static_cast<isa::FaultCode>(seed % (isa::kDeadlock + 1));
    const auto program = support::find_illegal_program(config_, fault, seed * kIllegalSeedStride);
    num_found += program.has_value();
    if (program) failures += !compare(*program, seed);
  }
  if (failures == 0) {
    EXPECT_EQ(num_found, range.end - range.begin);
  }
}

// Only simulators detect races.
TEST_P(CoreVsGolden, TheFunctionalSimulatorReportsTheRacesThatTheGoldenInterpreterFinds) {
  driver::Device& device = *devices_.front();
  const std::string uri = device.describe().uri;
  if (uri != "functional" && uri != "native")
    GTEST_SKIP() << "[SKIP] " << uri << " has no race check";
  std::array<int, support::kTokenPaths.size()> num_races{};
  int num_ordered = 0;
  const support::Seeds range = support::test_seeds(0, support::share_of(programs_per_core(), 5));
  for (uint64_t seed = range.begin; seed < range.end; ++seed) {
    GeneratedProgram program = support::generate_legal_program(config_, seed);
    const size_t path = seed % support::kTokenPaths.size();
    if (!support::drop_token(program, config_, support::kTokenPaths[path],
                             static_cast<uint32_t>(seed % 3)))
      continue;
    std::vector<uint8_t> arena = program.arena;
    const auto golden =
        support::run_golden(config_, arena, program.program_offset_bytes, program.num_instructions);
    std::string error;
    try {
      error = run_on(device, program).message;
    } catch (const Error& race) {
      error = race.what();
    }
    const bool reported = error.find("race: ") != std::string::npos;
    (golden.race ? num_races[path] : num_ordered) += 1;
    ASSERT_EQ(reported, golden.race.has_value())
        << describe(uri, program, seed) << error
        << (golden.race ? fmt::format("golden: {} and {}", golden.race->first_index,
                                      golden.race->second_index)
                        : "");
  }
  if (range.end - range.begin >= 600) {
    for (const int races : num_races) EXPECT_GT(races, 5);
    EXPECT_GT(num_ordered, 30);
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, CoreVsGolden, ::testing::ValuesIn(kCores),
                         [](const auto& core) { return core.param; });

}  // namespace
}  // namespace vta
