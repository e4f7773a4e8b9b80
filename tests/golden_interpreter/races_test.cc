// SPDX-License-Identifier: Apache-2.0
//
// Every simulator reports a race by both instructions, the memory and the element, for every pair
// of accesses that a token can order.
#include <gtest/gtest.h>

#include "driver/device.h"
#include "hw/isa/program_bytes.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tests/support/error_in.h"
#include "tests/support/race_cases.h"

namespace vta::sim {
namespace {

using support::RaceCase;

constexpr uint64_t kArenaBytes = 8192;

class Races : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    register_functional_device();
    register_cycle_device();
    register_rtl_device();
  }
  void SetUp() override {
    device_ = driver::open(GetParam(), core_);
    arena_ = device_->allocate(kArenaBytes);
  }

  // The message of the run's error; "" if there is none.
  std::string error_of(const std::string& text, int timeout_ms = 60'000) {
    const auto stream = isa::assemble(text, "test", core_);
    device_->copy_in(arena_, support::race_case_arena(core_));
    device_->copy_in({arena_.bytes + support::kRaceProgramOffset}, isa::bytes_of(stream));
    driver::RunRequest request;
    request.arena = arena_;
    request.arena_bytes = kArenaBytes;
    request.program_offset_bytes = support::kRaceProgramOffset;
    request.num_instructions = static_cast<uint32_t>(stream.size());
    request.timeout = std::chrono::milliseconds(timeout_ms);
    return error_in([&] { device_->run(request); },
                    timeout_ms == 60'000 ? ErrorCode::kDevice : ErrorCode::kTimeout);
  }
  std::string message_of(const RaceCase& race) const {
    const auto stream = isa::assemble(racy_text(race), "test", core_);
    const auto instruction = [&](uint32_t index) {
      return isa::disassemble(isa::decode(stream[index], core_));
    };
    return fmt::format(
        "race: instructions {} ({}) and {} ({}) access {} {} of {} without a token "
        "between them",
        race.first_index, instruction(race.first_index), race.second_index,
        instruction(race.second_index), std::string(race.memory) == "DRAM" ? "byte" : "element",
        race.element, race.memory);
  }

  CoreConfig core_ = load_core_config("tiny_1x8");
  std::unique_ptr<driver::Device> device_;
  driver::DeviceAddress arena_;
};

TEST_P(Races, AreReportedForEveryPairOfAccessesWithoutItsToken) {
  for (const RaceCase& race : support::race_cases()) {
    EXPECT_EQ(error_of(legal_text(race)), "") << race.name;
    EXPECT_EQ(error_of(racy_text(race)), message_of(race)) << race.name;
    EXPECT_EQ(error_of(racy_text(race)), message_of(race)) << race.name << ", again";
  }
}

TEST_P(Races, AreReportedNextToAFaultADeadlockAndATimeout) {
  const RaceCase& race = support::race_cases().front();
  std::string text = racy_text(race);
  const auto with_instead_of_finish = [&](const std::string& end) {
    return text.substr(0, text.find("finish")) + end;
  };
  const std::string fault =
      error_of(with_instead_of_finish("store.out sram=99 dram=0 size=[1,1] stride=1\nfinish\n"));
  EXPECT_NE(fault.find("scratchpad range"), std::string::npos) << fault;
  EXPECT_NE(fault.find("; " + message_of(race)), std::string::npos) << fault;
  const std::string deadlock = error_of(with_instead_of_finish("finish pop_prev\n"));
  EXPECT_NE(deadlock.find("deadlock"), std::string::npos) << deadlock;
  EXPECT_NE(deadlock.find("; " + message_of(race)), std::string::npos) << deadlock;
  const std::string timeout = error_of(
      with_instead_of_finish("gemm uop=[0,1) iter=[16383,16383] dst=[0,0] src=[0,0] wgt=[0,0]\n"
                             "finish\n"),
      20);
  EXPECT_EQ(timeout, "the program did not end within 20 ms; " + message_of(race));
}

TEST_P(Races, BetweenAStoreAndTheFetchOfTheProgram) {
  EXPECT_EQ(
      error_of("load.acc push_next sram=0 dram=0 size=[1,1] stride=1\n"
               "store.out pop_prev sram=0 dram=516 size=[1,1] stride=1\n"
               "finish\n"
               "finish\n"),
      "instruction 3 (finish): instruction after FINISH; race: instructions 1 (store.out pop_prev "
      "sram=0 dram=516 size=[1,1] stride=1) and 2 (finish) access byte 4128 of DRAM without a "
      "token between them");
}

// The micro-ops of two runs of one program differ, and with them the elements.
TEST_P(Races, DependOnTheMicroOpsOfTheRun) {
  const std::string text =
      "load.uop.split push_next sram=0 dram=0 size=[1,1] stride=1\n"
      "load.acc.split pop_prev sram=5 dram=0 size=[1,1] stride=1\n"
      "gemm.reset.split uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n"
      "finish\n";
  EXPECT_EQ(error_of(text), "");
  std::string other = text;
  other.replace(other.find("dram=0"), 6, "dram=1");
  EXPECT_NE(error_of(other).find("access element 5 of ACC"), std::string::npos);
  EXPECT_EQ(error_of(text), "");
}

INSTANTIATE_TEST_SUITE_P(Simulators, Races, ::testing::Values("functional", "cycle", "rtl"),
                         [](const auto& uri) { return std::string(uri.param); });

}  // namespace
}  // namespace vta::sim
